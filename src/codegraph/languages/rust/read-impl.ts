import type { Named, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { define } from "../define.js";
import {
  bindType,
  declare,
  inside,
  part,
  scopeAt,
  typeOf,
  visit,
  visitAll,
  type At,
  type Reading,
} from "../reading.js";
import { noteAttributes, readFunction, variablesOf, wholeOf } from "./functions.js";
import { moduleAt, nameOf, namesIn, setSelf, spaceOfPath } from "./names.js";

/** `impl`: members of a type, wherever that is written, and of a trait what it promises. */
export function readImpl(at: At, node: SyntaxNode): void {
  const [written, trait, body] = [part(node, "type"), part(node, "trait"), part(node, "body")];
  if (!written) return;
  const variables = variablesOf(at, node);
  const inner = inside(at);
  for (const [name, bound] of variables) bindType(inner, name, ["variable", bound]);
  const self = typeOf(inner, written) ?? (["name", "any"] as TypeFact);
  setSelf(inner, self);
  const owner = ownerOf(at, written, variables);
  if (owner.symbol >= 0) scopeAt(inner).symbol = owner.symbol;
  visit(inner, written);
  visit(inner, trait);
  const promised = typeOf(inner, trait);
  if (promised && owner.space !== undefined) {
    declare(inner, owner.space, "<extends>", ["value", promised, null]);
    const shape = at.reading.shapes[owner.shape];
    if (shape) shape.implements = [...(shape.implements ?? []), promised];
  }
  noteAttributes(body?.children ?? []);
  const given = self[0] === "name" ? (self[2] ?? []) : [];
  const outer = given.map((one, n): Named<TypeFact | null> => [
    one[0] === "name" && variables.some(([name]) => name === one[1]) ? one[1] : `<${n}>`,
    one[0] === "name" ? (variables.find(([name]) => name === one[1])?.[1] ?? null) : null,
  ]);
  // What it says of types counts for every method.
  for (const one of body?.children ?? []) if (one.type === "type_item") readAssociated(inner, one, owner);
  for (const one of body?.children ?? []) {
    const name = part(one, "name");
    if (!name || one.type === "type_item") {
      if (one.type === "macro_invocation") visit(inner, one);
      continue;
    }
    const naming = { name, owner: owner.path, ...(owner.symbol >= 0 && { parent: owner.symbol }) };
    if (one.type.startsWith("function")) {
      const symbol = readFunction(inner, one, { ...naming, kind: "method", outer });
      addToType(inner, owner.space, nameOf(at, name), symbol, trait !== undefined);
    } else if (one.type === "const_item") {
      const symbol = define(inner, { ...naming, kind: "property", node: wholeOf(one) });
      const type = typeOf(inner, part(one, "type"));
      Object.assign(at.reading.symbols[symbol] ?? {}, { scope: inner.scope }, type && { type });
      addToType(inner, owner.space, nameOf(at, name), symbol, trait !== undefined);
      visitAll(inner, one.children.slice(1));
    }
  }
}

interface Owner {
  /** Undefined for what has no members of its own: `&T`, a type parameter. */
  space: string | undefined;
  path: string;
  symbol: number;
  shape: number;
}

function ownerOf(at: At, written: SyntaxNode, variables: readonly Named<unknown>[]): Owner {
  const plain = written.type === "generic_type" ? part(written, "type") : written;
  const names = namesIn(at, plain);
  const last = names?.at(-1) ?? nameWithin(at, written) ?? "impl";
  const outer = at.reading.symbols[scopeAt(at).symbol]?.path;
  const path = outer === undefined ? last : `${outer}.${last}`;
  const nothing = { space: undefined, path, symbol: -1, shape: -1 };
  if (!names || variables.some(([name]) => name === names[0])) return nothing;
  for (let { scope } = at; names.length === 1 && scope > 0; scope = at.reading.scopes[scope]?.parent ?? -1) {
    const known = at.reading.scopes[scope]?.types.get(last);
    if (known?.[0] !== "shape") continue;
    const space = at.reading.shapes[known[1]]?.space;
    return { space, path: at.reading.symbols[known[2]]?.path ?? path, symbol: known[2], shape: known[1] };
  }
  const taken = moduleAt(at).taken.find((space) => space.startsWith("rust:./"));
  const named = spaceOfPath(at, names);
  // What no name of the file tells comes from the module whose names are all taken.
  const space = named?.startsWith("rust:./")
    ? named
    : names.length > 1
      ? undefined
      : `${taken ?? moduleAt(at).space}.${last}`;
  return { ...nothing, space };
}

function nameWithin(at: At, node: SyntaxNode): string | undefined {
  if (node.type === "type_identifier") return nameOf(at, node);
  for (const one of node.children) {
    const found = nameWithin(at, one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `type Item = …`: what going through it gives; what it stands for has its members, too. */
function readAssociated(at: At, node: SyntaxNode, { space }: Owner): void {
  const [name, written] = [part(node, "name"), part(node, "type")];
  const type = typeOf(at, written);
  if (!name || !type) return;
  const called = nameOf(at, name);
  bindType(at, `Self::${called}`, ["alias", type, -1]);
  visit(at, written);
  if (space === undefined) return;
  if (called === "Item" || called === "Output") declare(at, space, "[]", ["value", type, null]);
  if (called === "Target") declare(at, space, "<extends>", ["value", type, null]);
}

const ranks = new WeakMap<Reading, Map<string, "own" | "trait" | "several">>();

/** Its own methods go before those of traits; of a trait that it has several times, nobody knows which is meant. */
function addToType(at: At, space: string | undefined, name: string, symbol: number, isOfTrait: boolean): void {
  if (space === undefined) return;
  const known = ranks.get(at.reading) ?? new Map<string, "own" | "trait" | "several">();
  ranks.set(at.reading, known);
  const key = `${space}\n${name}`;
  const rank = known.get(key);
  if (rank === "own" || (rank === "several" && isOfTrait)) return;
  if (rank !== undefined) {
    const names = at.reading.spaces.get(space) ?? [];
    at.reading.spaces.set(
      space,
      names.filter((fact) => fact[0] !== name),
    );
  }
  if (rank === "trait" && isOfTrait) {
    known.set(key, "several");
    return;
  }
  known.set(key, isOfTrait ? "trait" : "own");
  declare(at, space, name, ["symbol", symbol]);
}
