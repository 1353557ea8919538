import type { Project } from "../../project/project.js";
import type { Reader, Writer } from "../../storage/storage.js";
import type { Pair } from "../signals/near-pairs.js";
import type { SeenError } from "../signals/seen-errors.js";

/** What one session did with one file. */
export interface FileUse {
  path: string;
  accesses: number;
  edits: number;
  /** Whether an agent wrote it, and from what. */
  written?: "clean" | "tainted";
}

/** What one session saw of one error. */
export type ErrorUse = Omit<SeenError, "orders">;

/**
 * Adds one session to what is known of files. `isNew` is false for a further part of a session that was counted: it adds
 * accesses and no session.
 */
export async function addFiles(
  writer: Writer,
  project: Project,
  uses: FileUse[],
  now: Date,
  isNew: boolean,
): Promise<void> {
  await writer.run(
    `INSERT INTO observer_files (project_number, path, accesses, edits, sessions, written, last_at)
     SELECT :project, value ->> 'path', value ->> 'accesses', value ->> 'edits', 1, value ->> 'written', :now
     FROM json_each(:uses) WHERE true
     ON CONFLICT (project_number, path) DO UPDATE SET accesses = accesses + excluded.accesses,
       edits = edits + excluded.edits, sessions = sessions + :more, written = ifnull(excluded.written, written),
       last_at = excluded.last_at`,
    { project: BigInt(project.number), uses: JSON.stringify(uses), now: now.toISOString(), more: isNew ? 1n : 0n },
  );
}

/**
 * Adds one session to what is known of pairs. After `addFiles`, of which the weight is worked out. A further part of a
 * session that was counted only adds the pairs that nobody knows yet, here and for modules.
 */
export async function addPairs(
  writer: Writer,
  project: Project,
  pairs: Pair[],
  { type, now, isNew }: { type: string; now: Date; isNew: boolean },
): Promise<void> {
  const args = { project: BigInt(project.number), pairs: JSON.stringify(pairs) };
  await writer.run(
    `INSERT INTO observer_co_access (project_number, file_a, file_b, sessions, in_order, edited, weight, mean_delay_ms,
       task_types, last_at)
     SELECT :project, value ->> 'a', value ->> 'b', 1, value ->> 'aFirst', value ->> 'edited', 0, value ->> 'delayMs',
       json_object(:type, 1), :now
     FROM json_each(:pairs) WHERE true
     ON CONFLICT (project_number, file_a, file_b) DO UPDATE SET
       mean_delay_ms = (mean_delay_ms * sessions + excluded.mean_delay_ms) / (sessions + 1),
       sessions = sessions + 1, in_order = in_order + excluded.in_order, edited = edited + excluded.edited,
       task_types = json_set(task_types, '$.' || :type, ifnull(task_types ->> :type, 0) + 1),
       last_at = excluded.last_at
     WHERE :isNew`,
    { ...args, type, now: now.toISOString(), isNew: BigInt(isNew) },
  );
  await writer.run(
    `UPDATE observer_co_access SET weight = min(1.0, CAST(sessions AS REAL) / max(1,
       (SELECT sessions FROM observer_files AS f WHERE f.project_number = :project AND f.path = file_a) +
       (SELECT sessions FROM observer_files AS f WHERE f.project_number = :project AND f.path = file_b) - sessions))
     WHERE project_number = :project
       AND (file_a, file_b) IN (SELECT value ->> 'a', value ->> 'b' FROM json_each(:pairs))`,
    args,
  );
}

export async function notePromotedPair(
  writer: Writer,
  project: Project,
  a: string,
  b: string,
  now: Date,
): Promise<void> {
  await writer.run(
    `UPDATE observer_co_access SET promoted_at = :now WHERE project_number = :project AND file_a = :a AND file_b = :b`,
    { project: BigInt(project.number), a, b, now: now.toISOString() },
  );
}

/** Adds one session to what is known of errors. How the last one was resolved replaces what was known before. */
export async function addErrors(
  writer: Writer,
  project: Project,
  errors: ErrorUse[],
  now: Date,
  isNew: boolean,
): Promise<void> {
  await writer.run(
    `INSERT INTO observer_errors (project_number, fingerprint, tool, message, file, occurrences, sessions, resolved_how,
       last_at)
     SELECT :project, value ->> 'fingerprint', value ->> 'tool', value ->> 'message', value ->> 'file',
       value ->> 'occurrences', 1, value ->> 'resolvedHow', :now
     FROM json_each(:errors) WHERE true
     ON CONFLICT (project_number, fingerprint) DO UPDATE SET occurrences = occurrences + excluded.occurrences,
       sessions = sessions + :more, resolved_how = ifnull(excluded.resolved_how, resolved_how), last_at = excluded.last_at`,
    { project: BigInt(project.number), errors: JSON.stringify(errors), now: now.toISOString(), more: BigInt(isNew) },
  );
}

/** Adds one session to each module. */
export async function addModules(
  writer: Writer,
  project: Project,
  modules: string[],
  now: Date,
  isNew: boolean,
): Promise<void> {
  await writer.run(
    `INSERT INTO observer_modules (project_number, module, sessions, last_at)
     SELECT :project, value, 1, :now FROM json_each(:modules) WHERE true
     ON CONFLICT (project_number, module) DO UPDATE SET sessions = sessions + :more, last_at = excluded.last_at`,
    { project: BigInt(project.number), modules: JSON.stringify(modules), now: now.toISOString(), more: BigInt(isNew) },
  );
}

/** In how many sessions each of these files was used. Files that none used are not in it. */
export async function countFileSessions(
  reader: Reader,
  project: Project,
  paths: readonly string[],
): Promise<Map<string, number>> {
  const rows = await reader.rows(
    `SELECT f.path, f.sessions FROM json_each(:paths) AS p
     CROSS JOIN observer_files AS f ON f.project_number = :project AND f.path = p.value`,
    { project: BigInt(project.number), paths: JSON.stringify(paths) },
  );
  return new Map(rows.map((row) => [String(row["path"]), Number(row["sessions"])]));
}

export async function countModuleSessions(reader: Reader, project: Project): Promise<Map<string, number>> {
  const rows = await reader.rows("SELECT module, sessions FROM observer_modules WHERE project_number = :project", {
    project: BigInt(project.number),
  });
  return new Map(rows.map((row) => [String(row["module"]), Number(row["sessions"])]));
}

/** What agents wrote in earlier sessions, and from what. */
export async function listWritten(reader: Reader, project: Project): Promise<Map<string, "clean" | "tainted">> {
  const rows = await reader.rows(
    "SELECT path, written FROM observer_files WHERE project_number = :project AND written IS NOT NULL",
    { project: BigInt(project.number) },
  );
  return new Map(rows.map((row) => [String(row["path"]), String(row["written"]) as "clean" | "tainted"]));
}
