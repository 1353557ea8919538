import { nodeId } from "../../base/ids/ids.js";
import type { NodeKind } from "../codegraph.js";
import type { Rename } from "./find-renames.js";

/** By what a symbol is recognised. */
export interface SymbolKey {
  file: string;
  /** Within its file; empty for the file itself. */
  path: string;
  kind: NodeKind;
  name: string;
  /** The same for the same body under another name. */
  fingerprint?: string | undefined;
}

/**
 * Tells where symbols that vanished went, as ids of nodes. In this order: the same path in its renamed file; with what it
 * is written in; the same body, if nothing else of its kind that vanished or appeared has it; for what stands by itself in
 * a file the same path and kind, if it vanished from one file only and appeared in only one. What could have become two
 * things has become neither.
 *
 * @example
 * const [gone, appeared] = ["a.ts", "b.ts"].map((file) => [{ file, path: "read", kind: "function", name: "read" }]);
 * findMovedSymbols(gone, appeared, new Map()); // [{ from: "a.ts#read", to: "b.ts#read" }]
 */
export function findMovedSymbols(
  gone: readonly SymbolKey[],
  appeared: readonly SymbolKey[],
  renamedFiles: ReadonlyMap<string, string>,
): Rename[] {
  const [sources, targets] = [byId(gone), byId(appeared)];
  const moves = new Map<string, string>();
  const taken = new Set<string>();
  const settle = (claims: Claim[]): void => {
    const free = claims.filter(({ from, to }) => from !== to && targets.has(to) && !taken.has(to));
    const once = uniqueOf(free, ({ to }) => to);
    for (const { from, to } of once.values()) {
      moves.set(from, to);
      taken.add(to);
    }
  };

  settle(claimsOf(sources, ({ file, path }) => inFile(renamedFiles.get(file), path)));
  const bodies = pairUnique(sources, targets, ({ kind, fingerprint }) => fingerprint && `${kind} ${fingerprint}`);
  const paths = pairUnique(sources, targets, (symbol) => {
    // A member without its class is a member of another class of that name.
    return parentPath(symbol) === "" ? `${symbol.kind} ${symbol.path}` : undefined;
  });
  for (const level of fromOutside(sources)) {
    const settleRest = (targetOf: (symbol: SymbolKey, id: string) => string | undefined): void =>
      settle(claimsOf(level, targetOf).filter(({ from }) => !moves.has(from)));
    settleRest((symbol) => withParent(symbol, moves));
    settleRest((_, id) => bodies.get(id));
    settleRest((_, id) => paths.get(id));
  }
  return [...moves].map(([from, to]) => ({ from, to })).toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

type Claim = Rename;
type Symbols = ReadonlyMap<string, SymbolKey>;

function byId(symbols: readonly SymbolKey[]): Symbols {
  return new Map(symbols.map((symbol) => [nodeId(symbol.file, symbol.path), symbol]));
}

function claimsOf(symbols: Symbols, targetOf: (symbol: SymbolKey, id: string) => string | undefined): Claim[] {
  return [...symbols].flatMap(([from, symbol]) => {
    const to = targetOf(symbol, from);
    return to === undefined ? [] : [{ from, to }];
  });
}

function inFile(file: string | undefined, path: string): string | undefined {
  return file === undefined ? undefined : nodeId(file, path);
}

function withParent(symbol: SymbolKey, moves: ReadonlyMap<string, string>): string | undefined {
  const parent = parentPath(symbol);
  const moved = parent === "" ? undefined : moves.get(nodeId(symbol.file, parent));
  return moved === undefined ? undefined : `${moved}${symbol.path.slice(parent.length)}`;
}

/** Empty where it is written in nothing. A name may hold dots; what follows `~` tells apart what is called the same. */
function parentPath({ path, name }: SymbolKey): string {
  const plain = path.replace(/~\d+$/, "");
  if (plain === name) return "";
  if (plain.endsWith(`.${name}`)) return plain.slice(0, -name.length - 1);
  return plain.slice(0, Math.max(0, plain.lastIndexOf(".")));
}

/** Symbols that have something in common which nothing else has on either side; files are no symbols. */
function pairUnique(
  sources: Symbols,
  targets: Symbols,
  keyOf: (symbol: SymbolKey) => string | undefined,
): Map<string, string> {
  const unique = (symbols: Symbols) =>
    uniqueOf([...symbols], ([, symbol]) => (symbol.path === "" ? undefined : keyOf(symbol)));
  const found = unique(targets);
  const pairs = new Map<string, string>();
  for (const [key, [from]] of unique(sources)) {
    const target = found.get(key);
    if (target) pairs.set(from, target[0]);
  }
  return pairs;
}

/** By key, what no other has the key of. */
function uniqueOf<T>(items: readonly T[], keyOf: (item: T) => string | undefined): Map<string, T> {
  const found = new Map<string, T>();
  const several = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined || key === "") continue;
    if (found.has(key)) several.add(key);
    found.set(key, item);
  }
  for (const key of several) found.delete(key);
  return found;
}

/** What something is written in comes before it: its path is shorter. */
function fromOutside(symbols: Symbols): Symbols[] {
  const levels = new Map<number, Map<string, SymbolKey>>();
  for (const [id, symbol] of symbols) {
    const level = levels.get(symbol.path.length) ?? new Map<string, SymbolKey>();
    levels.set(symbol.path.length, level.set(id, symbol));
  }
  return [...levels].toSorted(([a], [b]) => a - b).map(([, level]) => level);
}
