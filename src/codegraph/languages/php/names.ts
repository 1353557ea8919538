import type { TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import {
  bindName,
  child,
  children,
  declare,
  enterSpace,
  homeOf,
  importSpace,
  openSpace,
  part,
  scopeAt,
  text,
  type At,
} from "../reading.js";

/** Makes a namespace that of what follows. Functions and constants that it does not have are those of the root. */
export function enterNamespace(at: At, name: SyntaxNode | undefined): At {
  const space = `php:${name ? text(at, name).replaceAll("\\", ".") : ""}`;
  enterSpace(at, space, false);
  // Of those around it there may be nothing in the tree but this.
  for (let inner = space; inner.includes("."); inner = inner.slice(0, inner.lastIndexOf("."))) {
    const end = inner.lastIndexOf(".");
    declare(at, inner.slice(0, end), inner.slice(end + 1), ["space", inner, "*"]);
  }
  openSpace(at, space);
  openSpace(at, "php:");
  return at;
}

/** `use A\B`, `use A\{B, C as D}`, `use function A\b`. */
export function readUse(at: At, node: SyntaxNode): void {
  const group = part(node, "body");
  const prefix = group ? `${text(at, child(node, "namespace_name") ?? group)}\\` : "";
  for (const clause of children(group ?? node, "namespace_use_clause")) {
    const named = child(clause, "name", "qualified_name", "namespace_name");
    if (!named) continue;
    const { space, name } = splitName(`${prefix}${text(at, named)}`);
    const alias = part(clause, "alias");
    importSpace(at, space, name, clause);
    bindName(at, alias ? text(at, alias) : name, ["space", space, name]);
  }
}

/** The class that is meant by a name, as PHP resolves it: by what the file imports, else in its own namespace. */
export function classNamed(at: At, node: SyntaxNode): TypeFact | null {
  const written = text(at, node);
  const word = written.toLowerCase();
  if (word === "static") return ["name", "this"];
  if (word === "self") return selfNamed(at);
  if (word === "parent") return ["of", ["name", "parent"]];
  return ["name", boundName(at, written)];
}

function selfNamed(at: At): TypeFact | null {
  const { shape } = scopeAt(at);
  const symbol = at.reading.symbols[at.reading.shapes[shape]?.symbol ?? -1];
  return symbol ? ["name", symbol.name] : shape >= 0 ? ["name", "this"] : null;
}

/**
 * A name that leads to what a written one means, whatever else goes by it here: `php:A/B` is bound to `B` of `A`. A slash,
 * since a dot would be taken for a member.
 */
export function boundName(at: At, written: string): string {
  const path = pathOf(at, written);
  const bound = `php:${path.replaceAll("\\", "/")}`;
  const { space, name } = splitName(path);
  bindName({ ...at, scope: 0 }, bound, ["space", space, name]);
  return bound;
}

function pathOf(at: At, written: string): string {
  if (written.startsWith("\\")) return written.slice(1);
  const home = homeOf(at).slice("php:".length).replaceAll(".", "\\");
  const [first = "", ...rest] = written.split("\\");
  const own = first.toLowerCase() === "namespace" && rest.length > 0 ? rest : [first, ...rest];
  const binding = own.length > rest.length ? importOf(at, first) : undefined;
  return [...(binding ? [binding, ...rest] : home === "" ? own : [home, ...own])].join("\\");
}

/** What a `use` of the file binds a name to. */
function importOf(at: At, name: string): string | undefined {
  for (let { scope } = at; scope >= 0; scope = at.reading.scopes[scope]?.parent ?? -1) {
    const binding = at.reading.scopes[scope]?.names.get(name);
    if (binding?.[0] !== "space") continue;
    const space = binding[1].slice("php:".length).replaceAll(".", "\\");
    return space === "" ? binding[2] : `${space}\\${binding[2]}`;
  }
  return undefined;
}

function splitName(written: string): { space: string; name: string } {
  const path = written.replace(/^\\/, "");
  const end = path.lastIndexOf("\\");
  return { space: `php:${path.slice(0, Math.max(0, end)).replaceAll("\\", ".")}`, name: path.slice(end + 1) };
}
