// A conversation: sends a message, shows the reply while it is written, and loses nothing that was typed.
// chat-composer.js is the field, chat-live.js what comes from elsewhere. They meet in window.chat.
(() => {
  const page = document.getElementById("chat");
  if (!page) return;
  const list = () => document.getElementById("messages");
  const NEAR = 120; // pixels from the end within which the page follows what is written
  let follows = true;
  let running = null; // the controller of the reply that this page reads

  function scrollToEnd() {
    window.scrollTo(0, document.documentElement.scrollHeight);
  }

  function keepUp() {
    if (follows) scrollToEnd();
  }

  window.addEventListener("scroll", () => {
    const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
    follows = scrollHeight - scrollTop - clientHeight < NEAR;
  }, { passive: true });

  function announce(text) {
    document.getElementById("announcer").textContent = text;
  }

  /** Return the elements of HTML that the server made. */
  function elements(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return [...template.content.children];
  }

  function place(items) {
    for (const item of items) {
      const there = item.id && document.getElementById(item.id);
      if (there) there.replaceWith(item);
      else list().append(item);
      window.htmx.process(item);
    }
    document.getElementById("welcome")?.remove();
    setBusy();
    keepUp();
  }

  /** Remove what comes after a message; after "", everything. */
  function cutAfter(id) {
    const after = id && document.getElementById(`message-${id}`);
    if (id && !after) return;
    const gone = [...list().children];
    for (const item of gone.slice(after ? gone.indexOf(after) + 1 : 0)) item.remove();
  }

  /** Whether a reply is being written. */
  function isBusy() {
    return Boolean(running || list()?.querySelector(".is-draft:not(.is-lost)"));
  }

  /** The element of a reply that is being written. */
  function draft() {
    return list().querySelector(".is-draft");
  }

  function tail() {
    return draft()?.querySelector("[data-tail]");
  }

  const show = {
    text({ text }) {
      const end = tail();
      if (!end) return;
      if (end.lastChild) end.lastChild.appendData(text);
      else end.append(text);
      keepUp();
    },
    grown({ html, frame }) {
      const item = draft();
      if (!item) return;
      item.querySelector("[data-done]").insertAdjacentHTML("beforeend", html);
      item.querySelector("[data-frame]").innerHTML = frame;
      keepUp();
    },
    ended({ html }) {
      const items = elements(html);
      draft()?.remove();
      document.getElementById("failed")?.remove();
      place(items);
      const words = items.at(-1)?.querySelector(".message-words");
      announce(`${page.dataset.assistant}: ${words ? words.innerText : ""}`);
    },
    silent({ html }) {
      draft()?.classList.add("is-lost");
      place(elements(html));
      setBusy();
    },
    failed({ html }) {
      draft()?.remove();
      place(elements(html));
      announce(document.getElementById("failed").innerText);
    },
    draft({ html }) {
      const [item] = elements(html);
      const there = draft();
      if (there) there.replaceWith(item);
      else list().append(item);
      document.getElementById("welcome")?.remove();
      setBusy();
      keepUp();
    },
  };

  /** Yield [event, data] of a response of server-sent events. */
  async function* read(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const lines = block.split("\n");
        const name = lines.find((line) => line.startsWith("event: "));
        const data = lines.find((line) => line.startsWith("data: "));
        if (name && data) yield [name.slice(7), JSON.parse(data.slice(6))];
      }
    }
  }

  /** Say what went wrong above the field; `retry` is what its button does. */
  function complain(text, retry) {
    const place = document.getElementById("dock-error");
    if (!place) return;
    place.textContent = text;
    place.hidden = !text;
    if (!retry) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-quiet";
    button.textContent = page.dataset.again;
    button.addEventListener("click", () => { complain(""); retry(); });
    place.append(" ", button);
  }

  /** Mark the reply as lost on the way. The page looks for it on the server by itself. */
  function markLost() {
    const item = draft();
    if (!item) return;
    item.classList.add("is-lost");
    item.removeAttribute("aria-busy");
    const note = document.createElement("div");
    note.className = "message-note";
    const words = document.createElement("span");
    words.textContent = page.dataset.lost;
    const link = document.createElement("a");
    link.className = "button";
    link.href = location.pathname;
    link.textContent = page.dataset.again;
    note.append(words, link);
    item.append(note);
    announce(page.dataset.lost);
    keepUp();
  }

  /** Show Stop in place of Send while a reply is written, here or elsewhere. */
  function setBusy() {
    const busy = isBusy();
    page.classList.toggle("is-busy", busy);
    const stop = document.getElementById("stop");
    if (stop) stop.hidden = !busy;
    const send = document.querySelector("#composer [type=submit]");
    if (send) send.hidden = busy;
  }

  /** Return what is wrong; with `url`, where an earlier attempt is being answered. */
  async function describe(response) {
    if (response.redirected && response.url.includes("/login")) return { message: page.dataset.signIn };
    if ((response.headers.get("Content-Type") || "").includes("json")) return response.json();
    return { message: response.status === 403 ? page.dataset.stale : page.dataset.unreachable };
  }

  /** What is done with the events that only the reader of a reply gets. */
  function begin(data, form) {
    form.dispatchEvent(new CustomEvent("chat:stored", { bubbles: true, detail: data }));
    document.querySelector(".is-sending")?.remove();
    cutAfter(data.after);
    follows = true;
    place([...elements(data.html), ...elements(data.answer)]);
    if (document.activeElement === document.body) window.chat.focusComposer?.(); // what was pressed is gone
    if (!data.is_first) return;
    page.dataset.live = data.live;
    window.chat.live?.pause();
    history.pushState(null, "", data.url);
    document.title = document.title.replace(/^[^·]*/, `${data.title} `);
  }

  /** Send a form and show what comes. Resolves when the reply has ended or failed. */
  async function send(form, body) {
    if (running) return;
    running = new AbortController();
    complain("");
    setBusy();
    window.chat.live?.pause();
    let stored = null;
    let ended = false;
    try {
      const headers = { Accept: "text/event-stream" };
      const response = await fetch(form.action, { method: "POST", body, headers, signal: running.signal });
      if (!response.ok || !(response.headers.get("Content-Type") || "").startsWith("text/event-stream")) {
        throw Object.assign(new Error(), { isAnswer: true }, await describe(response));
      }
      for await (const [name, data] of read(response)) {
        if (name === "question") begin(stored = data, form);
        else if (show[name]) show[name](data);
        if (name === "ended" || name === "failed") ended = true;
      }
    } catch (error) {
      if (error.url) {
        form.dispatchEvent(new CustomEvent("chat:stored", { bubbles: true }));
        location.assign(error.url);
      } else if (!stored) {
        form.dispatchEvent(new CustomEvent("chat:refused", { bubbles: true }));
        document.querySelector(".is-sending")?.remove();
        complain(error.isAnswer ? error.message : page.dataset.unreachable, () => form.requestSubmit());
      }
    } finally {
      running = null;
      if (stored && !ended) markLost();
      setBusy();
      if (stored) await refresh();
      window.chat.live?.resume();
    }
  }

  /** Bring the head of the page and the column up to date. With `all`, the messages, too. */
  async function refresh(all = false) {
    try {
      const response = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      if (!response.ok) return;
      const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
      const parts = [".talk-head", "#thread-list", ...(all ? ["#messages"] : [])];
      for (const part of parts) {
        const [was, is] = [page.querySelector(part), fresh.querySelector(part)];
        if (!was || !is || (was.contains(document.activeElement) && part !== "#messages")) continue;
        const node = document.importNode(is, true);
        was.replaceWith(node);
        window.htmx.process(node);
      }
      const now = fresh.getElementById("chat");
      for (const name of ["live", "thread"]) page.dataset[name] = now.dataset[name];
      page.classList.remove("is-list");
      const composer = document.getElementById("composer");
      const action = fresh.getElementById("composer")?.getAttribute("action");
      if (composer && action) composer.setAttribute("action", action);
      document.querySelector(".temporary-switch")?.remove();
      if (all) keepUp();
    } catch {
      // the page stays as it is; the next message or look brings it up to date
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-stop]")) {
      event.preventDefault();
      fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "text/event-stream" } })
        .catch(() => complain(page.dataset.unreachable));
    } else if (form.matches("[data-chat-form]")) {
      event.preventDefault();
      if (isBusy()) return;
      const body = new FormData(form, event.submitter);
      if (body.has("content") && !body.get("content").trim()) return;
      form.dispatchEvent(new CustomEvent("chat:sending", { bubbles: true, detail: body }));
      send(form, body);
    }
  });

  document.getElementById("stop")?.addEventListener("click", () => draft()?.querySelector("[data-stop]")?.requestSubmit());

  // Copying: an answer's text as it was written, or the code of a block.
  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea"); // pages that are not served by HTTPS
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    return undefined;
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy-text], .code-copy");
    if (!button) return;
    const code = button.closest(".code")?.querySelector("code");
    try {
      const text = button.dataset.copyText ? await (await fetch(button.dataset.copyText)).text() : code.textContent;
      await copy(text);
    } catch {
      return;
    }
    const label = button.querySelector("span") || button;
    const before = label.textContent;
    label.textContent = page.dataset.copied;
    button.classList.add("is-done");
    announce(page.dataset.copied);
    setTimeout(() => { label.textContent = before; button.classList.remove("is-done"); }, 1500);
  });

  document.addEventListener("toggle", ({ target }) => {
    if (target.matches?.(".rename[open]")) target.querySelector("input[name=title]").select();
  }, true);

  window.addEventListener("popstate", () => location.reload());
  window.chat = { page, list, show, elements, place, refresh, announce, keepUp, scrollToEnd, isReading: () => Boolean(running) };
  setBusy();
  const isList = page.classList.contains("is-list"); // the column of threads, which begins with the newest
  if (!isList && (!location.hash || location.hash === "#end")) scrollToEnd();
})();
