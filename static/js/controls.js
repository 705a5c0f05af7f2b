// Menus close on Escape, on a click beside them and when the focus leaves them. Enter submits forms that ask for it,
// and what was accepted leaves its field. A form that leads back to its page leaves the reader where they were.
document.documentElement.classList.add("scripted");

// On a narrow screen the settings' pages are a row that scrolls: show where one is.
const here = document.querySelector(".settings-nav [aria-current]");
const row = here && here.closest(".settings-nav");
if (row) row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;

function close(menu, refocus) {
  menu.open = false;
  if (refocus) menu.querySelector("summary").focus();
}

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    if (!menu.contains(event.target)) close(menu, false);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("[data-menu][open]")) close(menu, menu.contains(document.activeElement));
});

document.addEventListener("focusout", (event) => {
  const menu = event.target.closest("[data-menu][open]");
  if (menu && event.relatedTarget && !menu.contains(event.relatedTarget)) close(menu, false);
});

// Enter submits, Shift+Enter breaks the line. Enter that ends the composition of a Chinese word does neither.
document.addEventListener("keydown", (event) => {
  const area = event.target.closest?.("[data-enter-submits] textarea");
  if (!area || event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  if (area.value.trim()) area.form.requestSubmit();
});

// A form that was accepted is empty again, so that Enter does not send the same twice.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful && detail.elt.matches("form[data-empties]")) detail.elt.reset();
});

// After a form that leads back here, the page is scrolled as before, and the focus is on what it was on last.
const PLACE = "memsite-place";
let lastInPage = ""; // id of what had the focus last within the page

document.addEventListener("focusin", ({ target }) => {
  lastInPage = target.closest("main [id]")?.id ?? lastInPage;
});

window.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.getAttribute("method") !== "post") return;
  sessionStorage.setItem(PLACE, JSON.stringify({ path: location.pathname, top: window.scrollY, id: lastInPage }));
});

function goBackToPlace() {
  const place = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  sessionStorage.removeItem(PLACE);
  const [navigation] = performance.getEntriesByType("navigation");
  if (place?.path !== location.pathname || location.hash || !navigation?.redirectCount) return; // an answer, not a way back
  window.scrollTo(0, place.top);
  if (document.activeElement !== document.body) return;
  const holder = document.getElementById(place.id) ?? document.getElementById("main");
  const target = holder?.matches("a, button, input, select, textarea, summary, [tabindex]")
    ? holder : holder?.querySelector("a, button, summary");
  target?.focus({ preventScroll: true });
}

goBackToPlace();
