// Standard Webhooks' own library verifies what the site really sends.
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";

const site = process.env.MEMSITE_TEST_URL;
const headers = {
  Authorization: `Bearer ${process.env.MEMSITE_TEST_ADMIN_KEY}`,
  "content-type": "application/json",
};

async function call(method, path, body) {
  const answer = await fetch(site + path, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.status === 204 ? null : answer.json();
}

test("a delivery is verified, and a changed one is not", async () => {
  const received = [];
  let arrive;
  const arrived = new Promise((done) => (arrive = done));
  const receiver = http.createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      received.push({ body: Buffer.concat(pieces).toString(), headers: request.headers });
      response.writeHead(204).end();
      arrive();
    });
  });
  await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${receiver.address().port}/hook`;
  const made = await call("POST", "/api/webhooks", { url, types: ["thread.created"], payload: "thin" });
  assert.match(made.secret, /^whsec_/);
  const thread = await call("POST", "/api/threads", {});
  await arrived;
  const { body, headers: sent } = received[0];
  const event = new Webhook(made.secret).verify(body, sent);
  assert.equal(event.type, "thread.created");
  assert.equal(event.data.thread, thread.id);
  assert.throws(() => new Webhook(made.secret).verify(body.replace("created", "deleted"), sent));
  await call("DELETE", `/api/webhooks/${made.id}`);
  receiver.close();
});
