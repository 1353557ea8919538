import { setImmediate } from "node:timers/promises";
import { keyRange } from "../../memory/read/read.js";
import type { Drift } from "../../memory/memory.js";
import { type Project, type ProjectContext, readProject } from "../../project/project.js";
import type { Reader, Row, SqlArgs, Writer } from "../../storage/storage.js";
import type { Verdict } from "./check-memory.js";
import type { CheckedMemory } from "./resolve-claims.js";
import { groundVersion, type Ground } from "./grounds.js";

/** Which memories are looked at: all of the project, or these. */
export type MemoriesToCheck = "all" | { keys: readonly number[] };

/** A memory with what was found of it before; `mark` tells of which text. */
export interface KnownMemory extends CheckedMemory {
  verdict: Verdict;
  mark?: string;
  /** Some of its names led nowhere when it was kept. */
  isWaiting: boolean;
  /** What was stored of it when it was read, letter by letter. */
  stored: StoredVerdict;
}

interface StoredVerdict {
  grounds: string;
  findings: string;
}

// Ordered, so that the same rows are the same text.
const storedGrounds = `(SELECT json_group_array(json_array(node, ground)) FROM (
  SELECT node, ground FROM memory_grounds WHERE memory_key = m.key ORDER BY node))`;
const storedFindings = `(SELECT json_group_array(json_array(node, outcome, reason)) FROM (
  SELECT node, outcome, reason FROM memory_drift WHERE memory_key = m.key ORDER BY node, outcome, reason))`;

// As many as an answer of a server holds: 10 MB (sqld), and a memory may hold 64 KiB.
const pageRows = 50;
const waiting = "?";
// What stands beside it until the code was looked at once: a name that leads nowhere waits as well, and not for a look.
const unseen = "unseen";
// What is missing may turn up in any file, and what moved be back where it was. So many are looked for each time, those in
// doubt first, then the newest; `review.stale` looks for all.
const maxDrifted = 200;

/** What was said is history, true or not: turns and archives are not checked. */
const isChecked = `m.forgotten_at IS NULL AND m.valid_until IS NULL AND m.type NOT IN ('conversation', 'archive')`;

/** These memories, a page at a time. */
export async function* listPages(context: ProjectContext, which: MemoriesToCheck): AsyncGenerator<KnownMemory[]> {
  // An import may have changed any number: each page asks for its own keys.
  const portions = which === "all" ? [which] : portionsOf(which.keys).map((keys) => ({ keys }));
  for (const portion of portions) {
    for (let after: number | undefined; ;) {
      const page = await readProject(context, [], (reader, project) => listKnown(reader, project, portion, after));
      const last = page.at(-1);
      if (!last) break;
      after = last.key;
      yield page;
      // A local file is read without giving way, and there may be thousands.
      await setImmediate();
    }
  }
}

function portionsOf(keys: readonly number[]): number[][] {
  const count = Math.ceil(keys.length / pageRows);
  return Array.from({ length: count }, (_, index) => keys.slice(index * pageRows, (index + 1) * pageRows));
}

/** The next of these memories after a key. */
async function listKnown(
  reader: Reader,
  project: Project,
  which: MemoriesToCheck,
  after: number | undefined,
): Promise<KnownMemory[]> {
  const { first, last } = keyRange(project);
  const { condition, args } = conditionOf(which);
  const rows = await reader.rows(
    `SELECT m.key, m.content, m.content_hash, m.related_files, m.graph_nodes, m.user_verified,
       (SELECT json_group_array(r.target_file) FROM memory_relations AS r
        WHERE r.memory_key = m.key AND r.automatic = 0 AND r.target_file IS NOT NULL) AS nodes,
       ${storedGrounds} AS grounds, ${storedFindings} AS findings
     FROM memories AS m WHERE ${condition} AND ${isChecked} ORDER BY m.key LIMIT ${pageRows}`,
    { ...args, after: after === undefined ? first : BigInt(after), last },
  );
  return rows.map(toKnown);
}

