import type { Project } from "../../project/project.js";
import type { Reader, Row, Writer } from "../../storage/storage.js";

/** Two files that sessions use together, of which no memory was made yet. */
export interface TiedPair {
  a: string;
  b: string;
  sessions: number;
  /** In how many of them both were edited. */
  edited: number;
  /** In how many of them `a` came first. */
  aFirst: number;
  weight: number;
}

export interface RecurringError {
  fingerprint: string;
  message: string;
  tool: string;
  sessions: number;
  resolvedHow?: string;
  file?: string;
}

export async function listMade(reader: Reader, project: Project): Promise<Set<string>> {
  const rows = await reader.rows("SELECT module, occasion FROM observer_syntheses WHERE project_number = :project", {
    project: BigInt(project.number),
  });
  return new Set(rows.map((row) => `${row["module"]}\n${row["occasion"]}`));
}

/** Notes a synthesis; false when somebody else has made it. */
export async function noteMade(
  writer: Writer,
  project: Project,
  made: { module: string; occasion: string; memories: number; now: Date },
): Promise<boolean> {
  const { module, occasion, memories, now } = made;
  const changed = await writer.run(
    `INSERT INTO observer_syntheses (project_number, module, occasion, made_at, memories)
     VALUES (:project, :module, :occasion, :now, :memories) ON CONFLICT DO NOTHING`,
    { project: BigInt(project.number), module, occasion, now: now.toISOString(), memories: BigInt(memories) },
  );
  return changed > 0;
}

/** The files below a module that most sessions use, most used first. */
export async function listUsedFiles(
  reader: Reader,
  project: Project,
  module: string,
): Promise<{ path: string; sessions: number }[]> {
  const rows = await reader.rows(
    `SELECT path, sessions FROM observer_files WHERE project_number = :project AND ${isBelow("path")}
     ORDER BY sessions DESC, path LIMIT 20`,
    { project: BigInt(project.number), ...below(module) },
  );
  return rows.map((row) => ({ path: String(row["path"]), sessions: Number(row["sessions"]) }));
}

/** Pairs that are often together, the strongest first; of one module, or of all. */
export async function listTiedPairs(
  reader: Reader,
  project: Project,
  {
    module,
    leastSessions,
    leastWeight,
    limit,
  }: { module?: string; leastSessions: number; leastWeight: number; limit: number },
): Promise<TiedPair[]> {
  const within = module === undefined ? "" : `AND ${isBelow("file_a")} AND ${isBelow("file_b")}`;
  const rows = await reader.rows(
    `SELECT file_a, file_b, sessions, edited, in_order, weight FROM observer_co_access
     WHERE project_number = :project AND promoted_at IS NULL AND sessions >= :sessions AND weight >= :weight ${within}
     ORDER BY edited DESC, sessions DESC, weight DESC, file_a, file_b LIMIT :limit`,
    {
      project: BigInt(project.number),
      sessions: BigInt(leastSessions),
      weight: leastWeight,
      limit: BigInt(limit),
      ...(module !== undefined && below(module)),
    },
  );
  return rows.map((row) => ({
    a: String(row["file_a"]),
    b: String(row["file_b"]),
    sessions: Number(row["sessions"]),
    edited: Number(row["edited"]),
    aFirst: Number(row["in_order"]),
    weight: Number(row["weight"]),
  }));
}

/**
 * Errors that came back in several sessions and point into the module. Only such as were seen to be resolved, and never
 * after content from outside: their words end up in a memory, and with a model in its prompt.
 */
export async function listRecurringErrors(reader: Reader, project: Project, module: string): Promise<RecurringError[]> {
  const rows = await reader.rows(
    `SELECT fingerprint, message, tool, sessions, resolved_how, file FROM observer_errors AS e
     WHERE project_number = :project AND sessions >= 3 AND message <> '' AND file IS NOT NULL AND ${isBelow("file")}
       AND (SELECT count(*) > 0 AND count(g.outside) = 0 FROM observer_subjects AS o
            JOIN observer_sightings AS g ON g.subject_number = o.number
            WHERE o.project_number = :project AND o.signal = 'error-retry' AND o.subject = e.fingerprint)
     ORDER BY sessions DESC, fingerprint LIMIT 5`,
    { project: BigInt(project.number), ...below(module) },
  );
  return rows.map((row: Row) => ({
    fingerprint: String(row["fingerprint"]),
    message: String(row["message"]),
    tool: String(row["tool"]),
    sessions: Number(row["sessions"]),
    ...(row["resolved_how"] !== null && { resolvedHow: String(row["resolved_how"]) }),
    ...(row["file"] !== null && { file: String(row["file"]) }),
  }));
}

export async function findLastSession(reader: Reader, project: Project): Promise<number | undefined> {
  const [row] = await reader.rows("SELECT max(number) AS last FROM observer_sessions WHERE project_number = :project", {
    project: BigInt(project.number),
  });
  return row?.["last"] === null || row === undefined ? undefined : Number(row["last"]);
}

/** What follows "/" in ASCII is "0": the paths of a folder lie between its name with the one and with the other. */
function below(module: string): { first: string; beyond: string } {
  return module === "." ? { first: "", beyond: "" } : { first: `${module}/`, beyond: `${module}0` };
}

function isBelow(column: string): string {
  return `(CASE WHEN :first = '' THEN instr(${column}, '/') = 0 AND :beyond = '' ELSE ${column} >= :first AND ${column} < :beyond END)`;
}
