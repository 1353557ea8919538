import type { Json } from "../../base/base.js";
import { isPendingReviewSql, soundJsonSql } from "../../memory/record/record.js";
import type { Project } from "../../project/project.js";
import type { NotedInjections } from "../../observer/spool/spool.js";
import type { Reader, Row, Writer } from "../../storage/storage.js";
import type { InjectionPoint } from "../injection.js";
import type { Use } from "./use-of.js";
import { whyInjected } from "./why-injected.js";

/** Which agent of a session; without an id the main one. */
export interface InjectedAgent {
  sessionId: string;
  agentId?: string | undefined;
}

/** An injection as it is kept. `place`: which of its spool's. */
export interface StoredInjection {
  place: number;
  agentId?: string;
  at: string;
  point: InjectionPoint;
  trigger?: string;
  files: number;
  tokens: number;
  /** The agent was not made to sum up since what it had in mind. */
  isInMind: boolean;
  memories: { id: string; tokens: number; used?: Use; savedTokens: number }[];
}

/** Keeps what was told. What is kept already stays as it is, and a memory that was purged meanwhile is left out. */
export async function addInjections(
  writer: Writer,
  project: Project,
  { spoolId, sessionId }: { spoolId: string; sessionId: string },
  injections: readonly StoredInjection[],
): Promise<void> {
  await writer.run(
    `INSERT INTO injections (project_number, session_id, agent_id, spool_id, place, at, point, trigger_name, files, tokens,
       in_mind)
     SELECT :project, :session, i.value ->> 'agentId', :spool, i.value ->> 'place', i.value ->> 'at', i.value ->> 'point',
       i.value ->> 'trigger', i.value ->> 'files', i.value ->> 'tokens', i.value ->> 'isInMind'
     FROM json_each(:injections) AS i WHERE true
     ON CONFLICT (spool_id, place) DO NOTHING`,
    {
      project: BigInt(project.number),
      session: sessionId,
      spool: spoolId,
      injections: JSON.stringify(injections.map(({ memories: _memories, ...injection }) => injection)),
    },
  );
  await writer.run(
    `INSERT INTO injected_memories (injection_number, memory_id, tokens, used, saved_tokens)
     SELECT n.number, m.id, t.value ->> 'tokens', t.value ->> 'used', t.value ->> 'savedTokens'
     FROM json_each(:told) AS t
     CROSS JOIN injections AS n ON n.spool_id = :spool AND n.place = t.value ->> 'place'
     CROSS JOIN memories AS m ON m.id = t.value ->> 'id'
     WHERE true
     ON CONFLICT DO NOTHING`,
    {
      spool: spoolId,
      told: JSON.stringify(injections.flatMap(({ place, memories }) => memories.map((one) => ({ place, ...one })))),
    },
  );
}

/** Notes that what agents of a session were told in other parts of it is no longer in their minds. */
export async function noteSummedUp(
  writer: Writer,
  project: Project,
  { spoolId, sessionId }: { spoolId: string; sessionId: string },
  agentIds: readonly (string | undefined)[],
): Promise<void> {
  await writer.run(
    `UPDATE injections SET in_mind = 0
     WHERE project_number = :project AND session_id = :session AND spool_id <> :spool AND in_mind = 1
       AND EXISTS (SELECT 1 FROM json_each(:agents) AS a WHERE a.value IS injections.agent_id)`,
    { project: BigInt(project.number), session: sessionId, spool: spoolId, agents: JSON.stringify(agentIds) },
  );
}

/** What is known of a memory that was told, as far as it decides whether it was used, and what that saved. */
export interface RecordedMemory {
  id: string;
  type: string;
  relatedFiles: string[];
  data: Record<string, Json>;
  /** What it was made of, if observing led to it: a signal with its subject each. */
  subjects: { signal: string; subject: string }[];
  /** How many characters it took to find out, on average over the sessions where that is known. */
  cost?: number;
}

