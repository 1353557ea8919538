import type { Reader } from "../../storage/storage.js";
import { selectNodes, type NumberedNode } from "../ask/read-nodes.js";
import type { Tree } from "../codegraph.js";

// What is worth a line of its own. A property says little without the type it is of.
const kinds = "'class', 'interface', 'function', 'method', 'type', 'enum', 'variable', 'namespace'";
// What is defined inside a body is nobody else's business.
const bodies = "'function', 'method', 'variable'";
const isOutside = `n.path <> '' AND n.kind IN (${kinds}) AND (instr(n.path, '.') = 0 OR NOT EXISTS (
  SELECT 1 FROM code_nodes AS body WHERE body.file_number = n.file_number AND body.kind IN (${bodies})
  AND substr(n.path, 1, length(body.path) + 1) = body.path || '.'))`;

/** Those of these nodes that a map may show. */
export async function readMapNodes(reader: Reader, tree: Tree, numbers: readonly number[]): Promise<NumberedNode[]> {
  return selectNodes(
    reader,
    `FROM json_each(:numbers) AS wanted CROSS JOIN code_nodes AS n ON n.number = wanted.value
     CROSS JOIN code_files AS f ON f.number = n.file_number AND f.tree_number = :tree
     WHERE ${isOutside}`,
    { tree: tree.number, numbers: JSON.stringify(numbers) },
  );
}

/** The numbers of these files' own nodes, by path; without those that are not in the tree. */
export async function listFileNodes(
  reader: Reader,
  tree: Tree,
  files: readonly string[],
): Promise<Map<string, number>> {
  const nodes = await selectNodes(
    reader,
    `FROM json_each(:files) AS wanted CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = wanted.value
     CROSS JOIN code_nodes AS n ON n.file_number = f.number AND n.path = ''`,
    { tree: tree.number, files: JSON.stringify(files) },
  );
  return new Map(nodes.map(({ number, node }) => [node.file, number]));
}

export interface NodeOfFile {
  number: number;
  startLine: number;
  endLine: number;
}

/** Of each of these files its own node, and the symbols that a map may show. */
export async function listNodesWithin(
  reader: Reader,
  tree: Tree,
  files: readonly string[],
): Promise<Map<string, { file: number; symbols: NodeOfFile[] }>> {
  const nodes = await selectNodes(
    reader,
    `FROM json_each(:files) AS wanted CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = wanted.value
     CROSS JOIN code_nodes AS n ON n.file_number = f.number WHERE n.path = '' OR (${isOutside})`,
    { tree: tree.number, files: JSON.stringify(files) },
  );
  const byFile = new Map<string, { file: number; symbols: NodeOfFile[] }>();
  for (const { number, path, node } of nodes) if (path === "") byFile.set(node.file, { file: number, symbols: [] });
  for (const { number, path, node } of nodes) {
    if (path !== "") byFile.get(node.file)?.symbols.push({ number, startLine: node.startLine, endLine: node.endLine });
  }
  return byFile;
}
