import assert from "node:assert/strict";
import { test } from "node:test";

import { AnswerError, ConnectionFailed, Memsite, UnexpectedAnswer, WebhookInvalid, webhooks } from "../src/index.js";
import { readEvents } from "../src/sse.js";

/** A client of a scripted site: one step a request. */
function scripted(...steps) {
  const requests = [];
  const pauses = [];
  const fetch = async (url, init) => {
    requests.push({ url, ...init, json: init.body === undefined ? undefined : JSON.parse(init.body) });
    const step = steps.shift();
    if (step instanceof Error) throw step;
    return step;
  };
  const sleep = async (milliseconds) => void pauses.push(milliseconds);
  return { memsite: new Memsite({ url: "http://site/", key: "msk_x", user: "ann", fetch, sleep }), requests, pauses };
}

const json = (body, init) => Response.json(body, init);
const refusal = (status, code, headers) => json({ code, message: "No.", detail: null }, { status, headers });

function stream(text, { breaks = false } = {}) {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (!breaks) controller.close();
    },
    pull(controller) {
      if (breaks) controller.error(new Error("cut"));
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

const event = (id) => `id: ${id}\nevent: memory.created\ndata: {"id": ${id}, "type": "memory.created"}\n\n`;

test("the key and the user are sent", async () => {
  const { memsite, requests } = scripted(json({ total: 1 }));
  assert.deepEqual(await memsite.memories.stats(), { total: 1 });
  assert.deepEqual(requests[0].headers, { Authorization: "Bearer msk_x", "Memsite-User": "ann" });
});

test("a lost answer to a repeatable request is asked for again, with the same id", async () => {
  const { memsite, requests } = scripted(new TypeError("cut"), refusal(503, "unavailable"), json({ id: "m" }));
  await memsite.threads.append("t", { role: "user", content: "Hi" });
  assert.deepEqual(requests[0].json, requests[2].json);
  assert.ok(requests[0].json.client_id);
});

test("the server says how long to wait", async () => {
  const { memsite, pauses } = scripted(refusal(429, "too_many_requests", { "Retry-After": "7" }), json({}));
  await memsite.memories.stats();
  assert.deepEqual(pauses, [7_000]);
});

test("a long wait is left to the caller", async () => {
  const { memsite } = scripted(refusal(429, "too_many_requests", { "Retry-After": "3600" }));
  await assert.rejects(memsite.memories.stats(), (error) => error.retryAfter === 3_600);
});

test("a thread without an id is not created twice", async () => {
  const { memsite, requests } = scripted(new TypeError("cut"));
  await assert.rejects(memsite.threads.create({ title: "Boats" }), ConnectionFailed);
  assert.equal(requests.length, 1);
});

test("a refusal has a code", async () => {
  const { memsite } = scripted(refusal(404, "not_found"));
  await assert.rejects(memsite.memories.get("m"), (error) => error instanceof AnswerError && error.code === "not_found");
});

test("an answer of another program is an error of the client", async () => {
  const { memsite } = scripted(new Response("<html>"));
  await assert.rejects(memsite.memories.stats(), UnexpectedAnswer);
});

test("pages are followed by their cursor", async () => {
  const { memsite, requests } = scripted(
    json({ results: [1], next: "http://inner/api/memories?cursor=c2" }),
    json({ results: [2], next: null }),
  );
  assert.deepEqual(await Array.fromAsync(memsite.memories.all()), [1, 2]);
  assert.equal(requests[1].url.searchParams.get("cursor"), "c2");
});

test("events go on after the last one seen", async () => {
  const { memsite, requests, pauses } = scripted(
    stream(`retry: 100\nid: 4\n\n${event(5)}`, { breaks: true }),
    new TypeError("away"),
    refusal(503, "unavailable"),
    stream(event(6)),
  );
  const numbers = [];
  for await (const found of memsite.events()) {
    numbers.push(found.id);
    if (numbers.length === 2) break;
  }
  assert.deepEqual(numbers, [5, 6]);
  assert.deepEqual(requests.map(({ url }) => url.searchParams.get("after")), [null, "5", "5", "5"]);
  assert.equal(pauses[0], 100);
});

test("a refused stream of events throws", async () => {
  const { memsite } = scripted(refusal(401, "not_authenticated"));
  await assert.rejects(memsite.events().next(), AnswerError);
});

test("an answer is streamed, and a cut one throws", async () => {
  const begun = 'event: begun\ndata: {}\n\nevent: delta\ndata: {"text": "Hi"}\n\n';
  const whole = scripted(stream(`${begun}event: ended\ndata: {}\n\n`)).memsite;
  const events = await Array.fromAsync(whole.streamReply("t", "Hello"));
  assert.deepEqual(events.map((one) => one.event), ["begun", "delta", "ended"]);
  await assert.rejects(Array.fromAsync(scripted(stream(begun)).memsite.streamReply("t", "Hello")), ConnectionFailed);
});

test("pieces may be cut anywhere", async () => {
  const bytes = new TextEncoder().encode("id: 2\r\nevent: x\r\ndata: 记\r\ndata: 忆\r\n\r\n");
  const found = await Array.fromAsync(readEvents([...bytes].map((byte) => Uint8Array.of(byte))));
  assert.deepEqual(found, [{ name: "x", data: "记\n忆", id: "2", retry: null }]);
});

test("webhooks: the example of the standard is valid, anything else is not", () => {
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = '{"test": 2432232314}';
  assert.deepEqual(webhooks.verify(body, new Headers(headers), secret, { now: 1614265330 }), { test: 2432232314 });
  for (const change of [{ "webhook-signature": "v1,AAAA" }, { "webhook-id": "" }, { "webhook-timestamp": "1" }]) {
    assert.throws(() => webhooks.verify(body, { ...headers, ...change }, secret, { now: 1614265330 }), WebhookInvalid);
  }
});
