import type { Reader, SqlArgs } from "../../storage/storage.js";
import { nodeId } from "../../base/ids/ids.js";
import type { CodeNode, NodeKind, Tree } from "../codegraph.js";

/** A node with what the tables know it by. */
export interface NumberedNode {
  number: number;
  /** Within its file; empty for the file itself. */
  path: string;
  node: CodeNode;
}

/** The nodes of a tree that have these numbers. A number of another tree is left out. */
export async function readNodes(
  reader: Reader,
  tree: Tree,
  numbers: Iterable<number>,
): Promise<Map<number, NumberedNode>> {
  const nodes = await selectNodes(
    reader,
    `FROM json_each(:numbers) AS wanted CROSS JOIN code_nodes AS n ON n.number = wanted.value
     CROSS JOIN code_files AS f ON f.number = n.file_number AND f.tree_number = :tree`,
    { tree: tree.number, numbers: JSON.stringify([...numbers]) },
  );
  return new Map(nodes.map((node) => [node.number, node]));
}

/** The nodes `n` of files `f` that the rest of a statement tells. */
export async function selectNodes(reader: Reader, rest: string, args: SqlArgs): Promise<NumberedNode[]> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(n.number, f.path, n.path, n.name, n.kind, n.start_line, n.end_line)) AS nodes ${rest}`,
    args,
  );
  type Listed = [number, file: string, path: string, name: string, kind: NodeKind, startLine: number, endLine: number];
  const listed = JSON.parse(String(row?.["nodes"] ?? "[]")) as Listed[];
  return listed.map(([number, file, path, name, kind, startLine, endLine]) => ({
    number,
    path,
    node: { id: nodeId(file, path), kind, name, file, startLine, endLine },
  }));
}
