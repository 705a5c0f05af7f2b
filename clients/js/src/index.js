import { AnswerError, ConnectionFailed, UnexpectedAnswer } from "./errors.js";
import { readEvents } from "./sse.js";

export { AnswerError, ConnectionFailed, MemsiteError, UnexpectedAnswer, WebhookInvalid } from "./errors.js";
export * as webhooks from "./webhooks.js";

const TRANSIENT = new Set([408, 502, 503, 504]);
const LONGEST_RETRY_AFTER = 30;
const SILENCE = 45_000;

/** A client of a Memsite. */
export class Memsite {
  /**
   * `user` names an application's end user. `retries` is how often a request is tried again that is safe to repeat;
   * `timeout` is in milliseconds, for an answer without a stream.
   */
  constructor({ url, key, user, retries = 2, timeout = 30_000, fetch = globalThis.fetch, sleep = pause }) {
    this.url = url.replace(/\/+$/, "");
    this.headers = { Authorization: `Bearer ${key}`, ...(user === undefined ? {} : { "Memsite-User": user }) };
    this.retries = retries;
    this.timeout = timeout;
    this.fetch = fetch;
    this.sleep = sleep;
    this.memories = new Memories(this);
    this.threads = new Threads(this);
  }

  /**
   * Make any call of the API and return the parsed answer. `repeatable` says that the request, sent twice, has the
   * effect of one; GET, PUT and PATCH are.
   */
  async request(method, path, { query, body, repeatable, wait = 0 } = {}) {
    const response = await this.#open(method, path, { query, body, repeatable, timeout: this.timeout + wait });
    const text = await response.text().catch((error) => {
      throw new ConnectionFailed("the answer was cut", { cause: error });
    });
    try {
      return text === "" ? null : JSON.parse(text);
    } catch (error) {
      throw new UnexpectedAnswer(`the answer (${response.status}) is not JSON`, { cause: error });
    }
  }

  /** The messages to send to a model for a thread and a new input. */
  context(threadId, input, options = {}) {
    const body = { input, ...options };
    return this.request("POST", `/api/threads/${threadId}/context`, { body, repeatable: true });
  }

  /** Add a user message and the model's answer. */
  reply(threadId, input, options = {}) {
    const body = { client_id: crypto.randomUUID(), input, ...options };
    return this.request("POST", `/api/threads/${threadId}/reply`, { body, repeatable: true, wait: 600_000 });
  }

  /** Do the same and yield the events of the answer: `{event: "begun" | "delta" | "ended", data}`. */
  async *streamReply(threadId, input, options = {}) {
    const body = { client_id: crypto.randomUUID(), input, ...options, stream: true };
    const response = await this.#open("POST", `/api/threads/${threadId}/reply`, { body, repeatable: true });
    try {
      for await (const sent of readEvents(response.body)) {
        const data = parse(sent.data);
        if (sent.name === "error") throw new AnswerError(response.status, data);
        if (!["begun", "delta", "ended"].includes(sent.name)) continue;
        yield { event: sent.name, data };
        if (sent.name === "ended") return;
      }
    } catch (error) {
      throw asMemsiteError(error);
    }
    throw new ConnectionFailed("the answer was cut");
  }

  /**
   * Yield events for ever, and connect again whenever the connection is lost. `after` is the number of the last event
   * that you have seen. Stop by leaving the loop, or by `signal`.
   */
  async *events({ after, types = [], users, signal } = {}) {
    let last = after;
    while (!signal?.aborted) {
      let wait = 3_000;
      const silence = new AbortController();
      const stop = () => silence.abort();
      signal?.addEventListener("abort", stop, { once: true });
      let timer = setTimeout(stop, SILENCE);
      try {
        const query = { after: last, types: types.join(",") || undefined, users };
        const response = await this.#open("GET", "/api/events", { query, signal: silence.signal, retries: 0 });
        const heard = watch(response.body, () => {
          clearTimeout(timer);
          timer = setTimeout(stop, SILENCE);
        });
        for await (const sent of readEvents(heard)) {
          if (sent.id) last = Number(sent.id);
          if (sent.retry !== null) wait = sent.retry;
          if (sent.name) yield parse(sent.data);
        }
      } catch (problem) {
        const error = asMemsiteError(problem);
        if (error instanceof UnexpectedAnswer) throw error;
        if (error instanceof AnswerError && !mayTryAgain(error)) throw error;
        if (error.retryAfter) wait = error.retryAfter * 1_000;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        silence.abort();
      }
      if (!signal?.aborted) await this.sleep(wait);
    }
  }

  async #open(method, path, options) {
    const { query, body, signal, timeout, retries = this.retries } = options;
    const repeatable = options.repeatable ?? ["GET", "PUT", "PATCH"].includes(method);
    const address = new URL(this.url + path);
    for (const [name, value] of Object.entries(query ?? {})) {
      for (const one of [value].flat()) if (one !== undefined && one !== null) address.searchParams.append(name, one);
    }
    for (let tries = 1; ; tries += 1) {
      const error = await this.#try(address, method, body, signal ?? (timeout && AbortSignal.timeout(timeout)));
      if (!(error instanceof Error)) return error;
      const isLimit = error.status === 429;
      const isSafe = isLimit || (repeatable && (error instanceof ConnectionFailed || TRANSIENT.has(error.status)));
      const seconds = error.retryAfter ?? Math.min(8, 0.5 * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
      if (tries > retries || !isSafe || seconds > LONGEST_RETRY_AFTER) throw error;
      await this.sleep(seconds * 1_000);
    }
  }

