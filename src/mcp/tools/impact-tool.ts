import * as z from "zod";
import type { CodeImpact } from "../../index.js";
import { cutLine, quote } from "./quote.js";
import { quoted, said, memoryHeaderSchema as toldMemorySchema } from "./schemas.js";
import { countOf } from "../../base/count-of.js";
import { resolveNamedCode } from "../../base/files/files.js";
import { memoryHeader } from "./memory-header.js";
import { answer, asks, defineTool, type CallContext, type ToolAnswer } from "./tool.js";

// Two pages; whoever needs more names a smaller target.
const maxDependents = 40;
const maxTests = 20;
const maxNames = 8;
const maxMemories = 8;

export const target = z
  .string()
  .describe(
    "A file, a folder or a symbol: src/store.ts, src/memory/, src/store.ts#Store.read, Store.read; or pattern:NAME, decision:NAME",
  );
export const maxDepth = z.number().int().min(1).max(20).optional().describe("How many steps to follow; default 3");

export const impactOutput = z.object({
  said,
  dependents: z.number().describe("How many are named"),
  tests: z.number().describe("How many are named"),
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

/**
 * What depends on a target, or what it needs, for a model: names of files are quoted, too. Memories and tests come first: of
 * the rest an agent learns more by reading code.
 */
export async function answerAbout(
  { memory, directory }: CallContext,
  verb: "impact" | "dependencies",
  asked: { target: string; maxDepth?: number | undefined },
): Promise<ToolAnswer> {
  const depth = asked.maxDepth === undefined ? {} : { depth: asked.maxDepth };
  const opened = await memory();
  const about = resolveNamedCode(asked.target, directory);
  const options = { ...depth, limit: maxDependents };
  const found = await (verb === "impact" ? opened.impact(about, options) : opened.code.dependencies(about, options));
  const linked = found.memories
    .slice(0, maxMemories)
    .map((link) => ({ memory: link.memory, why: `It hangs on ${link.on}.` }));
  const testLines = found.tests.slice(0, maxTests).map(({ file }) => cutLine(`Test to run: ${file}`));
  const dependentLines = found.dependents.map((dependent) => cutLine(lineOf(dependent, sayings[verb].hangs)));
  const block = await quote(linked, {
    point: verb,
    notes: notesOn(found).map(cutLine),
    lines: [...testLines, ...dependentLines],
  });
  const tests = Math.min(block.lines, testLines.length);
  const dependents = block.lines - tests;
  const memories = linked.filter((one) => block.included.includes(one.memory.id)).map((one) => memoryHeader(one));
  const isCut =
    found.isCut ||
    dependents < found.dependents.length ||
    tests < found.tests.length ||
    memories.length < found.memories.length;
  const counted = [
    countOf(dependents, sayings[verb].one),
    ...(tests === 0 ? [] : [`${countOf(tests, "test")} to run`]),
    countOf(memories.length, "memory"),
  ].join(", ");
  return answer({
    said: [
      found.dependents.length === 0 ? `${sayings[verb].nothing} ` : "",
      `Named here: ${counted}.`,
      isCut ? " There is more: ask about something smaller." : "",
    ].join(""),
    dependents,
    tests,
    isCut,
    memories,
    quoted: block.text,
  });
}

const sayings = {
  impact: { one: "dependent", hangs: "depends on it", nothing: "Nothing known depends on it." },
  dependencies: {
    one: "dependency",
    hangs: "is needed by it",
    nothing: "It needs nothing known.",
  },
};

function notesOn({ target: targets, concepts, unresolved, notes }: CodeImpact): string[] {
  const ids = targets.map(({ id }) => id).slice(0, maxNames);
  const names = unresolved.names.slice(0, maxNames).join(", ");
  return [
    `Asked about: ${ids.join(", ")}`,
    ...concepts.slice(0, maxNames).map(describeConcept),
    ...(unresolved.sites === 0 ? [] : [`Calls that could not be resolved: ${unresolved.sites}, by the name ${names}`]),
    ...notes,
  ];
}

const leading = { pattern: "It is built by", decision: "It was decided by" };

function describeConcept({ id, kind, on, isUnverified }: CodeImpact["concepts"][number]): string {
  return `${leading[kind]} ${id}, through ${on}${isUnverified ? " (unverified)" : ""}`;
}

function lineOf({ node, depth, kinds, line, confidence }: CodeImpact["dependents"][number], hangs: string): string {
  const place = line === undefined ? "" : ` (line ${line})`;
  return `Depth ${depth}: ${node.id}${place} ${hangs}: ${kinds.at(-1)}, ${confidence.toFixed(2)}`;
}
