import type { Project } from "../../memory/projects.js";
import type { Reader } from "../../storage/storage.js";
import type { InjectionPoint } from "../injection.js";
import { countLeftBehind, listToldTo, type ToldRow } from "./injection-queries.js";
import type { Use } from "./use-of.js";

/** What a session was told and made of it, and what it leaves behind. */
export interface SessionSummary {
  sessionId: string;
  /** How many memories it was told. */
  told: number;
  /** What all of it took, files included. */
  tokens: number;
  /** How many of the memories it used. */
  used: number;
  cited: number;
  followed: number;
  /** About; `savedTokens()` says how that is counted. */
  savedTokens: number;
  /** Memories that observing led to, those that speak and those that wait for a person. */
  learned: number;
  waiting: number;
  /** Memories that the agent or its user stated. */
  remembered: number;
  /** What it was told, each once, in the order of time. */
  memories: { id: string; citationText: string; used?: Use; why: string; point: InjectionPoint }[];
}

/** Sums up a session that was taken in; undefined where nothing of it is known. */
export async function sessionSummary(
  reader: Reader,
  project: Project,
  sessionId: string,
): Promise<SessionSummary | undefined> {
  const rows = await listToldTo(reader, project, sessionId);
  const left = await countLeftBehind(reader, project, sessionId);
  if (!left) return undefined;
  const memories = onceEach(rows);
  const cited = memories.filter(({ used }) => used === "cited").length;
  const followed = memories.filter(({ used }) => used === "followed").length;
  return {
    sessionId,
    told: memories.length,
    tokens: [...new Map(rows.map(({ injection, tokens }) => [injection, tokens])).values()].reduce(add, 0),
    used: cited + followed,
    cited,
    followed,
    savedTokens: rows.map(({ memory }) => memory?.savedTokens ?? 0).reduce(add, 0),
    ...left,
    memories,
  };
}

function add(a: number, b: number): number {
  return a + b;
}

/** Where a memory was told twice, as it was when it was used. */
function onceEach(rows: readonly ToldRow[]): SessionSummary["memories"] {
  const byId = new Map<string, SessionSummary["memories"][number]>();
  for (const { point, memory } of rows) {
    if (!memory || (byId.has(memory.id) && !memory.used)) continue;
    const { id, citationText, why, used } = memory;
    byId.set(id, { id, citationText, ...(used && { used }), why, point });
  }
  return [...byId.values()];
}
