// Compiled, never run: the types fit those of the AI SDK.
import { wrapLanguageModel, type LanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { AnswerError, Memsite, webhooks } from "../src/index.js";
import { claudeMemory, memsiteMiddleware, memsiteTools } from "../src/ai.js";

const memsite = new Memsite({ url: "http://127.0.0.1:8000", key: "msk_x" });
export const model: LanguageModel = wrapLanguageModel({
  model: new MockLanguageModelV4(),
  middleware: memsiteMiddleware({ memsite, threadId: "chat-7" }),
});
export const tools = memsiteTools({ memsite });
export const execute: (command: { command: "delete"; path: string }) => Promise<string> = claudeMemory({ memsite });
export async function first(): Promise<string> {
  for await (const event of memsite.events({ after: 1 })) return event.type;
  const found = await memsite.memories.search("tea");
  return found.memories[0].content;
}
export const verified: unknown = webhooks.verify("{}", new Headers(), "whsec_");
export const code = (error: AnswerError): string => error.code;
