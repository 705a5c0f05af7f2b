// The theme changes at once; the server keeps it in a cookie. Without this script the form reloads the page.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-theme-form]")) return;
  event.preventDefault();
  const chosen = event.submitter.value;
  document.documentElement.dataset.theme = chosen;
  for (const button of document.querySelectorAll("[data-theme-form] [name=theme]")) {
    button.setAttribute("aria-pressed", String(button.value === chosen));
  }
  const body = new FormData(form, event.submitter);
  fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
});
