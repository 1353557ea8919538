import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { pagesOf } from "../tree/pages-of.js";
import { extractorVersion } from "../tree/extractor-version.js";
import type { ParsedFile } from "./parse-file.js";

/** A file as it was when it was last read. */
export interface KnownFile {
  number: number;
  path: string;
  hash: string;
  /** The version that read it. */
  extractor: string;
  size: number;
  modifiedMs: number;
  readMs: number;
  /** What others can see of it. */
  surface: string;
}

/** Every file of a tree. One value instead of a row each: the driver takes longer for a row than SQLite. */
export async function listKnownFiles(reader: Reader, tree: Tree): Promise<Map<string, KnownFile>> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(number, path, hash, extractor, size, modified_ms, read_ms, surface)) AS files
     FROM code_files WHERE tree_number = :tree`,
    { tree: tree.number },
  );
  type Listed = [number, string, string, string, number, number, number, string];
  const files = JSON.parse(String(row?.["files"] ?? "[]")) as Listed[];
  return new Map(
    files.map(([number, path, hash, extractor, size, modifiedMs, readMs, surface]) => [
      path,
      { number, path, hash, extractor, size, modifiedMs, readMs, surface },
    ]),
  );
}

/** Puts files in, or in the place of what they were; gives their numbers by path. What they lead to is linked later. */
export async function putFiles(writer: Writer, tree: Tree, files: readonly ParsedFile[]): Promise<Map<string, number>> {
  const rows = files.map(({ path, language, hash, size, modifiedMs, readMs, state, problem, surface }) => [
    path,
    language ?? null,
    hash,
    size,
    modifiedMs,
    readMs,
    state,
    problem ?? null,
    surface,
    extractorVersion,
  ]);
  const put = await writer.rows(
    `INSERT INTO code_files (tree_number, path, language, hash, size, modified_ms, read_ms, state, problem, surface, is_linked, extractor)
     SELECT :tree, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       value ->> 8, value ->> 1 IS NULL, value ->> 9
     FROM json_each(:rows) WHERE true
     ON CONFLICT (tree_number, path) DO UPDATE SET language = excluded.language, hash = excluded.hash,
       size = excluded.size, modified_ms = excluded.modified_ms, read_ms = excluded.read_ms, state = excluded.state,
       problem = excluded.problem, surface = excluded.surface, is_linked = excluded.is_linked,
       extractor = excluded.extractor
     RETURNING path, number`,
    { tree: tree.number, rows: JSON.stringify(rows) },
  );
  return new Map(put.map((row) => [String(row["path"]), Number(row["number"])]));
}

/** Notes when files were looked at that turned out to be the same; not of those that others have since put in anew. */
export async function touchFiles(
  writer: Writer,
  tree: Tree,
  files: readonly Pick<KnownFile, "path" | "hash" | "size" | "modifiedMs" | "readMs">[],
): Promise<void> {
  if (files.length === 0) return;
  await writer.run(
    `UPDATE code_files SET size = seen.size, modified_ms = seen.modified_ms, read_ms = seen.read_ms
     FROM (SELECT value ->> 0 AS path, value ->> 1 AS hash, value ->> 2 AS size, value ->> 3 AS modified_ms,
         value ->> 4 AS read_ms
       FROM json_each(:rows)) AS seen
     WHERE code_files.tree_number = :tree AND code_files.path = seen.path AND code_files.hash = seen.hash`,
    {
      tree: tree.number,
      rows: JSON.stringify(
        files.map(({ path, hash, size, modifiedMs, readMs }) => [path, hash, size, modifiedMs, readMs]),
      ),
    },
  );
}

export async function removeFiles(writer: Writer, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await writer.run("DELETE FROM code_files WHERE number IN (SELECT value FROM json_each(:numbers))", {
    numbers: JSON.stringify(numbers),
  });
}

/**
 * Keeps what the files say of themselves. Bound one by one in one statement: as one JSON list, which SQLite would take apart
 * first, 5.6 MB took 364 ms instead of 30 (2026-11).
 */
export async function putFacts(writer: Writer, files: readonly { number: number; facts: string }[]): Promise<void> {
  for (const page of pagesOf(files, ({ facts }) => facts.length)) {
    const rows = page.map((_, at) => `(:n${at}, :f${at})`);
    const args = page.flatMap(({ number, facts }, at): [string, bigint | string][] => [
      [`n${at}`, BigInt(number)],
      [`f${at}`, facts],
    ]);
    await writer.run(
      `INSERT INTO code_facts (file_number, facts) VALUES ${rows.join(", ")}
       ON CONFLICT (file_number) DO UPDATE SET facts = excluded.facts`,
      Object.fromEntries(args),
    );
  }
}

/** What these files say of themselves, as it was kept. */
export async function readFacts(reader: Reader, tree: Tree, paths: readonly string[]): Promise<Map<string, string>> {
  const rows = await reader.rows(
    `SELECT f.path, c.facts FROM json_each(:paths) AS wanted
     CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = wanted.value
     CROSS JOIN code_facts AS c ON c.file_number = f.number`,
    { tree: tree.number, paths: JSON.stringify(paths) },
  );
  return new Map(rows.map((row) => [String(row["path"]), String(row["facts"])]));
}
