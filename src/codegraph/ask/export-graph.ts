import type { Store } from "../../storage/storage.js";
import type { EdgeKind, Tree } from "../codegraph.js";
import { listExportedFiles, readFileEdges, readFileNodes, type ExportedFile } from "./export-queries.js";
import { openFormat, type GraphFormatName } from "./graph-formats.js";

export interface ExportGraphOptions {
  /** Default: json. */
  format?: GraphFormatName;
  /** Only edges of these kinds. */
  kinds?: readonly EdgeKind[];
  /** Only files whose path begins so, and the edges between them. */
  files?: string;
  /** Everything, or files only with one edge of a kind between two, the surest. Default: file to draw, else symbol. */
  level?: "file" | "symbol";
}

// Many enough that asking costs nothing, few enough that no piece is large: 100 files are about 5,000 edges.
const filesPerPage = 100;

/**
 * The graph of a tree as text, piece by piece, in the order of files, symbols and kinds. What comes is whole in itself:
 * no edge has an end that is not among the nodes, even where the tree is indexed meanwhile.
 *
 * @example
 * for await (const piece of exportGraph(store, tree, { format: "dot", files: "src/" })) process.stdout.write(piece)
 */
export async function* exportGraph(
  store: Pick<Store, "read">,
  tree: Tree,
  { format = "json", kinds, files = "", level = format === "json" ? "symbol" : "file" }: ExportGraphOptions = {},
): AsyncGenerator<string, void, undefined> {
  const write = openFormat(format);
  const pages = pagesOf(await store.read((reader) => listExportedFiles(reader, tree, files)));
  const ids = new Set<string>();

  yield write.begin;
  for (const page of pages) {
    const nodes = await store.read((reader) => readFileNodes(reader, page, level));
    let text = "";
    for (const node of nodes) {
      text += write.node(node, ids.size === 0);
      ids.add(node.id);
    }
    yield text;
  }
  yield write.between;
  let count = 0;
  for (const page of pages) {
    const edges = await store.read((reader) => readFileEdges(reader, tree, page, level, kinds));
    let text = "";
    for (const edge of edges) {
      if (!ids.has(edge.from) || !ids.has(edge.to)) continue;
      text += write.edge(edge, count === 0);
      count += 1;
    }
    yield text;
  }
  yield write.end;
}

function pagesOf(files: readonly ExportedFile[]): ExportedFile[][] {
  const pages: ExportedFile[][] = [];
  for (let at = 0; at < files.length; at += filesPerPage) pages.push(files.slice(at, at + filesPerPage));
  return pages;
}
