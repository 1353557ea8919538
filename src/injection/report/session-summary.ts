import type { Project } from "../../project/project.js";
import type { NotedInjections } from "../../observer/spool/spool.js";
import type { Reader } from "../../storage/storage.js";
import type { InjectionPoint } from "../injection.js";
import { countLeftBehind, listNotedRows, listInjectedInto, type InjectionRow } from "../record/injection-queries.js";
import type { Use } from "../record/use-of.js";

/** What a session was told and made of it, and what it leaves behind. */
export interface SessionSummary {
  sessionId: string;
  /** How many memories it was told. */
  told: number;
  /** How many files came along. */
  files: number;
  /** What all of it took, files included. */
  tokens: number;
  /** How many of the memories it used. */
  used: number;
  cited: number;
  followed: number;
  /** About; `savedTokens()` says how that is counted. */
  savedTokens: number;
  /** Memories that observing it, or what was said in it, led to. */
  learned: number;
  /** Memories that wait for a person, whether they were learned or asked for. */
  waiting: number;
  /** Memories that it was asked to remember. */
  remembered: number;
  /** What it was told, each once, in the order of time. */
  memories: { id: string; citationText: string; used?: Use; why: string; point: InjectionPoint }[];
}

/**
 * Sums up a session that was taken in, or as much of one that goes on as is noted of it; undefined where nothing of it is
 * known. Whether something was used is seen at its end.
 */
export async function sessionSummary(
  reader: Reader,
  project: Project,
  sessionId: string,
  noted: NotedInjections,
): Promise<SessionSummary | undefined> {
  const rows = [...(await listInjectedInto(reader, project, sessionId)), ...(await listNotedRows(reader, noted))];
  const known = await countLeftBehind(reader, project, sessionId);
  if (!known && noted.steps === 0 && noted.injected.length === 0) return undefined;
  const left = known ?? { learned: 0, waiting: 0, remembered: 0 };
  const memories = onceEach(rows);
  const injections = [...new Map(rows.map((row) => [row.injection, row])).values()];
  const cited = memories.filter(({ used }) => used === "cited").length;
  const followed = memories.filter(({ used }) => used === "followed").length;
  return {
    sessionId,
    told: memories.length,
    files: injections.map(({ files }) => files).reduce(add, 0),
    tokens: injections.map(({ tokens }) => tokens).reduce(add, 0),
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
function onceEach(rows: readonly InjectionRow[]): SessionSummary["memories"] {
  const byId = new Map<string, SessionSummary["memories"][number]>();
  for (const { point, memory } of rows) {
    if (!memory || (byId.has(memory.id) && !memory.used)) continue;
    const { id, citationText, why, used } = memory;
    byId.set(id, { id, citationText, ...(used && { used }), why, point });
  }
  return [...byId.values()];
}
