// The inbox by keyboard: J and K move, Y keeps, E edits, X rejects. Keys do nothing while a field is typed in.
const items = () => [...document.querySelectorAll("#inbox [data-item]")];
const current = () => document.activeElement?.closest("#inbox [data-item]");
let place = 0;

function showKeys() {
  for (const line of document.querySelectorAll("[data-keys]")) line.hidden = false;
}

function go(index) {
  const every = items();
  const item = every[Math.max(0, Math.min(index, every.length - 1))];
  if (!item) return;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

function press(item, name) {
  const control = item.querySelector(`[data-key=${name}]`);
  if (!control) return;
  control.click();
  const field = control.matches("summary") && control.parentElement.querySelector("textarea, button");
  if (field) requestAnimationFrame(() => field.checkVisibility() && field.focus());
}

const ACTS = { y: "keep", e: "edit", x: "reject" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { target } = event;
  const item = current();
  if (event.key === "Escape" && item) {
    for (const open of item.querySelectorAll("details[open]")) open.open = false;
    item.focus({ preventScroll: true });
    return;
  }
  if (target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  const key = event.key.toLowerCase();
  const index = items().indexOf(item);
  if (key === "j") go(index + 1);
  else if (key === "k") go(index - 1);
  else if (item && ACTS[key]) press(item, ACTS[key]);
  else if (item && event.key === "Enter" && target === item) press(item, "keep");
  else return;
  event.preventDefault();
});

// After an act, the item that took the place of the decided one has the focus.
document.addEventListener("htmx:beforeRequest", () => {
  place = Math.max(0, items().indexOf(current()));
});
document.addEventListener("htmx:afterSettle", () => {
  showKeys();
  if (document.activeElement && document.activeElement !== document.body) return;
  if (items().length) go(place);
  else document.getElementById("inbox")?.focus({ preventScroll: true });
});

showKeys();

// What came since the page was shown is announced, not added: the list stays as it is under the reader's hands.
const named = (item) => item.id || item.querySelector("a")?.getAttribute("href");
let looking;

async function lookForNews() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const shown = new Set(items().map(named));
  const isNews = [...page.querySelectorAll("#inbox [data-item]")].some((item) => !shown.has(named(item)));
  document.getElementById("inbox-news").hidden = !isNews;
}

document.addEventListener("memsite:event", ({ detail }) => {
  if (!detail.type.startsWith("memory.")) return;
  clearTimeout(looking);
  looking = setTimeout(lookForNews, 1500); // an act changes several memories at once
});
