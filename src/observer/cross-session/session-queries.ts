import type { Project } from "../../project/project.js";
import type { Reader, Row, Writer } from "../../storage/storage.js";
import type { Outcome, UntrustedSource, SessionType } from "../observer.js";

/** What is kept of a session, for the figures that tell whether memory helps. Times are ISO 8601. */
export interface SessionRecord {
  sessionId: string;
  type: SessionType;
  agent?: string;
  /** `running` between two subtasks of a long build. */
  outcome: Exclude<Outcome, "unknown"> | "running";
  startedAt: string;
  endedAt: string;
  events: number;
  toolCalls: number;
  /** Different files of the project that were read or edited. */
  files: number;
  /** Reads of files that earlier sessions had read. */
  rereads: number;
  stepsPlanned?: number;
  stepsDone: number;
  inputTokens: number;
  outputTokens: number;
  /** Whether the first quality check passed; absent where there was none. */
  qaFirstPass?: boolean;
  /** How often it tried what an earlier session had given up. */
  deadEndsReentered: number;
  /** The first content from outside the project, if there was any. */
  outside?: UntrustedSource;
}

/** How many times the sessions of a project were written: whoever read an earlier number has read something else. */
export async function readRevision(reader: Reader, project: Project): Promise<string> {
  const [row] = await reader.rows(
    `SELECT (SELECT count(*) FROM observer_spools AS p JOIN observer_sessions AS s ON s.number = p.session_number
        WHERE s.project_number = :project) AS spools,
       (SELECT ifnull(max(number), 0) FROM observer_sessions WHERE project_number = :project) AS last,
       (SELECT count(*) FROM observer_refusals WHERE project_number = :project) AS refusals`,
    { project: BigInt(project.number) },
  );
  return `${row?.["spools"]} ${row?.["last"]} ${row?.["refusals"]}`;
}

export async function isImported(reader: Reader, spoolId: string): Promise<boolean> {
  return (await reader.rows("SELECT 1 FROM observer_spools WHERE id = :id", { id: spoolId })).length > 0;
}

export async function noteTakenIn(writer: Writer, spoolId: string, sessionNumber: number): Promise<void> {
  await writer.run("INSERT INTO observer_spools (id, session_number) VALUES (:id, :session)", {
    id: spoolId,
    session: BigInt(sessionNumber),
  });
}

/** A session that was written before, under the same id. */
export async function findSession(
  reader: Reader,
  project: Project,
  sessionId: string,
): Promise<{ number: number; record: SessionRecord } | undefined> {
  const [row] = await reader.rows(
    `SELECT number, ${columns} FROM observer_sessions WHERE project_number = :project AND session_id = :session`,
    { project: BigInt(project.number), session: sessionId },
  );
  return row && { number: Number(row["number"]), record: toRecord(row) };
}

/** The newest sessions first. */
export async function listSessions(reader: Reader, project: Project, limit: number): Promise<SessionRecord[]> {
  const rows = await reader.rows(
    `SELECT ${columns} FROM observer_sessions WHERE project_number = :project
     ORDER BY ended_at DESC, number DESC LIMIT :limit`,
    { project: BigInt(project.number), limit: BigInt(limit) },
  );
  return rows.map(toRecord);
}

/** When the last session of a store ended that had content from outside; undefined where there was none. */
export async function findLastTaintedEnd(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.rows("SELECT max(ended_at) AS at FROM observer_sessions WHERE outside IS NOT NULL");
  return typeof row?.["at"] === "string" ? row["at"] : undefined;
}

/** Whether a session of a store went on between two moments, or one had asked for a merge since a third. */
export async function wasMergeByAgent(
  reader: Reader,
  times: { since: string; from: string; until: string },
): Promise<boolean> {
  const rows = await reader.rows(
    `SELECT 1 FROM observer_sessions
     WHERE started_at <= :until AND (ended_at >= :from OR (asked_merge = 1 AND ended_at >= :since)) LIMIT 1`,
    times,
  );
  return rows.length > 0;
}

export async function countSessions(reader: Reader, project: Project): Promise<number> {
  const [row] = await reader.rows("SELECT count(*) AS n FROM observer_sessions WHERE project_number = :project", {
    project: BigInt(project.number),
  });
  return Number(row?.["n"] ?? 0);
}

/** Writes a session, or what has become of it, and tells its number. */
export async function writeSession(writer: Writer, project: Project, record: SessionRecord): Promise<number> {
  const [row] = await writer.rows(
    `INSERT INTO observer_sessions (project_number, ${columns})
     VALUES (:project, :sessionId, :type, :agent, :outcome, :startedAt, :endedAt, :events, :toolCalls, :files, :rereads,
       :stepsPlanned, :stepsDone, :inputTokens, :outputTokens, :qaFirstPass, :deadEndsReentered, :outside)
     ON CONFLICT (project_number, session_id) DO UPDATE SET ${columns
       .split(", ")
       .map((column) => `${column} = excluded.${column}`)
       .join(", ")}
     RETURNING number`,
    {
      project: BigInt(project.number),
      ...record,
      events: toCount(record.events),
      toolCalls: toCount(record.toolCalls),
      files: toCount(record.files),
      rereads: toCount(record.rereads),
      stepsDone: toCount(record.stepsDone),
      inputTokens: toCount(record.inputTokens),
      outputTokens: toCount(record.outputTokens),
      deadEndsReentered: toCount(record.deadEndsReentered),
      agent: record.agent ?? null,
      stepsPlanned: record.stepsPlanned === undefined ? null : toCount(record.stepsPlanned),
      qaFirstPass: record.qaFirstPass === undefined ? null : BigInt(record.qaFirstPass),
      outside: record.outside === undefined ? null : JSON.stringify(record.outside),
    },
  );
  return Number(row?.["number"]);
}

/** What an agent says it used may be no whole number, or none that a column holds. */
export function toCount(value: number): number {
  return Number.isNaN(value) ? 0 : Math.round(Math.min(Math.max(value, 0), Number.MAX_SAFE_INTEGER));
}

const columns = `session_id, type, agent, outcome, started_at, ended_at, events, tool_calls, files, rereads, steps_planned, steps_done, input_tokens, output_tokens, qa_first_pass, dead_ends_reentered, outside`;

function toRecord(row: Row): SessionRecord {
  const planned = row["steps_planned"] ?? null;
  const firstPass = row["qa_first_pass"] ?? null;
  const outside = row["outside"] ?? null;
  return {
    sessionId: String(row["session_id"]),
    type: String(row["type"]) as SessionType,
    ...(row["agent"] !== null && { agent: String(row["agent"]) }),
    outcome: String(row["outcome"]) as SessionRecord["outcome"],
    startedAt: String(row["started_at"]),
    endedAt: String(row["ended_at"]),
    events: Number(row["events"]),
    toolCalls: Number(row["tool_calls"]),
    files: Number(row["files"]),
    rereads: Number(row["rereads"]),
    ...(planned !== null && { stepsPlanned: Number(planned) }),
    stepsDone: Number(row["steps_done"]),
    inputTokens: Number(row["input_tokens"]),
    outputTokens: Number(row["output_tokens"]),
    ...(firstPass !== null && { qaFirstPass: firstPass === 1 }),
    deadEndsReentered: Number(row["dead_ends_reentered"]),
    ...(outside !== null && { outside: JSON.parse(String(outside)) as UntrustedSource }),
  };
}
