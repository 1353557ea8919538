import * as z from "zod";
import type { RecallOptions, TacitMemory } from "../../index.js";
import { quote, quoteLines } from "./quote.js";
import { files, phase, quoted, said, memoryHeaderSchema as toldMemorySchema, types } from "./schemas.js";
import { countOf } from "../../base/count-of.js";
import { resolveNamedFile } from "../../base/files/files.js";
import { memoryHeader } from "./memory-header.js";
import { answer, asks, defineTool, type ToolAnswer } from "./tool.js";

// What a model reads through; it asks again for more.
const defaultLimit = 8;
export const maxResults = 50;

export const recallTool = defineTool({
  name: "recall",
  title: "Recall",
  description:
    "Find what is remembered about a question, best first: decisions, traps, fixes, conventions and preferences. Ask before you start, and when something puzzles you.",
  input: z.object({
    query: z.string().describe("A question or some words"),
    limit: z.number().int().min(1).max(maxResults).optional().describe(`Default ${defaultLimit}`),
    types,
    files: files.describe("The files you are working on: what is known about them counts more"),
    phase,
  }),
  output: z.object({ said, memories: z.array(toldMemorySchema), quoted }),
  annotations: asks,
  call: async ({ query, limit = defaultLimit, types: wanted, files: named, phase: doing }, context) =>
    recall(context, query, {
      limit,
      ...(wanted && { types: wanted }),
      ...(named && { recentFiles: named.map((file) => resolveNamedFile(file, context.directory)) }),
      ...(doing && { phase: doing }),
    }),
});

/** What is remembered about a question, for a model. */
export async function recall(
  { memory }: { memory: () => Promise<Pick<TacitMemory, "recallReport">> },
  query: string,
  options: RecallOptions,
): Promise<ToolAnswer> {
  const { results, notes } = await (await memory()).recallReport(query, options);
  if (results.length === 0) {
    // Why nothing was found matters to whoever expected something; beside an answer it only takes room.
    return answer({
      said: "Nothing is remembered about this.",
      memories: [],
      quoted: await quoteLines(notes, "recall"),
    });
  }
  const { text, included, leftOut } = await quote(results, { point: "recall" });
  const told = results.filter((result) => included.includes(result.memory.id));
  const more = leftOut === 0 ? [] : [`${leftOut} more did not fit: ask for something narrower.`];
  return answer(
    {
      said: [`${countOf(told.length, "memory")}, best first.`, ...more].join(" "),
      memories: told.map((one) => memoryHeader(one)),
      quoted: text,
    },
    more.join(""),
  );
}
