import { createHash } from "node:crypto";
import type { Json } from "../../base/base.js";
import type { Project } from "../../project/project.js";
import type { Reader, Writer } from "../../storage/storage.js";
import type { EvidenceItem, UntrustedSource, SignalName } from "../observer.js";
import type { PastSighting } from "../signals/signal.js";

/** What a session showed of a subject, as it is kept. */
export interface StoredSighting {
  signal: SignalName;
  subject: string;
  /** How many agents of the session saw it. */
  agents: number;
  outside?: UntrustedSource;
  data: Record<string, Json>;
  evidence: readonly EvidenceItem[];
}

/** What earlier sessions showed of a subject. */
export interface KnownSubject {
  /** What was made of it already. */
  memoryId?: string;
  sightings: (PastSighting & { agents: number; outside?: UntrustedSource })[];
}

/**
 * Keeps what a session showed. What an earlier part of the same session showed of a subject is replaced, but where that
 * came from outside, it still does. Of each subject the last fifty sessions are kept.
 */
export async function addSightings(
  writer: Writer,
  project: Project,
  session: { number: number; at: string },
  sightings: readonly StoredSighting[],
): Promise<void> {
  const args = { project: BigInt(project.number), at: session.at };
  // Without what they hold, which is ten times as long.
  const subjects = JSON.stringify(sightings.map(({ signal, subject }) => ({ signal, subject })));
  await writer.run(
    `INSERT INTO observer_subjects (project_number, signal, subject, last_at)
     SELECT :project, value ->> 'signal', value ->> 'subject', :at FROM json_each(:subjects) WHERE true
     ON CONFLICT (project_number, signal, subject) DO UPDATE SET last_at = excluded.last_at`,
    { ...args, subjects },
  );
  await writer.run(
    `INSERT INTO observer_sightings (subject_number, session_number, at, agents, outside, data, evidence)
     SELECT o.number, :session, :at, s.value ->> 'agents', s.value ->> 'outside', s.value ->> 'data', s.value ->> 'evidence'
     FROM json_each(:sightings) AS s CROSS JOIN observer_subjects AS o
       ON o.project_number = :project AND o.signal = s.value ->> 'signal' AND o.subject = s.value ->> 'subject'
     WHERE true
     ON CONFLICT (subject_number, session_number) DO UPDATE SET at = excluded.at, agents = excluded.agents,
       outside = ifnull(observer_sightings.outside, excluded.outside), data = excluded.data, evidence = excluded.evidence`,
    { ...args, session: BigInt(session.number), sightings: JSON.stringify(sightings) },
  );
  await dropOldest(writer, project, subjects);
}

/** What is never read again goes: a subject of every day would grow for ever. */
async function dropOldest(writer: Writer, project: Project, subjects: string): Promise<void> {
  await writer.run(
    `DELETE FROM observer_sightings WHERE (subject_number, session_number) IN (
       SELECT g.subject_number, g.session_number
       FROM json_each(:subjects) AS s CROSS JOIN observer_subjects AS o
         ON o.project_number = :project AND o.signal = s.value ->> 'signal' AND o.subject = s.value ->> 'subject'
       CROSS JOIN observer_sightings AS g ON g.subject_number = o.number AND g.session_number < (
         SELECT session_number FROM observer_sightings WHERE subject_number = o.number
         ORDER BY session_number DESC LIMIT 1 OFFSET ${maxSightings - 1}))`,
    { project: BigInt(project.number), subjects },
  );
}

/**
 * What earlier sessions showed of these subjects, oldest first, by `subjectKey`; of at most the last fifty of each, and
 * without their evidence. Of one that a memory was made of only that, unless it is a dead end, which may be entered again.
 * A memory that Tacit let go by itself counts for none: what is seen again is worth knowing again.
 */
export async function listKnownSubjects(
  reader: Reader,
  project: Project,
  subjects: readonly { signal: SignalName; subject: string }[],
  except: string,
): Promise<Map<string, KnownSubject>> {
  const rows = await reader.rows(
    `SELECT o.signal, o.subject, m.id AS memory_id,
       (SELECT json_group_array(json_array(e.session_id, g.at, g.agents, g.outside, json(g.data)))
        FROM (SELECT session_number, at, agents, outside, data FROM observer_sightings
          WHERE subject_number = o.number AND (m.id IS NULL OR o.signal = 'dead-end')
          ORDER BY session_number DESC LIMIT ${maxSightings}) AS g
        JOIN observer_sessions AS e ON e.number = g.session_number AND e.session_id <> :except) AS sightings
     FROM json_each(:subjects) AS s CROSS JOIN observer_subjects AS o
       ON o.project_number = :project AND o.signal = s.value ->> 'signal' AND o.subject = s.value ->> 'subject'
     LEFT JOIN memories AS m ON m.id = o.memory_id AND ifnull(m.forgotten_reason, '') NOT IN ('faded', 'evicted')`,
    {
      project: BigInt(project.number),
      subjects: JSON.stringify(subjects.map(({ signal, subject }) => ({ signal, subject }))),
      except,
    },
  );
  return new Map(
    rows.map((row) => [
      subjectKey({ signal: String(row["signal"]), subject: String(row["subject"]) }),
      {
        ...(row["memory_id"] !== null && { memoryId: String(row["memory_id"]) }),
        sightings: (JSON.parse(String(row["sightings"])) as SightingTuple[]).map(toPast).toReversed(),
      },
    ]),
  );
}

