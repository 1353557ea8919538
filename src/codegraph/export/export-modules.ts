import { parseNodeId } from "../../base/ids/ids.js";
import type { Reader } from "../../storage/storage.js";
import { openFormat, type GraphFormatName } from "./graph-formats.js";
import type { EdgeSource, MeaningKind, Tree } from "../codegraph.js";
import { listEntryPoints } from "../modules/list-entry-points.js";
import { findFlows } from "../modules/find-flows.js";
import { listStoredEdges } from "../modules/module-edge-queries.js";
import { moduleId, type EntryPoint, type Flow, type Module } from "../modules/module-types.js";
import { readModules, type Modules } from "../modules/read-modules.js";
import { isTestFile } from "../languages/is-test-file.js";

export interface ExportModulesOptions {
  format: GraphFormatName;
  /** Only edges of these kinds. Default: all as JSON, the imports in a drawing. */
  kinds?: readonly string[];
  /** Only modules with files whose path begins so. */
  files: string;
}

interface Edge {
  from: string;
  to: string;
  kind: "imports" | MeaningKind;
  confidence: number;
  source: EdgeSource;
  /** How many imports of files it stands for. */
  imports?: number;
}

/**
 * The modules of a tree as a graph: who imports from whom, what each is entered by, and where that leads. Files and symbols
 * are nodes of it as far as an edge needs them.
 */
export async function exportModules(
  reader: Reader,
  tree: Tree,
  { format, kinds = format === "json" ? undefined : ["imports"], files }: ExportModulesOptions,
): Promise<string[]> {
  const modules = await readModules(reader, tree);
  const list = modules.list.filter((module) =>
    [...module.files, ...module.tests].some((file) => file.startsWith(files)),
  );
  const names = new Set(list.map(({ name }) => name));
  const wants = (kind: Edge["kind"]) => kinds === undefined || kinds.includes(kind);
  const edges = wants("imports") ? listImports(modules, names) : [];
  if (wants("is_entrypoint_for") || wants("flows_to")) {
    const kept = await listStoredEdges(reader, tree);
    for (const module of list) {
      const entries = await listEntryPoints(reader, modules, module);
      const told = kept.of(module, modules);
      if (wants("is_entrypoint_for")) edges.push(...entryEdges(module, [...entries, ...told.entryPoints]));
      if (!wants("flows_to")) continue;
      edges.push(...flowEdges([...(await findFlows(reader, modules, module, entries)), ...told.flows], names));
    }
  }
  return write(format, list, edges);
}

function listImports({ imports, nameOf }: Modules, names: ReadonlySet<string>): Edge[] {
  const counts = new Map<string, Edge & { imports: number }>();
  for (const [file, targets] of imports) {
    const from = isTestFile(file) ? undefined : nameOf(file);
    for (const target of targets) {
      const to = nameOf(target);
      if (from === undefined || to === undefined || from === to || !names.has(from) || !names.has(to)) continue;
      const key = `${from}\n${to}`;
      const edge = counts.get(key) ?? {
        from: moduleId(from),
        to: moduleId(to),
        kind: "imports",
        confidence: 1,
        source: "ast",
        imports: 0,
      };
      edge.imports += 1;
      counts.set(key, edge);
    }
  }
  return [...counts.values()].toSorted(byEnds);
}

/** To files, the surest of each. */
function entryEdges({ name }: Module, entries: readonly EntryPoint[]): Edge[] {
  const files = new Map<string, Edge>();
  for (const { node, source, confidence } of entries) {
    if (files.has(node.file)) continue;
    files.set(node.file, { from: moduleId(name), to: node.file, kind: "is_entrypoint_for", confidence, source });
  }
  return [...files.values()].toSorted(byEnds);
}

function flowEdges(flows: readonly Flow[], names: ReadonlySet<string>): Edge[] {
  const edges = new Map<string, Edge>();
  for (const { from, to, module, source, confidence } of flows) {
    const key = `${from}\n${to}`;
    if (names.has(module) && !edges.has(key)) edges.set(key, { from, to, kind: "flows_to", confidence, source });
  }
  return [...edges.values()].toSorted(byEnds);
}

function write(format: GraphFormatName, list: readonly Module[], edges: readonly Edge[]): string[] {
  const graph = openFormat(format);
  const ends = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((id) => !id.startsWith("module:"));
  const nodes = [
    ...list.map(({ name, folder, files, tests }) => ({
      id: moduleId(name),
      kind: "module" as const,
      name,
      folder,
      files: files.length,
      tests: tests.length,
    })),
    ...ends
      .toSorted()
      .map((id) => ({ id, kind: parseNodeId(id).symbol === "" ? ("file" as const) : ("symbol" as const) })),
  ];
  return [
    graph.begin,
    nodes.map((node, at) => graph.node(node, at === 0)).join(""),
    graph.between,
    edges.map((edge, at) => graph.edge(edge, at === 0)).join(""),
    graph.end,
  ];
}

function byEnds(a: Edge, b: Edge): number {
  return a.from === b.from ? (a.to < b.to ? -1 : 1) : a.from < b.from ? -1 : 1;
}
