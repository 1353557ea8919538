import { existsSync, readFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { MemoryError, type TacitMemory } from "../../src/index.js";
import { newText, openStage, putShared, type Stage, type Watched } from "./change-stage.js";
import { expectedOf, type Effect, type WritingVerb } from "./writing-verb.js";

/** What a verb did, as far as those who follow changes could see it. */
export interface Trace {
  /** Of the memory that it is about. */
  before: State;
  /** When the verb has answered, and nobody has had time to follow. */
  answered: State;
  after: State;
  watched: Watched[];
  text: string;
  embedded: string[];
  asked: string[];
  isFound: boolean;
  isInFile: boolean;
  isLookedAt: boolean;
  isUsedBefore: boolean;
}

/** How a memory stands in the database. */
interface State {
  isThere: boolean;
  isLinked: boolean;
  isConcept: boolean;
  isEmbedded: boolean;
  uses: number;
  /** In how many tables something of it is left. */
  traces: number;
}

/**
 * Performs a verb on a stage of its own, with what it needs prepared by a process that is over, and tells what became of the
 * memory once the process has ended, too.
 */
export async function performVerb(verb: WritingVerb): Promise<Trace> {
  const stage = await openStage();
  try {
    return await performOn(stage, verb);
  } finally {
    await stage.close();
  }
}

async function performOn(stage: Stage, verb: WritingVerb): Promise<Trace> {
  const first = await stage.open();
  const given = (await verb.given?.(first, stage)) ?? undefined;
  await first.embedPending();
  await first.close();
  await stage.clear();

  const memory = await stage.open(verb.now ? { now: verb.now } : {});
  const keyBefore = await keyOf(stage, given);
  const before = await stateOf(stage, keyBefore);
  const isUsedBefore = given !== undefined && (await use(memory, stage, keyBefore));
  await leaveSharedFile(memory, stage);
  const id = (await verb.act(memory, stage, given ?? "")) ?? given ?? "";
  const key = id === given ? keyBefore : await keyOf(stage, id);
  const answered = await stateOf(stage, key);
  // One that the verb has closed looks at nothing.
  const notices = await memory.store.notices().catch((error: unknown) => {
    if (error instanceof MemoryError && error.code === "store-closed") return [];
    throw error;
  });
  const text = verb.text ?? newText;
  // A while after the change, so that many of them are one call.
  if (expectedOf(verb, "embedding").outcome === "reached") {
    const check = async () => expect((await stateOf(stage, key)).isEmbedded).toBe(true);
    await vi.waitFor(check, { interval: 10, timeout: 10_000 }).catch(() => undefined);
  }
  await memory.close();

  const isInFile = existsSync(stage.memoryFile) && readFileSync(stage.memoryFile, "utf8").includes(text);
  const after = await stateOf(stage, key);
  const watched = (await stage.watched()).filter((one) => one.key === key || one.what === "counted");
  const [embedded, asked] = [[...stage.embedded()], [...stage.asked()]];
  return {
    before: key === keyBefore ? before : absent,
    answered,
    after,
    watched,
    text,
    embedded,
    asked,
    isFound: await isFound(stage, verb, id, text),
    isInFile,
    isLookedAt: notices.some((notice) => notice.includes(".tacit/memories")),
    isUsedBefore,
  };
}

const absent: State = {
  isThere: false,
  isLinked: false,
  isConcept: false,
  isEmbedded: false,
  uses: 0,
  traces: 0,
};

async function keyOf({ rows }: Stage, id = ""): Promise<number> {
  const [row] = await rows("SELECT key FROM memories WHERE id = :id", { id });
  return Number(row?.["key"] ?? -1);
}

async function stateOf({ rows }: Stage, key: number): Promise<State> {
  const [row] = await rows(
    `SELECT m.uses_since_correction AS uses, m.embedded_by IS NOT NULL AS embedded,
       m.graph_nodes LIKE '%"pattern:retry"%' AS concept,
       EXISTS (SELECT 1 FROM memory_relations AS r
         WHERE r.memory_key = m.key AND r.kind = 'documents' AND r.automatic = 1 AND r.target_file LIKE '%#chargeCard') AS linked
     FROM memories AS m WHERE m.key = :key`,
    { key },
  );
  const [left] = await rows(`SELECT ${tables.map(countSql).join(" + ")} AS traces`, { key });
  return {
    isThere: row !== undefined,
    isLinked: row?.["linked"] === 1,
    isConcept: row?.["concept"] === 1,
    isEmbedded: row?.["embedded"] === 1,
    uses: Number(row?.["uses"] ?? 0),
    traces: Number(left?.["traces"]),
  };
}

const tables = [
  "memory_changes",
  "memory_names",
  "memory_facets",
  "memory_relations",
  "memory_grounds",
  "memory_drift",
  "memory_vectors",
  "contradiction_checks",
];

function countSql(table: string): string {
  return `(SELECT count(*) FROM ${table} WHERE memory_key = :key)`;
}

/** Somebody finds the memory, and that is not counted yet when the verb is performed. */
async function use(memory: TacitMemory, { rows }: Stage, key: number): Promise<boolean> {
  const [row] = await rows("SELECT id, content FROM memories WHERE key = :key", { key });
  const found = await memory.recall(String(row?.["content"]), { mode: "words" });
  return found.some((result) => result.memory.id === row?.["id"]);
}

/** After the folder was looked at, and within the second for which nobody looks again unless a change makes them. */
async function leaveSharedFile(memory: TacitMemory, { root }: Stage): Promise<void> {
  await memory.store.notices();
  putShared(root, "broken.md", "---\ntype: [\n---\n\nx\n");
}

async function isFound(stage: Stage, { now }: WritingVerb, id: string, text: string): Promise<boolean> {
  const memory = await stage.open({ embedder: null, languageModel: null, ...(now && { now }) });
  const found = await memory.recall(text, { mode: "words", includeUnverified: true, limit: 20 });
  await memory.close();
  return found.some((result) => result.memory.id === id && result.memory.content.includes(text));
}

/** What became of one of those who follow: `half …` where only a part of it happened. */
export function outcomeOf(effect: Effect, trace: Trace): string {
  const { before, answered, after, watched, text, asked } = trace;
  const has = (what: Watched["what"]) => watched.some((one) => one.what === what);
  const changed = (was: boolean, is: boolean) => (was === is ? "untouched" : is ? "reached" : "gone");
  if (!after.isThere && !["memory-file", "share"].includes(effect)) return after.traces === 0 ? "gone" : "half gone";
  switch (effect) {
    case "history":
      return has("noted") || has("born") ? "reached" : "untouched";
    case "words":
      return !trace.isFound ? "gone" : has("born") || isTextNoted(trace) ? "reached" : "untouched";
    case "links":
      // In the transaction itself: whoever reads next sees them.
      return answered.isLinked ? (has("linked") ? "reached" : "untouched") : changed(before.isLinked, after.isLinked);
    case "concepts":
      return changed(before.isConcept, answered.isConcept);
    case "embedding":
      if (trace.embedded.some((one) => one.includes(text))) return after.isEmbedded ? "reached" : "half made";
      return answered.isEmbedded === before.isEmbedded ? "untouched" : "gone";
    case "grounding": {
      const nodes = watched.filter(({ what }) => what === "grounded").map(({ detail }) => detail);
      const isDone = nodes.indexOf("?") === 0 && nodes.includes("");
      return nodes.length === 0 ? "untouched" : isDone ? "reached" : `half done: ${JSON.stringify(nodes)}`;
    }
    case "contradictions": {
      const isAsked = asked.some((question) => question.startsWith("Newer:") && newerOf(question).includes(text));
      return has("checked") ? (isAsked ? "reached" : "noted") : isAsked ? "half done: asked" : "untouched";
    }
    case "memory-file":
      return !has("counted") ? "untouched" : trace.isInFile ? "reached" : "counted";
    case "share":
      return trace.isLookedAt ? "reached" : "untouched";
    case "counters":
      return trace.isUsedBefore && after.uses === 0 ? "reached" : "untouched";
    default:
      return effect satisfies never;
  }
}

function newerOf(question: string): string {
  return question.split("\n\nOlder 1:")[0] ?? "";
}

function isTextNoted({ watched }: Trace): boolean {
  return watched.some(({ what, detail }) => what === "noted" && detail.includes('"content":'));
}
