import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";

const most = 20;

/**
 * For each of these files those that it is tied to, nearest first, at most 20: by the edges between them in both
 * directions, and by having changed together. A file that is not in the tree is left out.
 *
 * @example
 * (await neighbours(reader, tree, ["src/store.ts"])).get("src/store.ts") // ["src/store.test.ts", "src/row.ts"]
 */
export async function neighbours(reader: Reader, tree: Tree, files: readonly string[]): Promise<Map<string, string[]>> {
  const ties = await listTies(reader, tree, files);
  const scored = new Map<string, { other: string; score: number }[]>();
  for (const { file, other, edges, importers, together } of ties) {
    const group = scored.get(file) ?? [];
    scored.set(file, group);
    if (other !== null) group.push({ other, score: scoreOf(edges, importers) + together });
  }
  return new Map(
    [...scored].map(([file, group]) => [
      file,
      group
        .toSorted((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1))
        .slice(0, most)
        .map(({ other }) => other),
    ]),
  );
}

/**
 * A tenth edge says less than the first. What half of the tree imports is near to everything, and so to nothing: without
 * the second logarithm the first neighbours of every file would be the same few. One edge to a file that one other
 * imports weighs 0.5, as much as having changed together every second time.
 */
function scoreOf(edges: number, importers: number): number {
  return Math.log2(1 + edges) / (1 + Math.log2(1 + importers));
}

interface Tie {
  file: string;
  /** Null for a file that is there and tied to nothing. */
  other: string | null;
  /** The sum of the confidences of the edges between them. */
  edges: number;
  /** How many files import the other one. */
  importers: number;
  /** In how many of the commits of the file the other changed too, from 0 to 1. */
  together: number;
}

async function listTies(reader: Reader, tree: Tree, files: readonly string[]): Promise<Tie[]> {
  const [row] = await reader.rows(
    `WITH asked AS MATERIALIZED (
       SELECT f.number, f.path FROM (SELECT DISTINCT value FROM json_each(:files)) AS wanted
       CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = wanted.value),
     ties (file, other, edges, together) AS (
       SELECT a.path, f.path, e.confidence, 0 FROM asked AS a
       CROSS JOIN code_nodes AS own ON own.file_number = a.number
       CROSS JOIN code_edges AS e ON e.from_node = own.number AND e.kind <> 'contains'
       CROSS JOIN code_nodes AS n ON n.number = e.to_node AND n.file_number <> a.number
       CROSS JOIN code_files AS f ON f.number = n.file_number AND f.tree_number = :tree
       UNION ALL
       SELECT a.path, f.path, e.confidence, 0 FROM asked AS a
       CROSS JOIN code_nodes AS own ON own.file_number = a.number
       CROSS JOIN code_edges AS e ON e.to_node = own.number AND e.kind <> 'contains'
       CROSS JOIN code_nodes AS n ON n.number = e.from_node AND n.file_number <> a.number
       CROSS JOIN code_files AS f ON f.number = n.file_number AND f.tree_number = :tree
       UNION ALL
       SELECT a.path, c.companion, 0, c.confidence FROM asked AS a
       CROSS JOIN code_companions AS c ON c.tree_number = :tree AND c.path = a.path
       UNION ALL SELECT path, NULL, 0, 0 FROM asked),
     sums AS (SELECT file, other, sum(edges) AS edges, sum(together) AS together FROM ties GROUP BY file, other)
     SELECT json_group_array(json_object('file', s.file, 'other', s.other, 'edges', s.edges, 'together', s.together,
       'importers', (SELECT count(*) FROM code_nodes AS n
          CROSS JOIN code_edges AS e ON e.to_node = n.number AND e.kind = 'imports'
          WHERE n.file_number = f.number AND n.path = ''))) AS ties
     FROM sums AS s LEFT JOIN code_files AS f ON f.tree_number = :tree AND f.path = s.other
     WHERE s.other IS NULL OR f.number IS NOT NULL`,
    { tree: tree.number, files: JSON.stringify(files) },
  );
  return JSON.parse(String(row?.["ties"] ?? "[]")) as Tie[];
}
