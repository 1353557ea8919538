import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { jsonPagesOf } from "../tree/pages-of.js";
import type { NodeRange } from "./claim-sites.js";

/** A file of the tree that a document may be about. */
export interface IndexedFile {
  number: number;
  path: string;
  hash: string;
  /** Whether it has facts of its own, which an index only makes sure. */
  hasFacts: boolean;
  /** Why nothing of it is known. */
  problem?: string;
  nodes: NodeRange[];
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
