// What comes to an open conversation from elsewhere: another tab, a program, the job that learns.
(() => {
  const { chat } = window;
  if (!chat || !window.EventSource) return;
  let source = null;
  let only = ""; // "learnt" while this page reads a reply itself

  const last = () => [...(chat.list()?.querySelectorAll("[data-message]") || [])].at(-1)?.dataset.message || "";

  const handle = {
    message({ html }) {
      const items = chat.elements(html);
      document.getElementById("failed")?.remove();
      if (items.some((item) => item.classList.contains("is-assistant"))) chat.list().querySelector(".is-draft")?.remove();
      chat.place(items);
      const words = items.at(-1)?.querySelector(".message-words");
      if (words) chat.announce(words.innerText);
      chat.refresh();
    },
    learnt({ message, state, html }) {
      const there = document.getElementById(`learnt-${message}`);
      if (!there || there.dataset.state === state || there.contains(document.activeElement)) return;
      const [item] = chat.elements(html);
      const isNew = state.length > there.dataset.state.length;
      there.replaceWith(item);
      window.htmx.process(item);
      item.classList.toggle("is-new", isNew);
      if (isNew) chat.announce(item.innerText);
      chat.keepUp();
    },
    moved() {
      close();
      chat.refresh(true).then(open);
    },
    draft: chat.show.draft,
    text: chat.show.text,
    grown: chat.show.grown,
    failed: chat.show.failed,
    silent: chat.show.silent,
  };

  function close() {
    source?.close();
    source = null;
  }

  function open() {
    const address = chat.page.dataset.live;
    if (source || !address || document.hidden) return;
    if (new URLSearchParams(location.search).has("before")) return; // an older part of the thread
    source = new EventSource(`${address}?after=${last()}&only=${only}`);
    for (const [name, act] of Object.entries(handle)) {
      source.addEventListener(name, (event) => act(JSON.parse(event.data)));
    }
    source.addEventListener("error", () => {
      // The browser would ask for the same address again, which names a message that is no longer the last.
      const isOver = source.readyState === EventSource.CLOSED;
      close();
      setTimeout(open, isOver ? 15_000 : 2_000);
    });
  }

  // A browser opens few connections to one site, so only the tab that is seen keeps one.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  function restart(what) {
    only = what;
    close();
    open();
  }

  chat.live = { pause: () => restart("learnt"), resume: () => restart("") };
  open();
})();