const maxSightings = 50;

type SightingTuple = [string, string, number, string | null, Record<string, Json>];

function toPast([sessionId, at, agents, outside, data]: SightingTuple): KnownSubject["sightings"][number] {
  return { sessionId, at, agents, ...(outside !== null && { outside: JSON.parse(outside) as UntrustedSource }), data };
}

export function subjectKey({ signal, subject }: { signal: string; subject: string }): string {
  return `${signal}\n${subject}`;
}

/** Notes which memory was made of a subject. */
export async function notePromoted(
  writer: Writer,
  project: Project,
  { signal, subject }: { signal: SignalName; subject: string },
  memoryId: string,
  now: Date,
): Promise<void> {
  await writer.run(
    `UPDATE observer_subjects SET memory_id = :memory, promoted_at = :now
     WHERE project_number = :project AND signal = :signal AND subject = :subject`,
    { project: BigInt(project.number), signal, subject, memory: memoryId, now: now.toISOString() },
  );
}

/** A subject that a memory was made of, with what people see of each session that showed it. */
interface ShownSubject {
  signal: SignalName;
  subject: string;
  sightings: {
    sessionId: string;
    at: string;
    agents: number;
    outside?: UntrustedSource;
    evidence: readonly EvidenceItem[];
  }[];
}

/** The subjects that a memory was made of, with everything that sessions showed of them. */
export async function listEvidence(reader: Reader, memoryId: string): Promise<ShownSubject[]> {
  const rows = await reader.rows(
    `SELECT o.signal, o.subject,
       (SELECT json_group_array(json_array(e.session_id, g.at, g.agents, g.outside, json(g.evidence)))
        FROM (SELECT session_number, at, agents, outside, evidence FROM observer_sightings
          WHERE subject_number = o.number ORDER BY session_number DESC LIMIT ${maxSightings}) AS g
        JOIN observer_sessions AS e ON e.number = g.session_number) AS sightings
     FROM observer_subjects AS o WHERE o.memory_id = :memory`,
    { memory: memoryId },
  );
  return rows.map((row) => ({
    signal: String(row["signal"]) as SignalName,
    subject: String(row["subject"]),
    sightings: (JSON.parse(String(row["sightings"])) as EvidenceTuple[]).map(toShown).toReversed(),
  }));
}

type EvidenceTuple = [string, string, number, string | null, EvidenceItem[]];

function toShown([sessionId, at, agents, outside, evidence]: EvidenceTuple): ShownSubject["sightings"][number] {
  return {
    sessionId,
    at,
    agents,
    ...(outside !== null && { outside: JSON.parse(outside) as UntrustedSource }),
    evidence,
  };
}

/** Forgets the evidence that led to a memory: a person rejected it, and only new sessions can speak for it again. */
export async function dropEvidence(writer: Writer, memoryId: string): Promise<void> {
  await writer.run("DELETE FROM observer_subjects WHERE memory_id = :memory", { memory: memoryId });
}

/** Lets go of memories that came to nothing: what sessions show of their subjects from now on may lead to them again. */
export async function releaseSubjects(writer: Writer, memoryIds: readonly string[]): Promise<void> {
  await writer.run(
    `UPDATE observer_subjects SET memory_id = NULL, promoted_at = NULL
     WHERE memory_id IN (SELECT value FROM json_each(:ids))`,
    { ids: JSON.stringify(memoryIds) },
  );
}

/** Forgets what a session showed while it was running and what led to no memory: its end tells it anew, or not at all. */
export async function dropSightings(writer: Writer, sessionNumber: number): Promise<void> {
  await writer.run(
    `DELETE FROM observer_sightings WHERE session_number = :session
       AND subject_number IN (SELECT number FROM observer_subjects WHERE memory_id IS NULL)`,
    { session: BigInt(sessionNumber) },
  );
}

/** How many memories were made of what a session showed. */
export async function countMemoriesMade(reader: Reader, project: Project, sessionId: string): Promise<number> {
  const [row] = await reader.rows(
    `SELECT count(DISTINCT m.id) AS n FROM memories AS m JOIN observer_subjects AS o ON o.memory_id = m.id
     WHERE m.project_number = :project AND m.session_id = :session`,
    { project: BigInt(project.number), session: sessionId },
  );
  return Number(row?.["n"] ?? 0);
}

/** Which of these marks a person never wants to hear of again. */
export async function listRefused(reader: Reader, project: Project, marks: readonly string[]): Promise<Set<string>> {
  const rows = await reader.rows(
    `SELECT r.mark FROM json_each(:marks) AS m
     CROSS JOIN observer_refusals AS r ON r.project_number = :project AND r.mark = m.value`,
    { project: BigInt(project.number), marks: JSON.stringify(marks) },
  );
  return new Set(rows.map((row) => String(row["mark"])));
}

export async function addRefusals(writer: Writer, project: Project, marks: readonly string[]): Promise<void> {
  await writer.run(
    `INSERT INTO observer_refusals (project_number, mark) SELECT :project, value FROM json_each(:marks) WHERE true
     ON CONFLICT DO NOTHING`,
    { project: BigInt(project.number), marks: JSON.stringify(marks) },
  );
}

/** What a subject is refused by. A hash, so that nothing of it can be read back. */
export function refusalMark(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
