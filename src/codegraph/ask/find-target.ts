import { MemoryError } from "../../base/memory-error.js";
import { parseNodeId } from "../../base/ids/ids.js";
import type { Reader } from "../../storage/storage.js";
import type { CodeNode, Tree } from "../codegraph.js";
import { closeNames } from "./close-names.js";
import { selectNodes, type NumberedNode } from "./read-nodes.js";

/** What is asked about. */
export interface Target {
  kind: "file" | "folder" | "symbol";
  /** What was named: the file, the symbol, or each file of the folder. */
  nodes: CodeNode[];
  /** All that it consists of: the symbols of a file, the members of a class. */
  own: NumberedNode[];
}

const maxCandidates = 5;

/**
 * The part of a tree that a person or a program names: `src/a.ts`, `src/memory/`, `src/a.ts#Store.read`, `src/a.ts#read`
 * where that is one symbol of the file, `Store.read` or `read` where that is one of the tree. Paths are seen from the
 * root. What is not there, or could be several, is refused with what may have been meant. Several ids are one target, such as
 * all the places that a pattern applies to; of these, what is not there is left out.
 *
 * @example
 * const { nodes } = await findTarget(reader, tree, "src/store.ts#Store.read")
 */
export async function findTarget(reader: Reader, tree: Tree, target: string | readonly string[]): Promise<Target> {
  if (typeof target !== "string") return findAll(reader, tree, target);
  const wanted = target.trim().replace(/^(?:\.\/)+/, "");
  if (wanted === "." || (wanted === "" && target.includes("."))) throw wholeTree();
  const place = await findPlace(reader, tree, wanted);
  if (place) return place;
  // As C++, Rust and Ruby write it: `Store::read()`.
  const symbol = wanted.replace(/\(\)$/, "").replaceAll("::", ".");
  const { file } = parseNodeId(symbol);
  const precise = wanted.includes(" ") ? await listBySymbol(reader, tree, wanted) : [];
  const found =
    precise.length > 0
      ? precise
      : file === symbol
        ? await listNamed(reader, tree, symbol)
        : await listOfFile(reader, tree, file, symbol);
  const [first] = found;
  if (first && found.length === 1) return ofSymbol(reader, tree, first);
  throw first ? ambiguous(target, found) : await notFound(reader, tree, wanted);
}

async function findAll(reader: Reader, tree: Tree, ids: readonly string[]): Promise<Target> {
  const found: Target[] = [];
  for (const id of ids) {
    const place = await findPlace(reader, tree, id);
    const [symbol, ...others] = place ? [] : await listOfFile(reader, tree, parseNodeId(id).file, id);
    if (place) found.push(place);
    else if (symbol && others.length === 0) found.push(await ofSymbol(reader, tree, symbol));
  }
  if (found.length === 0) throw noneFound(ids);
  const own = new Map(found.flatMap((one) => one.own.map((node) => [node.number, node] as const)));
  const nodes = new Map(found.flatMap((one) => one.nodes.map((node) => [node.id, node] as const)));
  // Of a symbol the tests of its file are looked for, which for a file were reached anyway.
  const kind = found.some((one) => one.kind === "symbol") ? "symbol" : "folder";
  return { kind, nodes: [...nodes.values()].toSorted(byId), own: [...own.values()] };
}

async function findPlace(reader: Reader, tree: Tree, path: string): Promise<Target | undefined> {
  if (path === "") return undefined;
  const folder = path.endsWith("/") ? path : `${path}/`;
  const own = await selectNodes(
    reader,
    `FROM code_files AS f CROSS JOIN code_nodes AS n ON n.file_number = f.number
     WHERE f.tree_number = :tree AND (f.path = :path OR (f.path >= :folder AND f.path < :after))`,
    // The zero comes right after the slash.
    { tree: tree.number, path, folder, after: `${folder.slice(0, -1)}0` },
  );
  const nodes = own.filter((node) => node.path === "").map(({ node }) => node);
  if (nodes.length === 0) return undefined;
  return { kind: nodes[0]?.id === path ? "file" : "folder", nodes: nodes.toSorted(byId), own };
}

async function listOfFile(reader: Reader, tree: Tree, file: string, id: string): Promise<NumberedNode[]> {
  return pick(await listFile(reader, tree, file), parseNodeId(id).symbol);
}

/** What SCIP calls so: `scip-typescript npm shop 1.0.0 src/`a.ts`/open().` */
async function listBySymbol(reader: Reader, tree: Tree, symbol: string): Promise<NumberedNode[]> {
  return selectNodes(
    reader,
    `FROM code_scip_symbols AS s CROSS JOIN code_files AS f ON f.number = s.file_number
     CROSS JOIN code_nodes AS n ON n.file_number = s.file_number AND n.path = s.node_path
     WHERE s.tree_number = :tree AND s.symbol = :symbol`,
    { tree: tree.number, symbol },
  );
}

async function listFile(reader: Reader, tree: Tree, file: string): Promise<NumberedNode[]> {
  return selectNodes(
    reader,
    `FROM code_files AS f CROSS JOIN code_nodes AS n ON n.file_number = f.number
     WHERE f.tree_number = :tree AND f.path = :file`,
    { tree: tree.number, file },
  );
}

