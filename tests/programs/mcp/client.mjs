// Connect with the official TypeScript client, add a memory, find it and read it. Prints what it saw as JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, key] = process.argv.slice(2);
const transport = new StreamableHTTPClientTransport(new URL(url), {
  requestInit: { headers: { Authorization: `Bearer ${key}` } },
});
const client = new Client({ name: "ts-probe", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
await client.callTool({ name: "memory", arguments: { action: "add", content: "Alice keeps bees in Porto" } });
const found = await client.callTool({ name: "search", arguments: { query: "What does Alice keep?" } });
const [first] = found.structuredContent.results;
const document = await client.callTool({ name: "fetch", arguments: { id: first.id } });
const profile = await client.readResource({ uri: "memsite://profile" });
console.log(
  JSON.stringify({
    tools: tools.map((tool) => tool.name),
    text: document.structuredContent.text,
    profile: profile.contents[0].text,
  }),
);
await client.close();
