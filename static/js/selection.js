// The list of memories: how many are selected, select all shown, a range by Shift, and the focus after an act.
const boxes = () => [...document.querySelectorAll("#results input[name=ids]")];
let last = null;

function show() {
  const results = document.getElementById("results");
  if (!results) return;
  const every = boxes();
  const all = results.querySelector("input[name=all]");
  const count = every.filter((box) => box.checked).length;
  const label = results.querySelector("[data-selected]");
  const whole = results.querySelector("[data-tick-all]");
  if (label) label.textContent = count === 1 ? label.dataset.one : label.dataset.many.replace("#", count);
  if (label && all && all.checked) label.textContent = all.nextElementSibling.textContent;
  if (whole) {
    whole.hidden = false;
    const box = whole.querySelector("input");
    box.checked = count > 0 && count === every.length;
    box.indeterminate = count > 0 && count < every.length;
  }
  for (const button of results.querySelectorAll("[data-clear]")) button.hidden = false;
  const loaded = results.querySelector("[data-loaded]");
  if (loaded) loaded.value = results.querySelectorAll("[data-list] > .memory").length;
}

function tick(some, checked) {
  for (const box of some) box.checked = checked;
  show();
}

document.addEventListener("click", (event) => {
  const box = event.target;
  if (box.matches("#results input[name=ids]")) {
    const every = boxes();
    const [from, to] = [every.indexOf(last), every.indexOf(box)].sort((a, b) => a - b);
    if (event.shiftKey && from >= 0) tick(every.slice(from, to + 1), box.checked);
    last = box;
  } else if (box.closest("[data-clear]")) {
    const all = document.querySelector("#results input[name=all]");
    if (all) all.checked = false;
    tick(boxes(), false);
    document.getElementById("results").focus({ preventScroll: true });
  }
});

document.addEventListener("change", (event) => {
  const { target } = event;
  if (target.closest("[data-tick-all]")) tick(boxes(), target.checked);
  else if (target.matches("#results input[name=all]")) tick(boxes(), target.checked);
  else if (target.matches("#results input[name=ids]")) {
    const all = document.querySelector("#results input[name=all]");
    if (all && !target.checked) all.checked = false;
    show();
  }
});

// Undo in a notice changes the list in place, with as many cards as before.
let undone = null;
document.addEventListener("submit", (event) => {
  const form = event.target;
  const results = document.getElementById("results");
  if (!results || !form.closest("#notices")) return;
  event.preventDefault();
  undone = form.closest("[data-notice]");
  const values = Object.fromEntries(new FormData(form));
  for (const name of ["filter", "loaded"]) values[name] = results.querySelector(`[name=${name}]`).value;
  htmx.ajax("POST", form.action, { target: "#results", swap: "outerHTML", values });
});

// What had the focus may be gone with the answer: then it goes to the card that took its place, to the one that an
// undo brought back, or to the list.
let place = null;
let cards = new Set();
const listed = () => [...document.querySelectorAll("#results .memory")];
const state = (card) => `${card.id} ${card.className}`;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  place = document.activeElement?.closest(".memory")?.id ?? null;
  cards = new Set(listed().map(state));
  if (undone && detail.xhr.status < 400) undone.remove();
  undone = null;
});
document.addEventListener("htmx:afterSettle", () => {
  show();
  if (document.activeElement && document.activeElement !== document.body) return;
  const card = place ? document.getElementById(place) : listed().find((card) => !cards.has(state(card)));
  (card ? card.querySelector("a") : document.getElementById("results"))?.focus({ preventScroll: true });
});

show();
