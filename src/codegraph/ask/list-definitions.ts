import { nodeId } from "../../base/ids/ids.js";
import type { Reader } from "../../storage/storage.js";
import type { CodeNode, NodeKind, Tree } from "../codegraph.js";

/** A symbol with what it is recognised by elsewhere. */
export interface Definition extends CodeNode {
  /** Within its file: `Store.read`. */
  path: string;
  fingerprint?: string;
}

/** How a file was read: its hash, and whether all of it could be parsed. */
export interface ReadState {
  hash: string;
  state: "whole" | "partial" | "text" | "skipped";
}

/** Every file of a tree. One value instead of a row each: the driver takes longer for a row than SQLite. */
export async function listReadFiles(reader: Reader, tree: Tree): Promise<Map<string, ReadState>> {
  const [row] = await reader.rows(
    "SELECT json_group_array(json_array(path, hash, state)) AS files FROM code_files WHERE tree_number = :tree",
    { tree: tree.number },
  );
  const files = JSON.parse(String(row?.["files"] ?? "[]")) as [string, string, ReadState["state"]][];
  return new Map(files.map(([path, hash, state]) => [path, { hash, state }]));
}

/** What these files define. */
export async function listDefinitionsIn(reader: Reader, tree: Tree, files: readonly string[]): Promise<Definition[]> {
  return select(
    reader,
    `FROM json_each(:wanted) AS w CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = w.value
     CROSS JOIN code_nodes AS n ON n.file_number = f.number AND n.path <> ''`,
    tree,
    files,
  );
}

/** Whatever has one of these names, in any file: `read` of `Store.read`. */
export async function listDefinitionsNamed(
  reader: Reader,
  tree: Tree,
  names: readonly string[],
): Promise<Definition[]> {
  return select(
    reader,
    `FROM json_each(:wanted) AS w CROSS JOIN code_nodes AS n ON n.name = w.value AND n.path <> ''
     CROSS JOIN code_files AS f ON f.number = n.file_number AND f.tree_number = :tree`,
    tree,
    names,
  );
}

/** Whatever has one of these bodies, under any name. */
export async function listDefinitionsLike(
  reader: Reader,
  tree: Tree,
  fingerprints: readonly string[],
): Promise<Definition[]> {
  return select(
    reader,
    `FROM code_files AS f CROSS JOIN code_nodes AS n ON n.file_number = f.number
     WHERE f.tree_number = :tree AND n.path <> '' AND n.fingerprint IN (SELECT value FROM json_each(:wanted))`,
    tree,
    fingerprints,
  );
}

async function select(reader: Reader, rest: string, tree: Tree, wanted: readonly string[]): Promise<Definition[]> {
  if (wanted.length === 0) return [];
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(f.path, n.path, n.name, n.kind, n.start_line, n.end_line, n.fingerprint)) AS nodes
     ${rest}`,
    { tree: tree.number, wanted: JSON.stringify([...new Set(wanted)]) },
  );
  type Listed = [string, string, string, NodeKind, number, number, string | null];
  return (JSON.parse(String(row?.["nodes"] ?? "[]")) as Listed[]).map(
    ([file, path, name, kind, startLine, endLine, fingerprint]) => ({
      id: nodeId(file, path),
      file,
      path,
      name,
      kind,
      startLine,
      endLine,
      ...(fingerprint !== null && { fingerprint }),
    }),
  );
}
