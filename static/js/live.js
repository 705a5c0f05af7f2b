// One stream of events for all tabs of a browser; each event is dispatched on `document` as `memsite:event`.
// A browser has six connections to a site over HTTP/1.1, so only the tab that holds a lock opens the stream,
// and passes on what it receives. Where the browser has no locks (plain HTTP), only visible tabs open one.
(() => {
  const owner = document.currentScript.dataset.owner;
  const FIRST_PAUSE = 5000; // milliseconds before a refused stream is tried again; doubles each time
  const LONGEST_PAUSE = 300000;
  const TYPES = [
    ...["created", "updated", "deleted", "forgotten", "restored", "disputed"].map((act) => `memory.${act}`),
    ...["created", "updated", "deleted", "summarised"].map((act) => `thread.${act}`),
    ...["reply.finished", "webhook.disabled", "reset"],
  ];
  const name = `memsite-events-${owner}`;
  const canShare = "locks" in navigator && "BroadcastChannel" in window;
  let channel, source, release, waiting, timer;
  let last = ""; // the number of the last event, for whichever tab opens the next stream
  let pause = FIRST_PAUSE;

  function receive(event) {
    last = String(event.id);
    const { id, type, memory, thread } = event;
    document.dispatchEvent(new CustomEvent("memsite:event", { detail: { id, type, memory, thread } }));
  }

  function pass(message) {
    pause = FIRST_PAUSE;
    const event = JSON.parse(message.data);
    channel?.postMessage(event);
    receive(event);
  }

  function open() {
    source = new EventSource(last ? `/api/events?after=${last}` : "/api/events");
    TYPES.forEach((type) => source.addEventListener(type, pass));
    source.addEventListener("error", () => {
      if (source?.readyState !== EventSource.CLOSED) return; // the browser connects again by itself
      timer = setTimeout(open, pause * (0.5 + Math.random()));
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    });
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  function start() {
    if (!canShare) {
      if (document.visibilityState === "visible" && !source) open();
      return;
    }
    channel = new BroadcastChannel(name);
    channel.addEventListener("message", (message) => receive(message.data));
    waiting = new AbortController();
    const hold = () => new Promise((resolve) => { release = resolve; open(); });
    navigator.locks.request(name, { signal: waiting.signal }, hold).catch(() => {}); // the page is going
  }

  function stop() {
    close();
    channel?.close();
    waiting?.abort();
    release?.();
    release = undefined;
  }

  if (!canShare) document.addEventListener("visibilitychange", () => (document.hidden ? close() : start()));
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", (event) => { if (event.persisted) start(); });
  start();
})();
