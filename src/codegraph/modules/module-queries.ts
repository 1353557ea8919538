import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";

/** Every file of a tree, by path, with its number. */
export async function listNumbers(reader: Reader, tree: Tree): Promise<Map<string, number>> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(path, number)) AS files FROM (
       SELECT path, number FROM code_files WHERE tree_number = :tree ORDER BY path)`,
    { tree: tree.number },
  );
  return new Map(JSON.parse(String(row?.["files"] ?? "[]")) as [string, number][]);
}

/** For each file those that it imports, or tests. */
export async function listFileEdges(
  reader: Reader,
  tree: Tree,
  kind: "imports" | "tests",
): Promise<Map<string, string[]>> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(from_path, to_path)) AS edges FROM (
       SELECT DISTINCT f.path AS from_path, t.path AS to_path
       FROM code_files AS f CROSS JOIN code_nodes AS own ON own.file_number = f.number AND own.path = ''
       CROSS JOIN code_edges AS e ON e.from_node = own.number AND e.kind = :kind
       CROSS JOIN code_nodes AS n ON n.number = e.to_node
       CROSS JOIN code_files AS t ON t.number = n.file_number AND t.tree_number = :tree
       WHERE f.tree_number = :tree ORDER BY from_path, to_path)`,
    { tree: tree.number, kind },
  );
  const edges = new Map<string, string[]>();
  for (const [from, to] of JSON.parse(String(row?.["edges"] ?? "[]")) as [string, string][]) {
    const known = edges.get(from);
    if (known) known.push(to);
    else edges.set(from, [to]);
  }
  return edges;
}

/** How often files change together with others: rows of one of these files and one beyond them. */
export interface Together {
  file: string;
  other: string;
  commits: number;
}

export async function listTogether(reader: Reader, tree: Tree, files: readonly string[]): Promise<Together[]> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_object('file', c.path, 'other', c.companion, 'commits', c.support)) AS pairs
     FROM json_each(:files) AS wanted
     CROSS JOIN code_companions AS c ON c.tree_number = :tree AND c.path = wanted.value
     CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = c.companion
     WHERE c.companion NOT IN (SELECT value FROM json_each(:files))`,
    { tree: tree.number, files: JSON.stringify(files) },
  );
  return JSON.parse(String(row?.["pairs"] ?? "[]")) as Together[];
}

/** A use of something in these files by a file beyond them. */
export interface OutsideUse {
  node: number;
  /** Within its file; empty for the file itself. */
  path: string;
  file: number;
  user: number;
  confidence: number;
}

/** Who beyond these files uses what is defined in them; not those that are to be left out. Numbers of files. */
export async function listOutsideUses(
  reader: Reader,
  files: readonly number[],
  leftOut: readonly number[],
): Promise<OutsideUse[]> {
  const [row] = await reader.rows(
    `WITH hidden AS MATERIALIZED (
       SELECT value FROM json_each(:files) UNION SELECT value FROM json_each(:leftOut))
     SELECT json_group_array(json_array(node, path, file, user, confidence)) AS uses FROM (
       SELECT n.number AS node, n.path, n.file_number AS file, user.file_number AS user, max(e.confidence) AS confidence
       FROM json_each(:files) AS wanted CROSS JOIN code_nodes AS n ON n.file_number = wanted.value
       CROSS JOIN code_edges AS e ON e.to_node = n.number
         AND e.kind IN ('calls', 'references', 'extends', 'implements', 'imports')
       CROSS JOIN code_nodes AS user ON user.number = e.from_node
       WHERE user.file_number NOT IN (SELECT value FROM hidden)
       GROUP BY n.number, user.file_number)`,
    { files: JSON.stringify(files), leftOut: JSON.stringify(leftOut) },
  );
  const listed = JSON.parse(String(row?.["uses"] ?? "[]")) as [number, string, number, number, number][];
  return listed.map(([node, path, file, user, confidence]) => ({ node, path, file, user, confidence }));
}

/** A call as the tables have it. */
export interface Call {
  from: number;
  to: number;
  toFile: number;
  confidence: number;
}

/** What is called in these files, by number. */
export async function listCalls(reader: Reader, files: readonly number[]): Promise<Call[]> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(e.from_node, e.to_node, n.file_number, e.confidence)) AS calls
     FROM json_each(:files) AS wanted CROSS JOIN code_nodes AS own ON own.file_number = wanted.value
     CROSS JOIN code_edges AS e ON e.from_node = own.number AND e.kind = 'calls'
     CROSS JOIN code_nodes AS n ON n.number = e.to_node`,
    { files: JSON.stringify(files) },
  );
  const listed = JSON.parse(String(row?.["calls"] ?? "[]")) as [number, number, number, number][];
  return listed.map(([from, to, toFile, confidence]) => ({ from, to, toFile, confidence }));
}

/** For each of these nodes the files that call it. */
export async function listCallers(reader: Reader, nodes: readonly number[]): Promise<Map<number, number[]>> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(node, files)) AS callers FROM (
       SELECT wanted.value AS node, json_group_array(DISTINCT own.file_number) AS files
       FROM json_each(:nodes) AS wanted CROSS JOIN code_edges AS e ON e.to_node = wanted.value AND e.kind = 'calls'
       CROSS JOIN code_nodes AS own ON own.number = e.from_node GROUP BY wanted.value)`,
    { nodes: JSON.stringify(nodes) },
  );
  const listed = JSON.parse(String(row?.["callers"] ?? "[]")) as [number, string | number[]][];
  return new Map(
    listed.map(([node, files]) => [node, typeof files === "string" ? (JSON.parse(files) as number[]) : files]),
  );
}
