import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import { generateText, simulateReadableStream, stepCountIs, streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";

import { claudeMemory, memsiteMiddleware, memsiteTools } from "../src/ai.js";
import { Memsite } from "../src/index.js";

const { MEMSITE_TEST_URL: url, MEMSITE_TEST_KEY: key } = process.env;
const live = { skip: url && key ? false : "no live site: MEMSITE_TEST_URL and MEMSITE_TEST_KEY are not set" };
const memsite = new Memsite({ url: url ?? "http://127.0.0.1:9", key: key ?? "msk_x" });
const away = new Memsite({ url: "http://127.0.0.1:9", key: "msk_x", retries: 0 });

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finish = (reason) => ({ finishReason: { unified: reason, raw: reason }, usage, warnings: [] });
const said = (text) => ({ content: [{ type: "text", text }], ...finish("stop") });

function wrapped(model, options) {
  return wrapLanguageModel({ model, middleware: memsiteMiddleware({ timeout: 60_000, ...options }) });
}

async function transcript(threadId) {
  const thread = await memsite.threads.create({ external_id: threadId });
  return (await memsite.threads.messages(thread.id)).results.map((message) => message.content);
}

test("the model is given what is known, and the turn is stored", live, async () => {
  const [name, threadId] = [`Zorp${randomUUID().slice(0, 8)}`, randomUUID()];
  await memsite.memories.add(`The name of the ship is ${name}.`);
  const model = new MockLanguageModelV4({ doGenerate: said("A ship.") });
  const { text } = await generateText({
    model: wrapped(model, { memsite, threadId }),
    system: "Be short.",
    prompt: `What is ${name}?`,
  });
  assert.equal(text, "A ship.");
  const [system] = model.doGenerateCalls[0].prompt;
  assert.match(system.content, /^Be short\.\n\nWhat is known/);
  assert.ok(system.content.includes(`The name of the ship is ${name}.`));
  assert.deepEqual(await transcript(threadId), [`What is ${name}?`, "A ship."]);
});

test("a streamed turn is stored", live, async () => {
  const threadId = randomUUID();
  const chunks = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Good " },
    { type: "text-delta", id: "1", delta: "day." },
    { type: "text-end", id: "1" },
    { type: "finish", ...finish("stop") },
  ];
  const model = new MockLanguageModelV4({ doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) });
  const result = streamText({ model: wrapped(model, { memsite, threadId }), prompt: "Hi" });
  assert.equal(await result.text, "Good day.");
  assert.deepEqual(await transcript(threadId), ["Hi", "Good day."]);
});

test("steps of a tool loop have the same block, are searched for once, and are stored once", live, async () => {
  const [name, threadId] = [`Zorp${randomUUID().slice(0, 8)}`, randomUUID()];
  const call = { type: "tool-call", toolCallId: "c1", toolName: "remember" };
  const model = new MockLanguageModelV4({
    doGenerate: [
      { content: [{ ...call, input: JSON.stringify({ fact: `The ship is named ${name}.` }) }], ...finish("tool-calls") },
      said("Kept."),
    ],
  });
  const tools = memsiteTools({ memsite });
  const middled = wrapped(model, { memsite, threadId });
  await generateText({ model: middled, tools, stopWhen: stepCountIs(3), prompt: `Remember ${name}.` });
  const [first, second] = model.doGenerateCalls.map(({ prompt }) => prompt.filter(({ role }) => role === "system"));
  assert.deepEqual(first, second);
  assert.deepEqual(await transcript(threadId), [`Remember ${name}.`, "Kept."]);
  assert.match(await tools.recall.execute({ query: name }, {}), new RegExp(name));
});

test("the model answers while memory is away", async () => {
  const errors = [];
  const onError = (error) => errors.push(error);
  const model = new MockLanguageModelV4({ doGenerate: said("Still here.") });
  const { text } = await generateText({ model: wrapped(model, { memsite: away, threadId: "t", onError }), prompt: "Hi" });
  assert.equal(text, "Still here.");
  assert.equal(errors.length, 2);
  assert.match(await memsiteTools({ memsite: away, onError }).recall.execute({ query: "tea" }, {}), /away/);
  assert.match(await claudeMemory({ memsite: away, onError })({ command: "view", path: "/memories" }), /away/);
});

test("a site that hangs delays an answer by no more than the timeout", async () => {
  const fetch = () => new Promise(() => {});
  const hanging = new Memsite({ url: "http://site", key: "msk_x", fetch });
  const model = new MockLanguageModelV4({ doGenerate: said("Still here.") });
  const middleware = memsiteMiddleware({ memsite: hanging, threadId: "t", timeout: 50, onError: () => {} });
  const started = Date.now();
  await generateText({ model: wrapLanguageModel({ model, middleware }), prompt: "Hi" });
  assert.ok(Date.now() - started < 5_000);
});

test("Claude's memory tool keeps files", live, async () => {
  const execute = claudeMemory({ memsite });
  const folder = `/memories/${randomUUID().slice(0, 8)}`;
  const path = `${folder}/a.txt`;
  const steps = [
    [{ command: "create", path, file_text: "Ann likes tea.\nBob likes rum.\n" }, `File created successfully at: ${path}`],
    [{ command: "create", path, file_text: "x" }, `Error: File ${path} already exists`],
    [{ command: "insert", path, insert_line: 1, insert_text: "Eve likes milk." }, `The file ${path} has been edited.`],
    [
      { command: "view", path, view_range: [2, -1] },
      `Here's the content of ${path} with line numbers:\n     2\tEve likes milk.\n     3\tBob likes rum.\n     4\t`,
    ],
    [{ command: "rename", old_path: path, new_path: `${folder}/b.txt` }, `Successfully renamed ${path} to ${folder}/b.txt`],
    [{ command: "view", path: "/memories/../etc" }, "Error: Path /memories/../etc would escape /memories directory"],
    [{ command: "delete", path: folder }, `Successfully deleted ${folder}`],
    [{ command: "delete", path: folder }, `Error: The path ${folder} does not exist`],
  ];
  for (const [command, answer] of steps) assert.equal(await execute(command), answer);
});
