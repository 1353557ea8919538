import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { bindName, declare, importSpace, openSpace, part, type At } from "../reading.js";
import { isOfModule, moduleAt, nameOf, namesIn, spaceOfPath } from "./names.js";

/** `use` and `extern crate`. */
export function readUse(at: At, node: SyntaxNode): void {
  if (node.type === "use_declaration") return readTree(at, part(node, "argument"), []);
  const [name, alias] = [part(node, "name"), part(node, "alias")];
  if (!name) return;
  const crate = nameOf(at, name);
  // `#[macro_use]` makes its macros known.
  openSpace({ reading: at.reading, scope: 0 }, `rust:${crate}!`);
  importSpace(at, `rust:${crate}`, undefined, node);
  add(at, alias ? nameOf(at, alias) : crate, `rust:${crate}`, "*");
}

/** One part of `use a::{b, c::*}`, with the names before it. */
function readTree(at: At, node: SyntaxNode | undefined, before: readonly string[]): void {
  if (!node) return;
  switch (node.type) {
    case "use_list":
      for (const one of node.children) readTree(at, one, before);
      return;
    case "scoped_use_list": {
      const names = namesIn(at, part(node, "path")) ?? [];
      readTree(at, part(node, "list"), [...before, ...names]);
      return;
    }
    case "use_wildcard":
      takeAll(at, [...before, ...(namesIn(at, node.children[0]) ?? [])], node);
      return;
    case "use_as_clause": {
      const [path, alias] = [part(node, "path"), part(node, "alias")];
      takeName(at, [...before, ...(namesIn(at, path) ?? [])], alias ? nameOf(at, alias) : undefined, node);
      return;
    }
    default:
      takeName(at, [...before, ...(namesIn(at, node) ?? [])], undefined, node);
  }
}

function takeName(at: At, path: readonly string[], alias: string | undefined, node: SyntaxNode): void {
  // `use a::{self}` is `use a`.
  const names = path.length > 1 && path.at(-1) === "self" ? path.slice(0, -1) : path;
  const name = names.at(-1);
  if (name === undefined) return;
  const called = alias ?? name;
  const isHead = names.every((one) => /^(?:crate|self|super)$/.test(one));
  if (names.length === 1 || isHead) {
    const own = at.reading.scopes[at.scope]?.names.get(`${name}!`);
    if (own) {
      // `pub(crate) use name` lets others have a macro by its path.
      declare(at, moduleAt(at).space, called, own);
      declare(at, moduleAt(at).space, `${called}!`, own);
      return;
    }
    const space = spaceOfPath(at, names);
    if (space === undefined) return;
    importSpace(at, space, undefined, node);
    add(at, called, space, "*");
    return;
  }
  const space = spaceOfPath(at, names.slice(0, -1));
  if (space === undefined) return;
  importSpace(at, space, name, node);
  add(at, called, space, name);
}

function add(at: At, called: string, space: string, name: string): void {
  if (called === "_") return;
  bindName(at, called, ["space", space, name]);
  // Private ones, too: modules inside of this one may take them.
  if (isOfModule(at)) declare(at, moduleAt(at).space, called, ["space", space, name]);
}

function takeAll(at: At, names: readonly string[], node: SyntaxNode): void {
  const space = spaceOfPath(at, names);
  if (space === undefined) return;
  const isHead = names.every((one) => /^(?:crate|self|super)$/.test(one));
  const outer = isHead || names.length === 1 ? undefined : spaceOfPath(at, names.slice(0, -1));
  if (outer === undefined) importSpace(at, space, undefined, node);
  else importSpace(at, outer, names.at(-1), node);
  if (!isOfModule(at)) return openSpace(at, space);
  const module = moduleAt(at);
  module.taken.push(space);
  declare(at, module.space, "<passes>", ["space", space, "*"]);
}