/** The memories with these ids that are still there; of what they cost, the session itself tells nothing. */
export async function listRecordedMemories(
  reader: Reader,
  ids: readonly string[],
  sessionId: string,
): Promise<Map<string, RecordedMemory>> {
  const rows = await reader.rows(
    `SELECT m.id, m.type, m.related_files, m.data,
       (SELECT json_group_array(json_object('signal', o.signal, 'subject', o.subject))
        FROM observer_subjects AS o WHERE o.memory_id = m.id) AS subjects,
       (SELECT avg(g.data ->> 'cost') FROM observer_subjects AS o
        JOIN observer_sightings AS g ON g.subject_number = o.number AND g.data ->> 'cost' > 0
        JOIN observer_sessions AS s ON s.number = g.session_number AND s.session_id <> :session
        WHERE o.memory_id = m.id) AS cost
     FROM json_each(:ids) AS i CROSS JOIN memories AS m ON m.id = i.value`,
    { ids: JSON.stringify([...new Set(ids)]), session: sessionId },
  );
  return new Map(rows.map((row) => [String(row["id"]), toTold(row)]));
}

function toTold(row: Row): RecordedMemory {
  return {
    id: String(row["id"]),
    type: String(row["type"]),
    relatedFiles: JSON.parse(String(row["related_files"])) as string[],
    data: (row["data"] === null ? {} : JSON.parse(String(row["data"]))) as Record<string, Json>,
    subjects: JSON.parse(String(row["subjects"])) as RecordedMemory["subjects"],
    ...(row["cost"] !== null && { cost: Number(row["cost"]) }),
  };
}

/** The memories that earlier parts of a session were told and used. */
export async function listUsedBefore(reader: Reader, project: Project, sessionId: string): Promise<Set<string>> {
  const rows = await reader.rows(
    `SELECT DISTINCT t.memory_id FROM injections AS n JOIN injected_memories AS t ON t.injection_number = n.number
     WHERE n.project_number = :project AND n.session_id = :session AND t.used IS NOT NULL`,
    { project: BigInt(project.number), session: sessionId },
  );
  return new Set(rows.map((row) => String(row["memory_id"])));
}

/** What an agent was told in the parts of a session that were taken in already. */
export interface ToldBefore {
  /** What it still has in mind. */
  ids: ReadonlySet<string>;
  /** What each memory took that it was told unasked. */
  took: ReadonlyMap<string, number>;
  /** Files came along, and it still has them in mind. */
  hasPrefetched: boolean;
}

/** Quick, because a hook asks it at every moment. */
export async function injectedBefore(
  reader: Reader,
  project: Project,
  { sessionId, agentId }: InjectedAgent,
): Promise<ToldBefore> {
  const rows = await reader.rows(
    `SELECT n.files, n.point, n.in_mind, t.memory_id, t.tokens FROM injections AS n
     LEFT JOIN injected_memories AS t ON t.injection_number = n.number
     WHERE n.project_number = :project AND n.session_id = :session AND n.agent_id IS :agent`,
    { project: BigInt(project.number), session: sessionId, agent: agentId ?? null },
  );
  const inMind = rows.filter((row) => row["in_mind"] === 1);
  const unasked = rows.filter((row) => row["point"] !== "asked" && row["memory_id"] !== null);
  return {
    ids: new Set(inMind.flatMap((row) => (row["memory_id"] === null ? [] : [String(row["memory_id"])]))),
    took: new Map(unasked.map((row) => [String(row["memory_id"]), Number(row["tokens"])])),
    hasPrefetched: inMind.some((row) => Number(row["files"]) > 0),
  };
}

/** Everything that a session was told, in the order of time; of a memory that was purged since, nothing. */
export async function listInjectedInto(reader: Reader, project: Project, sessionId: string): Promise<InjectionRow[]> {
  const rows = await reader.rows(
    `SELECT n.number, n.point, n.trigger_name, n.tokens, n.files, t.memory_id, t.tokens AS took, t.used, t.saved_tokens,
       m.citation_text
     FROM injections AS n
     LEFT JOIN injected_memories AS t ON t.injection_number = n.number
     LEFT JOIN memories AS m ON m.id = t.memory_id
     WHERE n.project_number = :project AND n.session_id = :session ORDER BY n.at, n.number, t.memory_id`,
    { project: BigInt(project.number), session: sessionId },
  );
  return rows.map((row): InjectionRow => {
    const point = String(row["point"]) as InjectionPoint;
    const [tokens, files] = [Number(row["tokens"]), Number(row["files"])];
    const told = { injection: Number(row["number"]), point, tokens, files };
    if (row["memory_id"] === null) return told;
    const trigger = row["trigger_name"] === null ? undefined : String(row["trigger_name"]);
    return {
      ...told,
      memory: {
        id: String(row["memory_id"]),
        citationText: String(row["citation_text"]),
        why: whyInjected({ point, trigger }, { tokens: Number(row["took"]) }),
        ...(row["used"] !== null && { used: String(row["used"]) as Use }),
        savedTokens: Number(row["saved_tokens"]),
      },
    };
  });
}

