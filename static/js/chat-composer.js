// The field for a message: drafts are kept, the switch makes the thread temporary.
(() => {
  const { chat } = window;
  const form = document.getElementById("composer");
  if (!chat || !form) return;
  const field = form.querySelector("textarea");
  const request = form.querySelector("[name=client_id]");
  const isTemporary = () => chat.page.classList.contains("is-temporary");
  const PREFIX = "draft:";
  let sent = null; // the text and id of the last attempt

  /** A UUIDv7: the server derives the id of a new thread from it. */
  function newId() {
    const time = Date.now().toString(16).padStart(12, "0");
    const random = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-a${random.slice(3, 6)}-${random.slice(6, 18)}`;
  }

  // Drafts -----------------------------------------------------------------------------------------------------
  const key = () => `${PREFIX}${chat.page.dataset.owner}:${chat.page.dataset.thread || "new"}`;

  function drop() {
    try {
      localStorage.removeItem(key());
    } catch {
      // storage is switched off
    }
  }

  function keep() {
    if (isTemporary() || !field.value) {
      drop();
      return;
    }
    try {
      localStorage.setItem(key(), field.value);
    } catch {
      // storage is full or switched off: the text is still in the field
    }
  }

  function forgetDraftsOf(others) {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(PREFIX) && (!others || !name.startsWith(`${PREFIX}${chat.page.dataset.owner}:`))) localStorage.removeItem(name);
    }
  }

  try {
    forgetDraftsOf(true);
    if (!field.value && !isTemporary()) field.value = localStorage.getItem(key()) || "";
  } catch {
    // as above
  }
  document.addEventListener("submit", (event) => {
    if (event.target.matches("form[action*='/logout/']")) forgetDraftsOf(false);
  });

  function grow() {
    if (CSS.supports("field-sizing", "content")) return;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }

  field.addEventListener("input", () => { keep(); grow(); });
  grow();

  // Sending ----------------------------------------------------------------------------------------------------
  form.addEventListener("chat:sending", ({ detail }) => {
    if (sent && sent.text !== field.value) detail.set("client_id", request.value = newId());
    sent = { text: field.value, id: request.value };
    const item = document.createElement("li");
    const words = document.createElement("div");
    item.className = "message is-user is-sending";
    words.className = "message-words";
    words.dir = "auto";
    words.textContent = field.value;
    item.append(words);
    chat.place([item]);
    chat.scrollToEnd();
    field.value = "";
    grow();
  });

  form.addEventListener("chat:stored", ({ detail }) => {
    drop();
    chat.page.dataset.thread = detail?.thread || chat.page.dataset.thread; // what is typed next is of this thread
    keep();
    sent = null;
    request.value = newId();
    field.focus();
  });

  form.addEventListener("chat:refused", () => {
    if (!field.value) field.value = sent.text;
    keep();
    grow();
    field.focus();
  });

  // Temporary threads ------------------------------------------------------------------------------------------
  const mark = (box) => { chat.page.classList.toggle("is-temporary", box.checked); keep(); };
  const box = document.getElementById("is-temporary");
  if (box) {
    box.addEventListener("change", () => mark(box));
    mark(box);
  }

  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyT") return;
    event.preventDefault();
    const current = document.getElementById("is-temporary");
    if (!current) {
      location.assign(`${chat.page.dataset.new}?temporary=1`);
      return;
    }
    current.checked = !current.checked;
    mark(current);
    field.focus();
  });

  chat.focusComposer = () => field.focus({ preventScroll: true });
  const isVisible = field.checkVisibility ? field.checkVisibility() : true;
  if (isVisible && matchMedia("(pointer: fine)").matches && (!location.hash || location.hash === "#end")) {
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
  }
})();
