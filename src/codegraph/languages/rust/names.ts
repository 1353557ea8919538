import type { ExpressionFact, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { bindName, inside, part, scopeAt, text, typeOf, type At, type ScopeDraft } from "../reading.js";

/** A module while it is read: a file, or one that is written in another. */
export interface Module {
  /** Where it is written, and the space that it is. */
  scope: number;
  space: string;
  /** The root module of its crate. */
  root: string;
  outer: string | undefined;
  /** Where the files of its own modules lie. */
  folder: string;
  /** The spaces of its own modules by their names, and those whose names it takes all. */
  modules: Map<string, string>;
  taken: string[];
}

const modules = new WeakMap<ScopeDraft, Module>();
const selves = new WeakMap<ScopeDraft, TypeFact>();
const scopes = new WeakMap<SyntaxNode, At>();
const locals = new WeakMap<ScopeDraft, Map<string, string>>();

export function enterModule(at: At, module: Omit<Module, "scope" | "modules" | "taken">): Module {
  const entered = { ...module, scope: at.scope, modules: new Map<string, string>(), taken: [] };
  modules.set(scopeAt(at), entered);
  return entered;
}

/** The module that something stands in. */
export function moduleAt(at: At): Module {
  return findOutwards(at, (scope) => modules.get(scope)) as Module;
}

/** Whether it stands in a module itself, and not in some block of it. */
export function isOfModule(at: At): boolean {
  return moduleAt(at).scope === at.scope;
}

/** The space that a definition is a name of; in a block, one that only it knows. */
export function spaceHere(at: At): string {
  const { space } = moduleAt(at);
  return isOfModule(at) ? space : `${space}.{${at.reading.symbols[scopeAt(at).symbol]?.path ?? ""}}`;
}

/** The scope of a block or an arm, the same whenever it is asked for. */
export function scopeOf(at: At, node: SyntaxNode): At {
  return scopes.get(node) ?? setScope(node, inside(at));
}

/** The body of a function has no scope of its own: what it defines is known to its variables. */
export function setScope(node: SyntaxNode, inner: At): At {
  scopes.set(node, inner);
  return inner;
}

/** What `Self` is in this scope and those inside of it. */
export function setSelf(at: At, type: TypeFact): void {
  selves.set(scopeAt(at), type);
}

export function selfAt(at: At): TypeFact | undefined {
  return findOutwards(at, (scope) => selves.get(scope));
}

function findOutwards<T>({ reading, scope }: At, find: (draft: ScopeDraft) => T | undefined): T | undefined {
  for (let at = scope; at >= 0; at = reading.scopes[at]?.parent ?? -1) {
    const draft = reading.scopes[at];
    const found = draft && find(draft);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function nameOf(at: At, node: SyntaxNode): string {
  return text(at, node).replace(/^r#/, "");
}

/**
 * A variable. `let x = x.next()` makes another of the same name, so each gets a name of its own, and is kept with its function: then
 * what a block or a closure gives can be told from outside of it.
 */
export function bindLocal(at: At, name: string, type: TypeFact | null, init: ExpressionFact | null): void {
  let home = at;
  for (let { parent, symbol } = scopeAt(home); parent > 0 && at.reading.scopes[parent]?.symbol === symbol;) {
    home = { reading: at.reading, scope: parent };
    ({ parent, symbol } = scopeAt(home));
  }
  const own = `${name}~${scopeAt(home).names.size}`;
  const known = locals.get(scopeAt(at)) ?? new Map<string, string>();
  locals.set(scopeAt(at), known.set(name, own));
  bindName(home, own, ["value", type, type ? null : init]);
}

/** What a name is called here: a variable has a name of its own. */
export function calledHere(at: At, name: string): string {
  return (
    findOutwards(at, (scope) => locals.get(scope)?.get(name) ?? (scope.names.has(name) ? name : undefined)) ?? name
  );
}

export function isVariable(at: At, name: string): boolean {
  return findOutwards(at, (scope) => locals.get(scope)?.has(name) || undefined) ?? false;
}

/** The names of a path; undefined where it hangs on a type that is written out, as in `<T as Trait>::new`. */
export function namesIn(at: At, node: SyntaxNode | undefined): string[] | undefined {
  if (!node) return [];
  if (!node.type.startsWith("scoped_")) {
    return /^(?:identifier|type_identifier|crate|self|super|metavariable)$/.test(node.type)
      ? [nameOf(at, node)]
      : undefined;
  }
  const [outer, name] = [namesIn(at, part(node, "path")), part(node, "name")];
  return outer && name ? [...outer, nameOf(at, name)] : undefined;
}

/** A path with its first names as one that is bound here: a module of the tree, or what goes by the name. */
export function rootedPath(at: At, [first = "", ...rest]: readonly string[]): string[] {
  const module = moduleAt(at);
  if (first === "self" || first === "super") {
    const steps = [first, ...rest].findIndex((name) => name !== "self" && name !== "super");
    const heads = [first, ...rest].slice(0, steps < 0 ? rest.length + 1 : steps);
    const space = spaceOfHeads(module, heads);
    const name = `${heads.join("::")}::`;
    const scope = { reading: at.reading, scope: module.scope };
    if (space !== undefined && !scopeAt(scope).names.has(name)) bindName(scope, name, ["space", space, "*"]);
    return [name, ...[first, ...rest].slice(heads.length)];
  }
  // Names of crates are known everywhere, after all others.
  const outside = { reading: at.reading, scope: 0 };
  if (first === "crate") bindName(outside, first, ["space", module.root, "*"]);
  else if (rest.length > 0 && /^[a-z_]/.test(first) && !module.modules.has(first) && !scopeAt(outside).names.has(first))
    bindName(outside, first, ["space", `rust:${first}`, "*"]);
  return [first, ...rest];
}

function spaceOfHeads({ space, outer }: Module, heads: readonly string[]): string | undefined {
  const ups = heads.filter((head) => head === "super").length;
  if (ups === 0) return space;
  let found = outer;
  for (let n = 1; n < ups && found !== undefined; n += 1) found = outerOf(found);
  return found;
}

function outerOf(space: string): string | undefined {
  const end = space.lastIndexOf(".");
  return end <= "rust:./".length ? undefined : space.slice(0, end);
}

/** The space that a path names, as far as the file tells. */
export function spaceOfPath(at: At, names: readonly string[]): string | undefined {
  const [first = ""] = names;
  const module = moduleAt(at);
  if (first === "crate") return [module.root, ...names.slice(1)].join(".");
  if (first === "self" || first === "super") {
    const heads = names.slice(0, names.findIndex((name) => name !== "self" && name !== "super") >>> 0);
    const space = spaceOfHeads(module, heads);
    return space && [space, ...names.slice(heads.length)].join(".");
  }
  const rest = names.slice(1);
  const own = module.modules.get(first);
  if (own !== undefined) return [own, ...rest].join(".");
  const bound = findOutwards(at, (scope) => scope.names.get(first));
  if (bound?.[0] === "space") return [bound[1], ...(bound[2] === "*" ? [] : [bound[2]]), ...rest].join(".");
  const shape = findOutwards(at, (scope) => scope.types.get(first));
  if (shape?.[0] === "shape") return [at.reading.shapes[shape[1]]?.space ?? module.space, ...rest].join(".");
  return [`rust:${first}`, ...rest].join(".");
}

/** What a path leads to as a value. */
export function pathOf(at: At, node: SyntaxNode | undefined): ExpressionFact | null {
  if (!node) return null;
  const names = namesIn(at, node);
  if (names) return pathOfNames(at, names);
  if (node.type === "generic_type" || node.type === "bracketed_type") {
    const type = typeOf(at, node.type === "generic_type" ? node : node.children[0]);
    return type && ["type", type];
  }
  const [outer, name] = [pathOf(at, part(node, "path")), part(node, "name")];
  return outer && name ? ["member", outer, nameOf(at, name)] : null;
}

export function pathOfNames(at: At, names: readonly string[]): ExpressionFact {
  const [first = "", ...rest] = rootedPath(at, names);
  const self = first === "Self" ? selfAt(at) : undefined;
  const isParameter = findOutwards(at, (scope) => scope.types.get(first))?.[0] === "variable";
  let whole: ExpressionFact = self ? ["type", self] : isParameter ? ["type", ["name", first]] : ["name", first];
  for (const name of rest) whole = ["member", whole, name];
  return whole;
}
