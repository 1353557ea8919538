import * as z from "zod";
import type { RecallOptions } from "../index.js";
import { quote, quoteLines } from "./quoted.js";
import { files, phase, quoted, toldMemory as toldMemorySchema, types } from "./schemas.js";
import { seenFrom } from "./seen-from.js";
import { toldMemory } from "./told-memory.js";
import { asks, defineTool, type CallContext, type ToolAnswer } from "./tool.js";

// What a model reads through; it asks again for more.
const defaultLimit = 8;
export const mostResults = 50;

export const recallTool = defineTool({
  name: "recall",
  title: "Recall",
  description:
    "Find what is remembered about a question, best first: decisions, traps, fixes, conventions and preferences. Ask before you start, and when something puzzles you.",
  input: z.object({
    query: z.string().describe("A question or some words"),
    limit: z.number().int().min(1).max(mostResults).optional().describe(`Default ${defaultLimit}`),
    types,
    files: files.describe("The files you are working on: what is known about them counts more"),
    phase,
  }),
  output: z.object({ memories: z.array(toldMemorySchema), quoted }),
  annotations: asks,
  call: async ({ query, limit = defaultLimit, types: wanted, files: named, phase: doing }, context) =>
    recall(context, query, {
      limit,
      ...(wanted && { types: wanted }),
      ...(named && { recentFiles: named.map((file) => seenFrom(context.directory, file)) }),
      ...(doing && { phase: doing }),
    }),
});

/** What is remembered about a question, for a model. */
async function recall({ memory }: CallContext, query: string, options: RecallOptions): Promise<ToolAnswer> {
  const { results, notes } = await (await memory()).recallReport(query, options);
  if (results.length === 0) {
    // Why nothing was found matters to whoever expected something; beside an answer it only takes room.
    const said = notes.length > 0 ? `\n${await quoteLines(notes, "recall")}` : "";
    return { text: `Nothing is remembered about this.${said}`, structured: { memories: [], quoted: "" } };
  }
  const block = await quote(results, { point: "recall" });
  const told = results.filter((result) => block.includes(`#${result.memory.id.slice(-8)}`));
  const left = results.length - told.length;
  const more = left === 0 ? "" : `\n${left} more did not fit: ask for something narrower.`;
  return { text: `${block}${more}`, structured: { memories: told.map((one) => toldMemory(one)), quoted: block } };
}
