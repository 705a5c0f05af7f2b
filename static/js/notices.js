// Notices: errors of htmx requests are shown, each notice can be dismissed, those without an action go by themselves.
const LINGER = 7000; // milliseconds
const notices = document.getElementById("notices");

function dismissButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-quiet";
  button.setAttribute("aria-label", notices.dataset.dismiss);
  button.textContent = "✕";
  button.addEventListener("click", () => button.closest("[data-notice]").remove());
  return button;
}

function linger(notice) {
  const leave = () => (notice.matches(":hover, :focus-within") ? setTimeout(leave, LINGER) : notice.remove());
  setTimeout(leave, LINGER);
}

function settle(notice) {
  if (notice.dataset.settled) return;
  notice.dataset.settled = "yes";
  notice.append(dismissButton());
  if (!("stays" in notice.dataset)) linger(notice);
  while (notices.children.length > 3) notices.firstElementChild.remove();
}

function settleAll() {
  notices.querySelectorAll("[data-notice]").forEach(settle);
}

function say(text) {
  const notice = document.createElement("div");
  const words = document.createElement("p");
  notice.className = "notice notice-wrong";
  notice.dataset.notice = "";
  words.textContent = text;
  notice.append(words);
  notices.append(notice);
}

// An error that the server wrote for this place is shown; any other answer that is no page of ours is not.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status < 400) return;
  if (xhr.getResponseHeader("HX-Retarget")) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  } else {
    say(notices.dataset.unreachable);
  }
});
document.addEventListener("htmx:sendError", () => say(notices.dataset.unreachable));

new MutationObserver(settleAll).observe(notices, { childList: true });
settleAll();
