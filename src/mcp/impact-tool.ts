import * as z from "zod";
import type { CodeImpact } from "../index.js";
import { quote } from "./quoted.js";
import { quoted, toldMemory as toldMemorySchema } from "./schemas.js";
import { seenFrom } from "./seen-from.js";
import { toldMemory } from "./told-memory.js";
import { asks, defineTool, type CallContext, type ToolAnswer } from "./tool.js";

// Two pages; whoever needs more names a smaller target.
const mostDependents = 40;
const mostTests = 20;
const mostNames = 8;
const mostMemories = 8;

export const target = z
  .string()
  .describe("A file, a folder or a symbol: src/store.ts, src/memory/, src/store.ts#Store.read, Store.read");
export const maxDepth = z.number().int().min(1).max(20).optional().describe("How many steps to follow; default 3");

export const impactOutput = z.object({
  dependents: z.number().describe("How many are named"),
  tests: z.number(),
  isCut: z.boolean().describe("Whether there are more than are named"),
  memories: z.array(toldMemorySchema),
  quoted,
});

export const impactTool = defineTool({
  name: "impact",
  title: "Impact",
  description:
    "What depends on a file, folder or symbol, nearest first, which tests to run, and what is remembered about it. Ask before you change it.",
  input: z.object({ target, maxDepth }),
  output: impactOutput,
  annotations: asks,
  call: async (asked, context) => answerAbout(context, "impact", asked),
});

/** What depends on a target, or what it needs, for a model: names of files are quoted, too. */
export async function answerAbout(
  { memory, directory }: CallContext,
  verb: "impact" | "dependencies",
  asked: { target: string; maxDepth?: number | undefined },
): Promise<ToolAnswer> {
  const depth = asked.maxDepth === undefined ? {} : { depth: asked.maxDepth };
  const found = await (await memory())[verb](placeOf(directory, asked.target), { ...depth, limit: mostDependents });
  const told = found.memories
    .slice(0, mostMemories)
    .map((link) => ({ memory: link.memory, why: `It hangs on ${link.on}.` }));
  const text = await quote(told, { point: verb, notes: linesOf(found, verb) });
  const { dependents, tests, isCut } = found;
  const memories = told.map((one) => toldMemory(one));
  return {
    text,
    structured: { dependents: dependents.length, tests: tests.length, isCut, memories, quoted: text },
  };
}

/** The file of a target as the agent sees it from where it stands; what it names in the file stays. */
function placeOf(directory: string, named: string): string {
  const sign = named.indexOf("#");
  return sign < 0 ? seenFrom(directory, named) : `${seenFrom(directory, named.slice(0, sign))}${named.slice(sign)}`;
}

function linesOf(found: CodeImpact, verb: "impact" | "dependencies"): string[] {
  const { dependents, tests, unresolved, isCut, notes } = found;
  const [hangs, nothing] =
    verb === "impact"
      ? ["depends on it", "Nothing known depends on it."]
      : ["is needed by it", "It needs nothing known."];
  const more = isCut ? ["There are more than these."] : [];
  return [
    `Asked about: ${found.target
      .map(({ id }) => id)
      .slice(0, mostNames)
      .join(", ")}`,
    ...(dependents.length === 0 ? [nothing] : dependents.map((dependent) => lineOf(dependent, hangs))),
    ...more,
    ...tests.slice(0, mostTests).map(({ file }) => `Test to run: ${file}`),
    ...(unresolved.sites === 0
      ? []
      : [
          `Calls that could not be resolved: ${unresolved.sites}, by the name ${unresolved.names.slice(0, mostNames).join(", ")}`,
        ]),
    ...notes,
  ];
}

function lineOf({ node, depth, kinds, line, confidence }: CodeImpact["dependents"][number], hangs: string): string {
  const place = line === undefined ? "" : ` (line ${line})`;
  return `Depth ${depth}: ${node.id}${place} ${hangs}: ${kinds.at(-1)}, ${confidence.toFixed(2)}`;
}
