// Let the AI SDK answer by its provider for compatible servers. Arguments: address, key, text.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const [url, apiKey, prompt] = process.argv.slice(2);
const memsite = createOpenAICompatible({ name: "memsite", baseURL: `${url}/v1`, apiKey });
await generateText({ model: memsite("memsite"), prompt });
