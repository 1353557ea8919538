import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { jsonPagesOf, pagesOf } from "../pages-of.js";
import type { NodePlace } from "./claim-sites.js";

/** A file of the tree that a document may be about. */
export interface IndexedFile {
  number: number;
  path: string;
  hash: string;
  /** Whether it has facts of its own, which an index only makes sure. */
  hasFacts: boolean;
  /** Why nothing of it is known. */
  problem?: string;
  nodes: NodePlace[];
}

/** These files as they are indexed, by path, with what they define. */
export async function readIndexedFiles(
  reader: Reader,
  tree: Tree,
  paths: readonly string[],
): Promise<Map<string, IndexedFile>> {
  const rows = await reader.rows(
    `SELECT f.number, f.path, f.hash, f.language, f.state, f.problem,
       (SELECT json_group_array(json_array(n.path, n.name, n.start_line, n.end_line))
        FROM code_nodes AS n WHERE n.file_number = f.number) AS nodes
     FROM json_each(:paths) AS wanted CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = wanted.value`,
    { tree: tree.number, paths: JSON.stringify(paths) },
  );
  return new Map(
    rows.map((row) => {
      const nodes = JSON.parse(String(row["nodes"])) as [string, string, number, number][];
      const file: IndexedFile = {
        number: Number(row["number"]),
        path: String(row["path"]),
        hash: String(row["hash"]),
        hasFacts: row["language"] !== null,
        ...(row["state"] === "skipped" && { problem: String(row["problem"] ?? "was left out of the index") }),
        nodes: nodes.map(([path, name, start, end]) => ({ path, name, start, end })),
      };
      return [file.path, file];
    }),
  );
}

/** What is kept of an index for one file. */
export interface SaidFile {
  number: number;
  /** Of the text that it speaks of. */
  hash: string;
  /** A `Said` as JSON. */
  said: string;
}

/** Keeps what an index says of files, unless they were read anew meanwhile; gives whose. They are to be linked anew. */
export async function putSaid(writer: Writer, files: readonly SaidFile[]): Promise<Set<number>> {
  const kept = new Set<number>();
  for (const page of pagesOf(files, ({ said }) => said.length)) {
    const rows = page.map((_, at) => `(:n${at}, :h${at}, :s${at})`);
    const args = page.flatMap(({ number, hash, said }, at): [string, bigint | string][] => [
      [`n${at}`, BigInt(number)],
      [`h${at}`, hash],
      [`s${at}`, said],
    ]);
    const put = await writer.rows(
      `WITH given (number, hash, said) AS (VALUES ${rows.join(", ")})
       INSERT INTO code_scip (file_number, hash, said)
       SELECT f.number, g.hash, g.said FROM given AS g CROSS JOIN code_files AS f ON f.number = g.number AND f.hash = g.hash
       WHERE true ON CONFLICT (file_number) DO UPDATE SET hash = excluded.hash, said = excluded.said
       RETURNING file_number`,
      Object.fromEntries(args),
    );
    const numbers = put.map((row) => Number(row["file_number"]));
    for (const number of numbers) kept.add(number);
    await writer.run("UPDATE code_files SET is_linked = 0 WHERE number IN (SELECT value FROM json_each(:numbers))", {
      numbers: JSON.stringify(numbers),
    });
  }
  return kept;
}

/** What other files can see of files that have no facts but those of an index. */
export async function putSurfaces(
  writer: Writer,
  files: readonly { number: number; surface: string }[],
): Promise<void> {
  await writer.run(
    `UPDATE code_files SET surface = given.surface
     FROM (SELECT value ->> 0 AS number, value ->> 1 AS surface FROM json_each(:files)) AS given
     WHERE code_files.number = given.number`,
    { files: JSON.stringify(files.map(({ number, surface }) => [number, surface])) },
  );
}

/** Keeps the names that SCIP has for nodes, in the place of those that it had for these files. */
export async function putSymbols(
  writer: Writer,
  tree: Tree,
  numbers: readonly number[],
  symbols: readonly [symbol: string, file: number, path: string][],
): Promise<void> {
  await writer.run("DELETE FROM code_scip_symbols WHERE file_number IN (SELECT value FROM json_each(:numbers))", {
    numbers: JSON.stringify(numbers),
  });
  for (const page of jsonPagesOf(symbols)) {
    await writer.run(
      `INSERT INTO code_scip_symbols (tree_number, symbol, file_number, node_path)
       SELECT :tree, value ->> 0, value ->> 1, value ->> 2 FROM json_each(:symbols) WHERE true ON CONFLICT DO NOTHING`,
      { tree: tree.number, symbols: page },
    );
  }
}

/** What an index says of files, each a `Said` as JSON, where they still are what it was made of. */
export async function readSaid(reader: Reader, numbers: readonly number[]): Promise<Map<number, string>> {
  const rows = await reader.rows(
    `SELECT s.file_number, s.said FROM json_each(:numbers) AS wanted
     CROSS JOIN code_scip AS s ON s.file_number = wanted.value
     CROSS JOIN code_files AS f ON f.number = s.file_number AND f.hash = s.hash`,
    { numbers: JSON.stringify(numbers) },
  );
  return new Map(rows.map((row) => [Number(row["file_number"]), String(row["said"])]));
}

/** Files that nobody but an index could read have nothing once they have changed. */
export async function forgetSaid(writer: Writer, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const args = { numbers: JSON.stringify(numbers) };
  await writer.run("DELETE FROM code_scip WHERE file_number IN (SELECT value FROM json_each(:numbers))", args);
  await writer.run("DELETE FROM code_facts WHERE file_number IN (SELECT value FROM json_each(:numbers))", args);
}

/** How many edges of a tree come from an index. */
export async function countPrecise(reader: Reader, tree: Tree): Promise<number> {
  const [row] = await reader.rows(
    `SELECT count(*) AS edges FROM code_files AS f CROSS JOIN code_scip AS s ON s.file_number = f.number
     CROSS JOIN code_nodes AS n ON n.file_number = f.number
     CROSS JOIN code_edges AS e ON e.from_node = n.number AND e.source = 'scip'
     WHERE f.tree_number = :tree`,
    { tree: tree.number },
  );
  return Number(row?.["edges"] ?? 0);
}