/** The same of what is only noted yet, because the session goes on. */
export async function listNotedRows(reader: Reader, { injected }: NotedInjections): Promise<InjectionRow[]> {
  const ids = injected.flatMap(({ memories }) => memories.map(({ id }) => id));
  const rows = await reader.rows(
    "SELECT m.id, m.citation_text FROM json_each(:ids) AS i CROSS JOIN memories AS m ON m.id = i.value",
    { ids: JSON.stringify(ids) },
  );
  const citations = new Map(rows.map((row) => [String(row["id"]), String(row["citation_text"])]));
  return injected.flatMap((note, index): InjectionRow[] => {
    const told = { injection: -1 - index, point: note.point, tokens: note.tokens, files: note.files ?? 0 };
    const known = note.memories.flatMap(({ id, tokens }) => {
      const citationText = citations.get(id);
      if (citationText === undefined) return [];
      return [{ ...told, memory: { id, citationText, why: whyInjected(note, { tokens }), savedTokens: 0 } }];
    });
    return known.length > 0 ? known : [told];
  });
}

/** One memory of an injection, or an injection that told of none. */
export interface InjectionRow {
  injection: number;
  point: InjectionPoint;
  /** Of the whole injection. */
  tokens: number;
  /** That came along with it. */
  files: number;
  memory?: { id: string; citationText: string; why: string; used?: Use; savedTokens: number };
}

/**
 * How many memories a session leaves behind: those that it was asked to remember, those that it taught, and of either those
 * that wait for a person.
 */
export interface LeftBehind {
  learned: number;
  waiting: number;
  remembered: number;
}

/**
 * Undefined for a session of which nothing is known at all. Turns, their archives and the values of the day are nobody's
 * request to remember, and what a user stated in passing was learned from the turn that says it.
 */
export async function countLeftBehind(
  reader: Reader,
  project: Project,
  sessionId: string,
): Promise<LeftBehind | undefined> {
  const [row] = await reader.rows(
    `SELECT ifnull(sum(is_knowledge AND is_asked), 0) AS remembered, ifnull(sum(is_waiting), 0) AS waiting,
       ifnull(sum(is_knowledge AND NOT is_asked AND NOT is_waiting), 0) AS learned,
       EXISTS (SELECT 1 FROM memories WHERE project_number = :project AND session_id = :session
           AND forgotten_at IS NULL AND valid_until IS NULL)
         OR EXISTS (SELECT 1 FROM observer_sessions WHERE project_number = :project AND session_id = :session)
         OR EXISTS (SELECT 1 FROM injections WHERE project_number = :project AND session_id = :session) AS is_known
     FROM (SELECT m.type <> 'archive' AND ${soundJsonSql("metadata")} ->> 'context_key' IS NULL AS is_knowledge,
         m.source = 'agent_explicit' OR m.source = 'user_taught' AND NOT EXISTS (
           SELECT 1 FROM memory_relations AS r JOIN memories AS t ON t.id = r.target_memory AND t.type = 'conversation'
           WHERE r.memory_key = m.key AND r.kind = 'derived_from' AND r.automatic = 1) AS is_asked,
         ${isPendingReviewSql} AS is_waiting
       FROM memories AS m WHERE m.project_number = :project AND m.session_id = :session AND m.type <> 'conversation'
         AND m.forgotten_at IS NULL AND m.valid_until IS NULL)`,
    { project: BigInt(project.number), session: sessionId },
  );
  if (row?.["is_known"] !== 1) return undefined;
  return {
    learned: Number(row["learned"]),
    waiting: Number(row["waiting"]),
    remembered: Number(row["remembered"]),
  };
}