async function listNamed(reader: Reader, tree: Tree, symbol: string): Promise<NumberedNode[]> {
  const nodes = await selectNodes(
    reader,
    `FROM code_nodes AS n CROSS JOIN code_files AS f ON f.number = n.file_number
     WHERE n.name IN (:symbol, :last) AND n.path <> '' AND f.tree_number = :tree`,
    { tree: tree.number, symbol, last: symbol.slice(symbol.lastIndexOf(".") + 1).replace(/~\d+$/, "") },
  );
  return pick(nodes, symbol);
}

/**
 * Those that are called exactly so, else those that end so: what is inside something else can be named in full. A second
 * one of its name in the same place, such as the setter beside the getter, goes with the first.
 */
function pick(nodes: readonly NumberedNode[], symbol: string): NumberedNode[] {
  const exact = nodes.filter(({ path }) => path === symbol && path !== "");
  const found = exact.length > 0 ? exact : nodes.filter(({ path }) => withoutCount(path).endsWith(`.${symbol}`));
  const ids = new Set(found.map(({ node }) => node.id));
  return found
    .filter(({ node }) => withoutCount(node.id) === node.id || !ids.has(withoutCount(node.id)))
    .toSorted((a, b) => byId(a.node, b.node));
}

function withoutCount(path: string): string {
  return path.replace(/~\d+$/, "");
}

async function ofSymbol(reader: Reader, tree: Tree, { path, node }: NumberedNode): Promise<Target> {
  const nodes = await listFile(reader, tree, node.file);
  const own = nodes.filter(
    (other) =>
      other.path === path ||
      other.path.startsWith(`${path}.`) ||
      (other.path.startsWith(`${path}~`) && /^\d+(?:\.|$)/.test(other.path.slice(path.length + 1))),
  );
  return { kind: "symbol", nodes: [node], own };
}

function ambiguous(target: string, found: readonly NumberedNode[]): MemoryError {
  const ids = found.map(({ node }) => node.id);
  const more = ids.length > maxCandidates ? `, or one of ${ids.length - maxCandidates} more` : "";
  return new MemoryError(
    "node-not-found",
    `${target} could be any of ${ids.length} symbols.`,
    `Name one of them: ${ids.slice(0, maxCandidates).join(", ")}${more}.`,
  );
}

function noneFound(ids: readonly string[]): MemoryError {
  const named = ids.slice(0, maxCandidates).join(", ");
  return new MemoryError(
    "node-not-found",
    ids.length === 0 ? "No code is known that it leads to." : `Nothing of what it leads to is in the index: ${named}.`,
    "State where it applies: tacit pattern NAME --applies-to FILE, or tacit decision NAME --about FILE.",
  );
}

function wholeTree(): MemoryError {
  return new MemoryError(
    "invalid-input",
    "This is the whole tree: nothing outside of it is known.",
    "Name a folder, a file or a symbol in it: tacit impact src/",
  );
}

async function notFound(reader: Reader, tree: Tree, wanted: string): Promise<MemoryError> {
  const [any] = await reader.rows("SELECT 1 FROM code_files WHERE tree_number = :tree LIMIT 1", { tree: tree.number });
  if (!any) {
    const hint = "tacit index takes in what is there; what git ignores is left out.";
    return new MemoryError("node-not-found", "The index of this folder holds no file.", hint);
  }
  const { file, symbol } = parseNodeId(wanted);
  const ofFile = symbol === "" ? [] : (await listFile(reader, tree, file)).filter(({ path }) => path !== "");
  const candidates = ofFile.length > 0 ? ofFile : await listAlike(reader, tree, wanted);
  const close = closeNames(
    ofFile.length > 0 ? symbol : wanted,
    candidates.map(({ node }) => node.id),
    maxCandidates,
  );
  return new MemoryError(
    "node-not-found",
    `There is no file, folder or symbol ${wanted} in the index.`,
    close.length > 0
      ? `Did you mean ${close.join(", ")}?`
      : "Name a file from the project's root, or a symbol: src/store.ts#Store.read. tacit index takes in what is new.",
  );
}

// Of a large tree, these are told apart more closely. A name has rarely more pairs of letters.
const maxAlike = 500;
const maxPairs = 40;

/** The nodes whose names share most pairs of letters with the end of what was wanted: also with letters in another order. */
async function listAlike(reader: Reader, tree: Tree, wanted: string): Promise<NumberedNode[]> {
  const end = wanted.slice(Math.max(wanted.lastIndexOf("/"), wanted.lastIndexOf("#")) + 1).toLowerCase();
  const pairs = [...new Set(Array.from({ length: Math.max(0, end.length - 1) }, (_, at) => end.slice(at, at + 2)))];
  const asked = pairs.slice(0, maxPairs);
  if (asked.length === 0) return [];
  const shared = asked.map((_, at) => `(instr(lower(n.name), :p${at}) > 0)`).join(" + ");
  return selectNodes(
    reader,
    `FROM (SELECT n.number, ${shared} AS shared
       FROM code_files AS f CROSS JOIN code_nodes AS n ON n.file_number = f.number
       WHERE f.tree_number = :tree AND shared > 0
       ORDER BY shared DESC, length(n.name), f.path, n.path LIMIT ${maxAlike}) AS alike
     CROSS JOIN code_nodes AS n ON n.number = alike.number CROSS JOIN code_files AS f ON f.number = n.file_number`,
    { tree: tree.number, ...Object.fromEntries(asked.map((pair, at) => [`p${at}`, pair])) },
  );
}

function byId(a: CodeNode, b: CodeNode): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
