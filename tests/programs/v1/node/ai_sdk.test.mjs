// The AI SDK against /v1 of a running site: Responses, which it uses by default, and chat completions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { embed, generateObject, generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const openai = createOpenAI({
  baseURL: `${process.env.MEMSITE_TEST_URL}/v1`,
  apiKey: process.env.MEMSITE_TEST_KEY,
});
const add = tool({
  inputSchema: z.object({ amount: z.number().int() }),
  execute: ({ amount }) => `It is ${amount + 5}.`,
});

for (const [name, model] of [
  ["responses", openai("scripted")],
  ["chat", openai.chat("scripted")],
]) {
  test(`${name}: a text is generated`, async () => {
    const { text, usage, response } = await generateText({ model, prompt: "Hello" });
    assert.equal(text, "I hear you say: Hello");
    assert.equal(usage.inputTokens, 10);
    assert.ok(response.headers["memsite-thread"]);
  });

  test(`${name}: a text is streamed`, async () => {
    const failures = [];
    const run = streamText({ model, prompt: "Hello", onError: ({ error }) => failures.push(error) });
    let text = "";
    for await (const piece of run.textStream) text += piece;
    assert.deepEqual(failures, []);
    assert.equal(text, "I hear you say: Hello");
    assert.equal(await run.finishReason, "stop");
  });

  test(`${name}: a tool is called and its result answered`, async () => {
    const { text, steps } = await generateText({ model, prompt: "Add 7", tools: { add }, stopWhen: stepCountIs(3) });
    assert.equal(steps.length, 2);
    assert.match(text, /It is 12\./);
  });

  test(`${name}: a tool is called in a stream`, async () => {
    const run = streamText({ model, prompt: "Add 7", tools: { add }, stopWhen: stepCountIs(3) });
    let text = "";
    for await (const piece of run.textStream) text += piece;
    assert.match(text, /It is 12\./);
  });

  test(`${name}: an object fits its schema`, async () => {
    const schema = z.object({ city: z.string(), people: z.number().int() });
    const { object } = await generateObject({ model, schema, prompt: "Name a city with 12 people" });
    assert.deepEqual(object, { city: "the city", people: 12 });
  });

  test(`${name}: a history is sent again`, async () => {
    const messages = [{ role: "user", content: "One" }];
    const first = await generateText({ model, messages });
    messages.push(...first.response.messages, { role: "user", content: "Two" });
    const second = await generateText({ model, messages });
    assert.equal(second.text, "I hear you say: Two");
    assert.equal(second.response.headers["memsite-thread"], first.response.headers["memsite-thread"]);
  });
}

test("responses: a response is continued by its id", async () => {
  const first = await generateText({ model: openai("scripted"), prompt: "One" });
  const previousResponseId = first.providerMetadata.openai.responseId;
  const options = { providerOptions: { openai: { previousResponseId } } };
  const second = await generateText({ model: openai("scripted"), prompt: "Two", ...options });
  assert.equal(second.text, "I hear you say: Two");
  assert.equal(second.response.headers["memsite-thread"], first.response.headers["memsite-thread"]);
});

test("an embedding is made", async () => {
  const { embedding } = await embed({ model: openai.embedding("any"), value: "a cat" });
  assert.ok(embedding.length > 1);
});