function conditionOf(which: MemoriesToCheck): { condition: string; args: SqlArgs } {
  if (which === "all") return { condition: "m.key > :after AND m.key <= :last", args: {} };
  // The plus keeps SQLite from walking the whole project instead of looking the memories up.
  return {
    condition: "m.key IN (SELECT value FROM json_each(:wanted)) AND +m.key > :after AND +m.key <= :last",
    args: { wanted: JSON.stringify(which.keys) },
  };
}

function toKnown(row: Row): KnownMemory {
  const list = <T>(column: string) => JSON.parse(String(row[column])) as T[];
  const grounds = new Map(list<[string, string]>("grounds"));
  const mark = grounds.get("");
  return {
    key: Number(row["key"]),
    content: String(row["content"]),
    contentHash: String(row["content_hash"]),
    relatedFiles: list("related_files"),
    nodes: [...new Set([...list<string>("graph_nodes"), ...list<string>("nodes")])],
    userVerified: row["user_verified"] === 1,
    isWaiting: grounds.has(waiting),
    stored: { grounds: String(row["grounds"]), findings: String(row["findings"]) },
    ...(mark !== undefined && { mark }),
    verdict: {
      grounds: new Map(
        [...grounds].flatMap(([node, ground]): [string, Ground][] =>
          node === "" || node === waiting ? [] : [[node, JSON.parse(ground) as Ground]],
        ),
      ),
      findings: list<[string, Drift["outcome"], string]>("findings").map(([node, outcome, reason]) => ({
        node,
        outcome,
        reason,
      })),
    },
  };
}

/** The mark of the grounds that were taken of this text by this version. */
export function markOf({ contentHash }: Pick<CheckedMemory, "contentHash">): string {
  return `${groundVersion} ${contentHash}`;
}

/**
 * The memories that a change of these files may concern: they rest on something there, are filed under it, have drifted, or
 * wait for what they name.
 */
export async function listConcerned(reader: Reader, project: Project, files: readonly string[]): Promise<number[]> {
  // What follows "#" in ASCII: the names of what a file holds lie between its own with the one and with the other.
  const asked = JSON.stringify(files.map((file) => [file, `${file}#`, `${file}$`]));
  const rows = await reader.rows(
    `SELECT DISTINCT key FROM (
       SELECT g.memory_key AS key FROM json_each(:asked) AS a CROSS JOIN memory_grounds AS g ON g.node = a.value ->> 0
       UNION ALL
       SELECT g.memory_key FROM json_each(:asked) AS a
         CROSS JOIN memory_grounds AS g ON g.node >= a.value ->> 1 AND g.node < a.value ->> 2
       UNION ALL
       SELECT f.memory_key FROM json_each(:asked) AS a CROSS JOIN memory_facets AS f
         ON f.project_number = :project AND f.kind = 'file' AND f.value = a.value ->> 0
       UNION ALL
       SELECT g.memory_key FROM memory_grounds AS g WHERE g.node = '${waiting}'
       UNION ALL
       SELECT memory_key FROM (
         SELECT d.memory_key FROM memory_drift AS d
         WHERE d.memory_key BETWEEN :first AND :last
         ORDER BY d.outcome, d.found_at DESC LIMIT ${maxDrifted}))
     WHERE key BETWEEN :first AND :last ORDER BY key`,
    { asked, project: BigInt(project.number), ...keyRange(project) },
  );
  return rows.map((row) => Number(row["key"]));
}

export interface NewVerdict {
  memory: KnownMemory;
  verdict: Verdict;
  isWaiting: boolean;
}

/**
 * Stores what was found, but for memories whose text or verdict somebody else has changed meanwhile: of two who look at once, the
 * slower one may have seen less, as where something went. Returns the keys of those, which are to be looked at again.
 */
