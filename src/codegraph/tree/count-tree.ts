import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";

/** How much is known of a tree. */
export interface TreeCounts {
  files: number;
  symbols: number;
  edges: number;
  chunks: number;
  /** Places that call or import something which was not found. */
  unresolved: number;
  /** Files whose edges are still to be found. */
  waiting: number;
  /** Files that another version read. */
  outdated: number;
  /** Files of which a precise index speaks as they are. */
  precise: number;
}

/** Counts what a tree holds. Co-changes are not among the edges: they come from git. */
export async function countTree(reader: Reader, tree: Tree, extractor: string): Promise<TreeCounts> {
  const [row] = await reader.rows(
    `WITH files AS (SELECT number, hash, is_linked, extractor FROM code_files WHERE tree_number = :tree),
       nodes AS (SELECT n.number, n.path FROM files AS f CROSS JOIN code_nodes AS n ON n.file_number = f.number)
     SELECT (SELECT count(*) FROM files) AS files,
       (SELECT count(*) FROM nodes WHERE path <> '') AS symbols,
       (SELECT count(*) FROM nodes AS n CROSS JOIN code_edges AS e ON e.from_node = n.number) AS edges,
       (SELECT count(*) FROM files AS f CROSS JOIN code_chunks AS c ON c.file_number = f.number) AS chunks,
       (SELECT ifnull(sum(m.sites), 0) FROM files AS f CROSS JOIN code_misses AS m ON m.file_number = f.number) AS unresolved,
       (SELECT count(*) FROM files WHERE is_linked = 0) AS waiting,
       (SELECT count(*) FROM files WHERE extractor <> :extractor) AS outdated,
       (SELECT count(*) FROM files AS f CROSS JOIN code_scip AS s ON s.file_number = f.number AND s.hash = f.hash) AS precise`,
    { tree: tree.number, extractor },
  );
  const count = (name: string) => Number(row?.[name] ?? 0);
  return {
    files: count("files"),
    symbols: count("symbols"),
    edges: count("edges"),
    chunks: count("chunks"),
    unresolved: count("unresolved"),
    waiting: count("waiting"),
    outdated: count("outdated"),
    precise: count("precise"),
  };
}

/** The files that could not be taken in whole, and why: source files, and no pictures. */
export async function listProblems(reader: Reader, tree: Tree): Promise<{ path: string; problem: string }[]> {
  const rows = await reader.rows(
    `SELECT path, problem FROM code_files
     WHERE tree_number = :tree AND problem IS NOT NULL AND language IS NOT NULL ORDER BY path`,
    { tree: tree.number },
  );
  return rows.map((row) => ({ path: String(row["path"]), problem: String(row["problem"]) }));
}
