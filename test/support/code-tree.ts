import { onTestFinished } from "vitest";
import type { NodeKind, Tree } from "../../src/codegraph/codegraph.js";
import { parseNodeId } from "../../src/base/ids/node-id.js";
import { ensureTree } from "../../src/codegraph/tree/tree-queries.js";
import { ensureProject } from "../../src/project/projects.js";
import { Store, type Reader, type Writer } from "../../src/storage/storage.js";

export interface CodeTreeContent {
  /**
   * `src/a.ts#Store`, or with its kind: `src/a.ts#Store interface`. What has a dot is a method, what begins with a capital
   * a class, anything else a function. Files come by themselves, and so do the ends of edges.
   */
  nodes?: string[];
  /** `src/b.ts#run calls src/a.ts#read`, with a confidence behind it where it is not 1, and a line: `0.8 :12`. */
  edges?: string[];
  /** Calls that lead to nothing known: where, what, how often. */
  misses?: [from: string, name: string, sites: number][];
  companions?: [path: string, companion: string, confidence: number][];
}

export interface CodeTree {
  store: Store;
  tree: Tree;
  /** Asks the tree. */
  ask<T>(question: (reader: Reader, tree: Tree) => Promise<T>): Promise<T>;
}

/** An indexed tree as if somebody had parsed it, in a store of the running test's own or in one that is given. */
export async function codeTree(
  { nodes = [], edges = [], misses = [], companions = [] }: CodeTreeContent,
  options: { store?: Store; project?: string; root?: string } = {},
): Promise<CodeTree> {
  const { project = "test", root = "/work" } = options;
  const store = options.store ?? new Store({ db: ":memory:", timeoutMs: 5000 });
  if (!options.store) onTestFinished(() => store.close());
  const tree = await store.write(async (writer) => {
    const { number } = await ensureProject(writer, { id: project }, new Date(0));
    const begun = await ensureTree(writer, number, root, new Date(0));
    const split = edges.map((edge) => edge.split(" "));
    const ends = split.flatMap(([from = "", , to = ""]) => [from, to]);
    const numbers = await addNodes(writer, begun, [...nodes, ...ends, ...misses.map(([from]) => from)]);
    for (const [from = "", kind = "", to = "", ...rest] of split) {
      const line = rest.find((word) => word.startsWith(":"))?.slice(1);
      await writer.run(
        `INSERT INTO code_edges (from_node, kind, to_node, tier, confidence, source, line)
         VALUES (:from, :kind, :to, 'import', :confidence, 'ast', :line)`,
        {
          from: numbers.get(from) ?? null,
          to: numbers.get(to) ?? null,
          kind,
          confidence: Number(rest.find((word) => !word.startsWith(":")) ?? 1),
          line: line === undefined ? null : BigInt(line),
        },
      );
    }
    for (const [from, name, sites] of misses) {
      const { file, symbol } = parseNodeId(from);
      await writer.run(
        `INSERT INTO code_misses (file_number, node_path, kind, name, sites)
         SELECT number, :symbol, 'call', :name, :sites FROM code_files WHERE tree_number = :tree AND path = :file`,
        { tree: begun.number, file, symbol, name, sites: BigInt(sites) },
      );
    }
    for (const [path, companion, confidence] of companions) {
      await writer.run(
        `INSERT INTO code_companions (tree_number, path, companion, support, confidence)
         VALUES (:tree, :path, :companion, 5, :confidence)`,
        { tree: begun.number, path, companion, confidence },
      );
    }
    return begun;
  });
  return { store, tree, ask: (question) => store.read((reader) => question(reader, tree)) };
}

/** The numbers of the nodes by id, those of their files too. */
async function addNodes(writer: Writer, tree: Tree, written: string[]): Promise<Map<string, number>> {
  const kinds = new Map<string, NodeKind>();
  for (const node of written) {
    const { id = "", kind } = /^(?<id>.*?)(?: (?<kind>[a-z]+))?$/s.exec(node)?.groups ?? {};
    const { file } = parseNodeId(id);
    kinds.set(file, "file");
    if (file !== id && (kind !== undefined || !kinds.has(id)))
      kinds.set(id, (kind as NodeKind | undefined) ?? guess(id));
  }
  const numbers = new Map<string, number>();
  const files = [...kinds].filter(([, kind]) => kind === "file").map(([file]) => file);
  for (const file of files) {
    await writer.run(
      `INSERT INTO code_files (tree_number, path, hash, extractor, size, modified_ms, read_ms, state, surface, is_linked)
       VALUES (:tree, :file, '', '', 0, 0, 0, 'whole', '', 1)`,
      { tree: tree.number, file },
    );
  }
  let line = 0;
  for (const [id, kind] of kinds) {
    const { file, symbol } = parseNodeId(id);
    line += 1;
    const [row] = await writer.rows(
      `INSERT INTO code_nodes (file_number, path, name, kind, start_line, end_line)
       SELECT number, :path, :name, :kind, :line, :line FROM code_files WHERE tree_number = :tree AND path = :file
       RETURNING number`,
      {
        tree: tree.number,
        file,
        path: symbol,
        name: nameOf(file, symbol),
        kind,
        line: BigInt(line),
      },
    );
    numbers.set(id, Number(row?.["number"]));
  }
  return numbers;
}

function guess(id: string): NodeKind {
  const { symbol } = parseNodeId(id);
  if (symbol.includes(".")) return "method";
  return /^[A-Z]/.test(symbol) ? "class" : "function";
}

function nameOf(file: string, symbol: string): string {
  const path = symbol === "" ? file : symbol;
  return path.slice(path.lastIndexOf(symbol === "" ? "/" : ".") + 1).replace(/~\d+$/, "");
}