export async function putVerdicts(writer: Writer, found: readonly NewVerdict[], now: Date): Promise<number[]> {
  const at = now.toISOString();
  const read = found.map(({ memory: { key, contentHash, stored } }) => [
    key,
    contentHash,
    stored.grounds,
    stored.findings,
  ]);
  const current = await writer.rows(
    `SELECT m.key FROM json_each(:read) AS w
       CROSS JOIN memories AS m ON m.key = w.value ->> 0 AND m.content_hash = w.value ->> 1
     WHERE ${storedGrounds} = w.value ->> 2 AND ${storedFindings} = w.value ->> 3`,
    { read: JSON.stringify(read) },
  );
  const isCurrent = new Set(current.map((row) => Number(row["key"])));
  const verdicts = found.filter(({ memory }) => isCurrent.has(memory.key));
  const overtaken = found.filter(({ memory }) => !isCurrent.has(memory.key)).map(({ memory }) => memory.key);
  await dropVerdicts(writer, [...isCurrent]);
  const grounds = verdicts.flatMap(({ memory, verdict, isWaiting }) => [
    [memory.key, "", markOf(memory)],
    ...(isWaiting ? [[memory.key, waiting, ""]] : []),
    ...[...verdict.grounds].map(([node, ground]) => [memory.key, node, JSON.stringify(ground)]),
  ]);
  await writer.run(
    `INSERT INTO memory_grounds (memory_key, node, ground, seen_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, :at FROM json_each(:grounds)`,
    { grounds: JSON.stringify(grounds), at },
  );
  const findings = verdicts.flatMap(({ memory, verdict }) =>
    verdict.findings.map(({ node, outcome, reason }) => [memory.key, node, memory.contentHash, outcome, reason]),
  );
  if (findings.length === 0) return overtaken;
  await writer.run(
    `INSERT INTO memory_drift (memory_key, node, content_hash, outcome, reason, found_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, :at FROM json_each(:findings)
     WHERE true ON CONFLICT DO NOTHING`,
    { findings: JSON.stringify(findings), at },
  );
  return overtaken;
}

/** Takes away what was found of memories: what they rest on is to be seen anew. */
export async function dropVerdicts(writer: Writer, keys: readonly number[]): Promise<void> {
  for (const table of ["memory_grounds", "memory_drift"]) {
    await writer.run(`DELETE FROM ${table} WHERE memory_key IN (SELECT value FROM json_each(:keys))`, {
      keys: JSON.stringify(keys),
    });
  }
}

/** Marks memories that the next look at the code is to take in, where the code of this root was ever indexed as a whole. */
export async function markUngrounded(
  writer: Writer,
  project: Project,
  root: string,
  keys: readonly number[],
  now: Date,
): Promise<void> {
  await writer.run(
    `INSERT INTO memory_grounds (memory_key, node, ground, seen_at)
     SELECT m.key, '${waiting}', '${unseen}', :at FROM json_each(:keys) AS w CROSS JOIN memories AS m ON m.key = w.value
     WHERE ${isChecked} AND EXISTS (
       SELECT 1 FROM code_trees WHERE project_number = :project AND root = :root AND completed_at IS NOT NULL)
     ON CONFLICT (memory_key, node) DO UPDATE SET ground = excluded.ground`,
    { keys: JSON.stringify(keys), at: now.toISOString(), project: project.number, root },
  );
}

/** The keys of the project's memories that were marked and never looked at: the process that was to do it has ended. */
export async function listUngrounded(reader: Reader, project: Project): Promise<number[]> {
  const rows = await reader.rows(
    `SELECT g.memory_key FROM memory_grounds AS g JOIN memories AS m ON m.key = g.memory_key
     WHERE g.node = '${waiting}' AND g.ground = '${unseen}' AND g.memory_key BETWEEN :first AND :last AND ${isChecked}
     ORDER BY g.memory_key`,
    { ...keyRange(project) },
  );
  return rows.map((row) => Number(row["memory_key"]));
}

/** The keys of the project's memories that something speaks against, those in doubt first. */
export async function listDriftedKeys(reader: Reader, project: Project): Promise<number[]> {
  const rows = await reader.rows(
    `SELECT d.memory_key, min(d.outcome) AS worst FROM memory_drift AS d
     CROSS JOIN memories AS m ON m.key = d.memory_key AND m.content_hash = d.content_hash
     WHERE d.memory_key BETWEEN :first AND :last AND ${isChecked}
     GROUP BY d.memory_key ORDER BY worst, d.memory_key`,
    { ...keyRange(project) },
  );
  return rows.map((row) => Number(row["memory_key"]));
}
