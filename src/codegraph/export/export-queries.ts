import type { Reader } from "../../storage/storage.js";
import { nodeId } from "../../base/ids/ids.js";
import type { CodeEdge, CodeNode, EdgeKind, EdgeSource, Tier, Tree } from "../codegraph.js";

export interface ExportedFile {
  number: number;
  path: string;
}

type Level = "file" | "symbol";

/** The files of a tree whose path begins so, by path. */
export async function listExportedFiles(reader: Reader, tree: Tree, prefix: string): Promise<ExportedFile[]> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_object('number', number, 'path', path)) AS files FROM (
       SELECT number, path FROM code_files
       WHERE tree_number = :tree AND substr(path, 1, length(:prefix)) = :prefix ORDER BY path)`,
    { tree: tree.number, prefix },
  );
  return JSON.parse(String(row?.["files"] ?? "[]")) as ExportedFile[];
}

/** The nodes of these files, by file and path. */
export async function readFileNodes(reader: Reader, files: readonly ExportedFile[], level: Level): Promise<CodeNode[]> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(file, path, name, kind, start_line, end_line)) AS nodes FROM (
       SELECT wanted.key AS file, n.path, n.name, n.kind, n.start_line, n.end_line
       FROM json_each(:numbers) AS wanted CROSS JOIN code_nodes AS n ON n.file_number = wanted.value
       ${level === "file" ? "WHERE n.path = ''" : ""}
       ORDER BY wanted.key, n.path)`,
    { numbers: numbersOf(files) },
  );
  type Listed = [at: number, path: string, name: string, kind: CodeNode["kind"], startLine: number, endLine: number];
  return (JSON.parse(String(row?.["nodes"] ?? "[]")) as Listed[]).map(([at, path, name, kind, startLine, endLine]) => {
    const file = files[at]?.path ?? "";
    return { id: nodeId(file, path), kind, name, file, startLine, endLine };
  });
}

/** The edges that leave these files, by their ends and kind; with those of files that change together. */
export async function readFileEdges(
  reader: Reader,
  tree: Tree,
  files: readonly ExportedFile[],
  level: Level,
  kinds: readonly string[] | undefined,
): Promise<Omit<CodeEdge, "line">[]> {
  // Of several edges between two files the surest speaks: SQLite takes the other columns from the row of the maximum.
  const [own, confidence, group] =
    level === "file"
      ? ["''", "max(e.confidence)", "WHERE n.file_number <> wanted.value GROUP BY wanted.key, f.path, e.kind"]
      : ["own.path", "e.confidence", ""];
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(at, from_path, to_file, to_path, kind, tier, confidence, source)) AS edges FROM (
       SELECT wanted.key AS at, ${own} AS from_path, f.path AS to_file, ${level === "file" ? "''" : "n.path"} AS to_path,
         e.kind AS kind, e.tier AS tier, ${confidence} AS confidence, e.source AS source
       FROM json_each(:numbers) AS wanted CROSS JOIN code_nodes AS own ON own.file_number = wanted.value
       CROSS JOIN code_edges AS e ON e.from_node = own.number ${kinds ? "AND e.kind IN (SELECT value FROM json_each(:kinds))" : ""}
       CROSS JOIN code_nodes AS n ON n.number = e.to_node
       CROSS JOIN code_files AS f ON f.number = n.file_number AND f.tree_number = :tree
       ${group}
       UNION ALL
       SELECT wanted.key, '', c.companion, '', 'changes_with', 'history', c.confidence, 'git'
       FROM json_each(:paths) AS wanted
       CROSS JOIN code_companions AS c ON c.tree_number = :tree AND c.path = wanted.value
       ${kinds ? "WHERE 'changes_with' IN (SELECT value FROM json_each(:kinds))" : ""}
       ORDER BY at, from_path, to_file, to_path, kind)`,
    {
      tree: tree.number,
      numbers: numbersOf(files),
      paths: JSON.stringify(files.map(({ path }) => path)),
      ...(kinds && { kinds: JSON.stringify(kinds) }),
    },
  );
  type Listed = [number, string, string, string, EdgeKind, Tier, number, EdgeSource];
  return (JSON.parse(String(row?.["edges"] ?? "[]")) as Listed[]).map(
    ([at, fromPath, toFile, toPath, kind, tier, confidenceOf, source]) => ({
      from: nodeId(files[at]?.path ?? "", fromPath),
      to: nodeId(toFile, toPath),
      kind,
      tier,
      confidence: confidenceOf,
      source,
    }),
  );
}

function numbersOf(files: readonly ExportedFile[]): string {
  return JSON.stringify(files.map(({ number }) => number));
}
