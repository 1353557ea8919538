import type { Reader } from "../../storage/storage.js";
import type { ConceptEdgeKind, EdgeKind, MeaningKind, Tree } from "../codegraph.js";
import { buildConceptLayer, type ConceptWithPlaces } from "../concepts/concept-layer.js";
import { listExportedFiles, readFileEdges, readFileNodes, type ExportedFile } from "./export-queries.js";
import { openFormat, type GraphFormatName } from "./graph-formats.js";

export interface ExportGraphOptions {
  /** Default: json. */
  format?: GraphFormatName;
  /** Only edges of these kinds. */
  kinds?: readonly (EdgeKind | MeaningKind | ConceptEdgeKind)[];
  /** Only files whose path begins so, and the edges between them. */
  files?: string;
  /**
   * Everything, or files only with one edge of a kind between two, the surest, or modules. Default: file to draw, else
   * symbol.
   */
  level?: "module" | "file" | "symbol";
}

// Many enough that asking costs nothing, few enough that no piece is large: 100 files are about 5,000 edges.
const filesPerPage = 100;

/**
 * The graph of a tree as text, in pieces, in the order of files, symbols and kinds; then patterns and decisions. All of it is read before the first piece
 * is given: within one snapshot it is of one moment, and whoever takes the pieces slowly keeps nobody from writing.
 *
 * @example
 * for (const piece of await exportGraph(reader, tree, { format: "dot", files: "src/" })) process.stdout.write(piece)
 */
export async function exportGraph(
  reader: Reader,
  tree: Tree,
  { format = "json", kinds, files = "", level = format === "json" ? "symbol" : "file" }: ExportGraphOptions = {},
  concepts: readonly ConceptWithPlaces[] = [],
): Promise<string[]> {
  if (level === "module") {
    const { exportModules } = await import("./export-modules.js");
    return exportModules(reader, tree, { format, files, ...(kinds && { kinds }) });
  }
  const write = openFormat(format);
  const pages = pagesOf(await listExportedFiles(reader, tree, files));
  const ids = new Set<string>();
  const pieces = [write.begin];
  for (const page of pages) {
    let text = "";
    for (const node of await readFileNodes(reader, page, level)) {
      text += write.node(node, ids.size === 0);
      ids.add(node.id);
    }
    pieces.push(text);
  }
  const layer = buildConceptLayer(concepts, ids, kinds);
  pieces.push(layer.nodes.map((node) => write.node(node, false)).join(""), write.between);
  let count = 0;
  for (const page of pages) {
    let text = "";
    for (const edge of await readFileEdges(reader, tree, page, level, kinds)) {
      // One that leads out of what was asked for.
      if (!ids.has(edge.from) || !ids.has(edge.to)) continue;
      text += write.edge(edge, count === 0);
      count += 1;
    }
    pieces.push(text);
  }
  const known = layer.edges.map((edge, at) => write.edge(edge, count + at === 0)).join("");
  return [...pieces, known, write.end];
}

function pagesOf(files: readonly ExportedFile[]): ExportedFile[][] {
  const pages: ExportedFile[][] = [];
  for (let at = 0; at < files.length; at += filesPerPage) pages.push(files.slice(at, at + filesPerPage));
  return pages;
}
