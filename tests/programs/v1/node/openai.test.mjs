// OpenAI's own client for JavaScript against /v1 of a running site.
import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: `${process.env.MEMSITE_TEST_URL}/v1`, apiKey: process.env.MEMSITE_TEST_KEY });
const parameters = { type: "object", properties: { amount: { type: "integer" } } };
const say = (text) => [{ role: "user", content: `${text} (${crypto.randomUUID()})` }];

test("models are listed", async () => {
  const ids = [];
  for await (const model of client.models.list()) ids.push(model.id);
  assert.equal(ids[0], "scripted");
});

test("a chat is parsed whole, with our headers", async () => {
  const { data, response } = await client.chat.completions
    .create({ model: "memsite", messages: say("Hello") })
    .withResponse();
  assert.match(data.choices[0].message.content, /^I hear you say: Hello/);
  assert.equal(response.headers.get("x-request-id"), data._request_id);
  assert.ok(response.headers.get("memsite-thread"));
});

test("a chat is streamed, with its usage", async () => {
  const chunks = [];
  const asked = { model: "memsite", messages: say("Hello"), stream: true, stream_options: { include_usage: true } };
  for await (const chunk of await client.chat.completions.create(asked)) chunks.push(chunk);
  assert.match(chunks.map((one) => one.choices[0]?.delta?.content ?? "").join(""), /^I hear you say: Hello/);
  assert.equal(chunks.at(-1).usage.total_tokens, 15);
});

test("a tool is called and its result answered", async () => {
  const runner = client.chat.completions.runTools({
    model: "memsite",
    messages: say("Add 7"),
    tools: [
      {
        type: "function",
        function: { name: "add", parameters, parse: JSON.parse, function: ({ amount }) => `It is ${amount + 5}.` },
      },
    ],
  });
  assert.equal(await runner.finalContent(), "The tool says: It is 12.");
});

test("a failed request is repeated", async () => {
  const { response } = await client.chat.completions
    .create({ model: "flaky-500", messages: say("Try") })
    .withResponse();
  assert.equal(response.status, 200);
});

test("failures have their classes", async () => {
  const once = { maxRetries: 0 };
  const ask = (model) => client.chat.completions.create({ model, messages: say("Hello") }, once);
  await assert.rejects(ask("fails-400"), OpenAI.BadRequestError);
  await assert.rejects(ask("fails-429"), OpenAI.RateLimitError);
  await assert.rejects(ask("fails-500"), OpenAI.InternalServerError);
  await assert.rejects(client.responses.retrieve("resp_0"), OpenAI.NotFoundError);
});

test("embeddings are decoded", async () => {
  const found = await client.embeddings.create({ model: "any", input: ["a cat"] });
  const plain = await client.embeddings.create({ model: "any", input: ["a cat"], encoding_format: "float" });
  const distance = found.data[0].embedding.map((one, place) => Math.abs(one - plain.data[0].embedding[place]));
  assert.ok(Math.max(...distance) < 1e-5);
});

test("responses continue each other, whole and streamed", async () => {
  const first = await client.responses.create({ model: "memsite", input: "One" });
  assert.equal(first.output_text, "I hear you say: One");
  const stream = client.responses.stream({ model: "memsite", input: "Two", previous_response_id: first.id });
  const kinds = [];
  for await (const event of stream) kinds.push(event.type);
  assert.deepEqual([kinds[0], kinds.at(-1)], ["response.created", "response.completed"]);
  assert.equal((await stream.finalResponse()).output_text, "I hear you say: Two");
});

test("a conversation keeps its items", async () => {
  const made = await client.conversations.create({ items: [{ role: "user", content: "One" }] });
  await client.responses.create({ model: "memsite", input: "Two", conversation: made.id });
  const texts = [];
  for await (const item of client.conversations.items.list(made.id, { order: "asc", limit: 2 }))
    texts.push(item.content[0].text);
  assert.deepEqual(texts, ["One", "Two", "I hear you say: Two"]);
});
