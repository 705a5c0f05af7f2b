// A menu closes on Escape, on a click beside it and when the focus leaves it.
document.documentElement.classList.add("scripted");
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