  async #try(address, method, body, signal) {
    const headers = body === undefined ? this.headers : { ...this.headers, "Content-Type": "application/json" };
    try {
      const response = await this.fetch(address, { method, headers, body: JSON.stringify(body), signal });
      if (response.ok) return response;
      const retryAfter = /^\d+$/.test(response.headers.get("retry-after") ?? "")
        ? Number(response.headers.get("retry-after"))
        : undefined;
      return new AnswerError(response.status, await response.json().catch(() => null), retryAfter);
    } catch (error) {
      return new ConnectionFailed(`Memsite did not answer: ${error.message}`, { cause: error });
    }
  }
}

class Memories {
  constructor(memsite) {
    this.memsite = memsite;
  }

  /** Add a memory; one that is known is strengthened, so that a repeated request adds none. */
  add(content, fields = {}) {
    return this.memsite.request("POST", "/api/memories", { body: { content, ...fields }, repeatable: true });
  }

  /** Add up to 1,000 memories in one transaction. */
  addMany(memories) {
    return this.memsite.request("POST", "/api/memories/batch", { body: { memories }, repeatable: true });
  }

  /** Search; the best memories come first. */
  search(query, options = {}) {
    const body = { query, ...options };
    return this.memsite.request("POST", "/api/memories/search", { body, repeatable: true });
  }

  /** A page of memories, newest first. */
  list(query = {}) {
    return this.memsite.request("GET", "/api/memories", { query });
  }

  /** Yield the memories of all pages. */
  all(query = {}) {
    return pages((cursor) => this.list({ page_size: 200, ...query, cursor }));
  }

  get(id) {
    return this.memsite.request("GET", `/api/memories/${id}`);
  }

  /** Change a memory; a new `content` makes a successor. */
  change(id, changes) {
    const repeatable = changes.mode !== "append";
    return this.memsite.request("PATCH", `/api/memories/${id}`, { body: changes, repeatable });
  }

  forget(id) {
    return this.memsite.request("DELETE", `/api/memories/${id}`, { repeatable: true });
  }

  /** Erase a memory for good. */
  erase(id) {
    return this.memsite.request("DELETE", `/api/memories/${id}`, { query: { erase: "true" } });
  }

  restore(id) {
    return this.memsite.request("POST", `/api/memories/${id}/restore`);
  }

  undo(batchId) {
    return this.memsite.request("POST", "/api/memories/undo", { body: { batch_id: batchId } });
  }

  history(id) {
    return this.memsite.request("GET", `/api/memories/${id}/history`);
  }

  stats() {
    return this.memsite.request("GET", "/api/memories/stats");
  }
}

class Threads {
  constructor(memsite) {
    this.memsite = memsite;
  }

  /** Create a thread; with an `external_id` that a thread has already, return that thread. */
  create(fields = {}) {
    const repeatable = fields.external_id !== undefined;
    return this.memsite.request("POST", "/api/threads", { body: fields, repeatable });
  }

  list(query = {}) {
    return this.memsite.request("GET", "/api/threads", { query });
  }

  get(id) {
    return this.memsite.request("GET", `/api/threads/${id}`);
  }

  delete(id) {
    return this.memsite.request("DELETE", `/api/threads/${id}`);
  }

  /** Add a message; with your own `client_id`, one that was added already is not added again. */
  append(id, message) {
    const body = { client_id: crypto.randomUUID(), ...message };
    return this.memsite.request("POST", `/api/threads/${id}/messages`, { body, repeatable: true });
  }

  /** Add up to 1,000 messages, all or none. */
  appendMany(id, messages) {
    const body = { messages: messages.map((message) => ({ client_id: crypto.randomUUID(), ...message })) };
    return this.memsite.request("POST", `/api/threads/${id}/messages`, { body, repeatable: true });
  }

  messages(id, query = {}) {
    return this.memsite.request("GET", `/api/threads/${id}/messages`, { query });
  }

  /** Yield the messages of all pages, oldest first. */
  allMessages(id, query = {}) {
    return pages((cursor) => this.messages(id, { page_size: 200, ...query, cursor }));
  }

  /** Learn from all waiting messages now. */
  close(id) {
    return this.memsite.request("POST", `/api/threads/${id}/close`, { repeatable: true });
  }
}

async function* pages(load) {
  for (let cursor; ; ) {
    const page = await load(cursor);
    yield* page.results;
    if (!page.next) return;
    cursor = new URL(page.next).searchParams.get("cursor");
  }
}

async function* watch(body, heard) {
  for await (const piece of body) {
    heard();
    yield piece;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnexpectedAnswer("an event has another shape than expected", { cause: error });
  }
}

function asMemsiteError(error) {
  const isOurs = error instanceof AnswerError || error instanceof ConnectionFailed || error instanceof UnexpectedAnswer;
  return isOurs ? error : new ConnectionFailed(`the answer was cut: ${error.message}`, { cause: error });
}

function mayTryAgain(error) {
  return error.status === 429 || error.status === 500 || TRANSIENT.has(error.status);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
