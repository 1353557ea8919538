import { parseNodeId } from "../../base/ids/ids.js";
import type { Reader, Writer } from "../../storage/storage.js";
import type { NodeKind, Tree } from "../codegraph.js";
import type { SymbolKey } from "../history/find-moved-symbols.js";
import { pagesOf } from "./pages-of.js";

/**
 * Puts the nodes of files in. A node whose path is still there keeps its number, and with it the edges that lead to it;
 * those that are gone take their edges with them.
 *
 * `nodes` is JSON: a list of [path, name, kind, start, end, fingerprint].
 */
export async function putNodes(
  writer: Writer,
  files: readonly { number: number; nodes: string; isNew: boolean }[],
): Promise<void> {
  for (const page of pagesOf(files, ({ nodes }) => nodes.length)) {
    const known = page.filter(({ isNew }) => !isNew);
    if (known.length > 0) await removeOthers(writer, listOf(known));
    await writer.run(
      `WITH ${given}
       INSERT INTO code_nodes (file_number, path, name, kind, start_line, end_line, fingerprint)
       SELECT f.number, n.value ->> 0, n.value ->> 1, n.value ->> 2, n.value ->> 3, n.value ->> 4, n.value ->> 5
       FROM given AS f CROSS JOIN json_each(f.nodes) AS n WHERE true
       ON CONFLICT (file_number, path) DO UPDATE SET name = excluded.name, kind = excluded.kind,
         start_line = excluded.start_line, end_line = excluded.end_line, fingerprint = excluded.fingerprint`,
      { files: listOf(page) },
    );
  }
}

async function removeOthers(writer: Writer, files: string): Promise<void> {
  await writer.run(
    `WITH ${given}, kept AS MATERIALIZED (
       SELECT f.number, n.value ->> 0 AS path FROM given AS f CROSS JOIN json_each(f.nodes) AS n)
     DELETE FROM code_nodes WHERE file_number IN (SELECT number FROM given)
       AND (file_number, path) NOT IN (SELECT number, path FROM kept)`,
    { files },
  );
}

// A file is taken apart once, not once for each of its nodes: 6,000 functions in one file took 5 s (2026-11).
const given = `given AS MATERIALIZED (SELECT value ->> 0 AS number, value -> 1 AS nodes FROM json_each(:files))`;

function listOf(files: readonly { number: number; nodes: string }[]): string {
  return `[${files.map(({ number, nodes }) => `[${number},${nodes}]`).join(",")}]`;
}

/** The symbols of files, before they are replaced. */
export async function listSymbols(reader: Reader, numbers: readonly number[]): Promise<SymbolKey[]> {
  if (numbers.length === 0) return [];
  const rows = await reader.rows(
    `SELECT f.path AS file, n.path, n.name, n.kind, n.fingerprint
     FROM json_each(:numbers) AS wanted CROSS JOIN code_files AS f ON f.number = wanted.value
     CROSS JOIN code_nodes AS n ON n.file_number = f.number
     WHERE n.path <> ''`,
    { numbers: JSON.stringify(numbers) },
  );
  return rows.map(({ file, path, name, kind, fingerprint }) => ({
    file: String(file),
    path: String(path),
    name: String(name),
    kind: String(kind) as NodeKind,
    ...(typeof fingerprint === "string" && { fingerprint }),
  }));
}

/** What these files define; a file that is not in the tree is not in the answer. */
export async function listDefined(
  reader: Reader,
  tree: Tree,
  files: readonly string[],
): Promise<Map<string, { path: string; name: string }[]>> {
  const rows = await reader.rows(
    `SELECT f.path AS file, n.path, n.name
     FROM json_each(:files) AS wanted CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = wanted.value
     LEFT JOIN code_nodes AS n ON n.file_number = f.number AND n.path <> ''`,
    { tree: tree.number, files: JSON.stringify(files) },
  );
  const defined = new Map<string, { path: string; name: string }[]>();
  for (const { file, path, name } of rows) {
    const known = defined.get(String(file)) ?? [];
    defined.set(String(file), known);
    if (path !== null) known.push({ path: String(path), name: String(name) });
  }
  return defined;
}

/** Which of these nodes, files and symbols by id, one of the trees has. */
export async function listPresent(
  reader: Reader,
  trees: readonly Tree[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (trees.length === 0 || ids.length === 0) return new Set();
  const wanted = ids.map((id) => {
    const { file, symbol } = parseNodeId(id);
    return [id, file, symbol];
  });
  const rows = await reader.rows(
    `SELECT DISTINCT w.value ->> 0 AS id FROM json_each(:wanted) AS w CROSS JOIN json_each(:trees) AS t
     CROSS JOIN code_files AS f ON f.tree_number = t.value AND f.path = w.value ->> 1
     CROSS JOIN code_nodes AS n ON n.file_number = f.number AND n.path = w.value ->> 2`,
    { wanted: JSON.stringify(wanted), trees: JSON.stringify(trees.map(({ number }) => number)) },
  );
  return new Set(rows.map((row) => String(row["id"])));
}
