import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { queryWords } from "../../build/base/text/words.js";

// One call with many is its fastest way to add; all of them at once is more than a model would ever send.
const page = 500;
const server = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"));

/**
 * The official MCP memory server, through its tools and a real client: an entity an item. It looks for its query as one
 * piece of text and does not rank, so a `use` of its search tool says which queries are made of a question.
 */
export async function openMcpMemory(use, folder, collection) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    // With its arguments this process hands on that there is no network.
    args: [...process.execArgv, server],
    env: { ...process.env, MEMORY_FILE_PATH: join(folder, `${collection}.jsonl`) },
    stderr: "ignore",
    // The whole graph comes back for a word that is everywhere.
    maxBufferSize: 2 ** 30,
  });
  const client = new Client({ name: "tacit-bench", version: "1.0.0" });
  await client.connect(transport);
  const call = async (name, args) => {
    const answer = await client.callTool({ name, arguments: args }, { timeout: 600_000 });
    if (answer.isError) throw new Error(`${name} failed: ${JSON.stringify(answer.content).slice(0, 300)}`);
    return answer.structuredContent;
  };
  const search = async (query) => (await call("search_nodes", { query })).entities.map(({ name }) => JSON.parse(name));
  return {
    pid: transport.pid,
    async add(items) {
      for (let n = 0; n < items.length; n += page) {
        const entities = items.slice(n, n + page).map(({ id, session, text }) => ({
          name: JSON.stringify(id),
          entityType: session ?? "note",
          observations: [text],
        }));
        await call("create_entities", { entities });
      }
    },
    search: async (question, limit) => (await use(search, question)).slice(0, limit),
    close: async () => client.close(),
  };
}

/** As a model would that takes the tool at its word. */
export async function searchWhole(search, question) {
  return search(question);
}

/**
 * Its best use: a call for each word that means something, the entities with the most and the rarest words first. That
 * order is the caller's: by the number of words alone, R@10 on LoCoMo is 57 instead of 62.
 */
export async function searchByWords(search, question) {
  const weights = new Map();
  for (const { text } of queryWords(question).words) {
    const found = await search(text);
    for (const id of found) weights.set(id, (weights.get(id) ?? 0) + 1 / Math.log2(found.length + 1));
  }
  return [...weights].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
}
