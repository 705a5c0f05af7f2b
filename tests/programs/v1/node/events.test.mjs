// EventSource on /api/events: a hundred connections are cut, and no event is lost or doubled.
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import { EventSource } from "eventsource";

const site = process.env.MEMSITE_TEST_URL;
const headers = { Authorization: `Bearer ${process.env.MEMSITE_TEST_KEY}` };
const CUTS = 100;

// Pass requests on; cut each answer after a number of bytes, which may be in the middle of an event.
function makeCuttingProxy(state) {
  return http.createServer((request, response) => {
    const passed = http.request(site + request.url, { headers: { ...request.headers, host: new URL(site).host } });
    passed.on("error", () => response.destroy());
    passed.on("response", (answer) => {
      response.writeHead(answer.statusCode, { "content-type": answer.headers["content-type"] });
      let room = state.cuts < CUTS ? 60 + ((state.cuts * 137) % 900) : Infinity;
      answer.on("error", () => {});
      answer.on("data", (data) => {
        // The site asks for three seconds before a client connects again; the test has no use for them.
        const piece = Buffer.from(data.toString().replace("retry: 3000", "retry: 10"));
        response.write(piece.subarray(0, room));
        room -= piece.length;
        if (room <= 0 && !response.destroyed) {
          state.cuts += 1;
          setTimeout(() => response.destroy(), 2);
          passed.destroy();
        }
      });
    });
    response.on("close", () => passed.destroy());
    passed.end();
  });
}

async function loadPage(after) {
  const answer = await fetch(`${site}/api/events?wait=0&types=thread.created&after=${after}`, { headers });
  assert.equal(answer.status, 200);
  return answer.json();
}

async function loadAll(after) {
  const found = [];
  for (;;) {
    const page = await loadPage(after);
    found.push(...page.results.map((event) => event.id));
    if (!page.more) return found;
    after = page.last;
  }
}

async function findNewest() {
  let page = await (await fetch(`${site}/api/events?wait=0`, { headers })).json();
  while (page.more) page = await (await fetch(`${site}/api/events?wait=0&after=${page.last}`, { headers })).json();
  return page.last;
}

test("a hundred cuts lose nothing and double nothing", async () => {
  const state = { cuts: 0 };
  const proxy = makeCuttingProxy(state);
  await new Promise((done) => proxy.listen(0, "127.0.0.1", done));
  const start = await findNewest();
  const seen = [];
  const source = new EventSource(
    `http://127.0.0.1:${proxy.address().port}/api/events?types=thread.created&after=${start}`,
    { fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }) },
  );
  source.addEventListener("thread.created", (event) => seen.push(JSON.parse(event.data).id));
  source.addEventListener("reset", () => seen.push("reset"));
  const until = Date.now() + 300_000;
  while (state.cuts < CUTS && Date.now() < until) {
    const made = await fetch(`${site}/api/threads`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: "{}",
    });
    assert.equal(made.status, 201);
  }
  assert.equal(state.cuts, CUTS);
  const all = await loadAll(start);
  while (seen.length < all.length && Date.now() < until) await new Promise((done) => setTimeout(done, 100));
  source.close();
  proxy.close();
  assert.deepEqual(seen, all);
});
