import { hash } from "node:crypto";
import type { BindingFact, ExpressionFact, FileFacts, MemberFact, Named, TypeFact } from "../facts/facts.js";
import { shapesBySymbol } from "./source-file.js";

/**
 * What others can see of a file, as a short hash: while it stays the same, nobody else needs linking anew. Uses and lines
 * are no part of it, nor is what stands in a body, unless a function that others can call returns it.
 */
export function surfaceOf(facts: FileFacts): string {
  return hash("sha1", JSON.stringify(visiblePart(facts)), "hex").slice(0, 20);
}

/**
 * Everything that can be reached from the names of the module. Places in lists are replaced by the order in which they are
 * reached, so that a new block in some body does not shift them.
 */
function visiblePart(facts: FileFacts): unknown {
  const { symbols, scopes, shapes, exports, passedOn, isOpen } = facts;
  const written: unknown[] = [];
  const shapeOf = shapesBySymbol(facts);
  const queue: (() => void)[] = [];
  const numbers = {
    symbol: new Map<number, number>(),
    scope: new Map<number, number>(),
    shape: new Map<number, number>(),
  };

  const reach = (kind: keyof typeof numbers, index: number, write: () => unknown): number => {
    if (index < 0) return -1;
    const known = numbers[kind].get(index);
    if (known !== undefined) return known;
    const number = numbers[kind].size;
    numbers[kind].set(index, number);
    queue.push(() => written.push([kind, number, write()]));
    return number;
  };
  const symbol = (index: number): number =>
    reach("symbol", index, () => {
      const fact = symbols[index];
      if (!fact) return null;
      const { path, name, kind, isCallable, returns, returned, parameters, type, init, guards, scope: at } = fact;
      return [
        [path, name, kind, isCallable, fact.parent === -1, fact.arity],
        at === undefined ? null : scope(at),
        [returns, ...(parameters ?? []), type].map((part) => (part ? typed(part) : null)),
        init ? valued(init) : null,
        guards ? [guards[0], typed(guards[1])] : null,
        shape(shapeOf.get(index) ?? -1),
        (returned ?? []).map(([expression, inner]) => [valued(expression), scope(inner)]),
      ];
    });
  const scope = (index: number): number =>
    reach("scope", index, () => {
      const fact = scopes[index];
      if (!fact) return null;
      return [
        scope(fact.parent),
        shape(fact.shape ?? -1),
        fact.names.map(([name, binding]) => [name, ...bound(binding)]),
        fact.opens ?? null,
        fact.isBody,
        (fact.types ?? []).map(([name, binding]) => {
          if (binding[0] === "shape") return [name, "shape", shape(binding[1]), symbol(binding[2])];
          if (binding[0] === "alias") return [name, "alias", binding[1] && typed(binding[1]), symbol(binding[2])];
          return [name, "variable", binding[1] && typed(binding[1])];
        }),
      ];
    });
  const bound = (binding: BindingFact): unknown[] => {
    if (binding[0] === "symbol") return ["symbol", symbol(binding[1])];
    if (binding[0] === "import" || binding[0] === "space") return binding;
    return [binding[0], binding[1] && typed(binding[1]), binding[2] && valued(binding[2])];
  };
  const shape = (index: number): number =>
    reach("shape", index, () => {
      const fact = shapes[index];
      if (!fact) return null;
      return [
        symbol(fact.symbol),
        fact.kind,
        scope(fact.scope),
        (fact.extends ?? []).map(valued),
        (fact.implements ?? []).map(typed),
        fact.members.map(member),
        (fact.statics ?? []).map(member),
        fact.space ?? null,
        fact.instances ?? null,
        [fact.isOrdered, fact.isPart],
      ];
    });
  const member = ([name, fact]: Named<MemberFact>): unknown => [
    name,
    fact.symbol === undefined ? null : symbol(fact.symbol),
    (fact.overloads ?? []).map(symbol),
    fact.type ? typed(fact.type) : null,
    fact.init ? valued(fact.init) : null,
    fact.scope === undefined ? null : scope(fact.scope),
    fact.isGetter,
  ];
  // Both kinds of tuples say "shape" and then its place, or "in"; every other number stands for itself.
  const numbered = (part: unknown): unknown => {
    if (!Array.isArray(part)) return part;
    if (part[0] === "shape" && typeof part[1] === "number") return ["shape", shape(part[1])];
    if (part[0] === "in" && typeof part[1] === "number") return ["in", scope(part[1]), numbered(part[2])];
    // Most have neither and stay what they are.
    let copy: unknown[] | undefined;
    for (let i = 0; i < part.length; i += 1) {
      const inner: unknown = part[i];
      const outer = numbered(inner);
      if (outer !== inner) (copy ??= [...(part as unknown[])])[i] = outer;
    }
    return copy ?? part;
  };
  const typed = (fact: TypeFact): unknown => numbered(fact);
  const valued = (fact: ExpressionFact): unknown => numbered(fact);

  scope(0);
  // One that goes by the name of a class is in no scope.
  shapes.forEach(({ kind }, index) => kind === "namespace" && shape(index));
  const added = (facts.spaces ?? []).map(([space, names]) => [
    space,
    names.map(([name, binding, at]) => [name, scope(at), ...bound(binding)]),
  ]);
  const exported = exports.map(([name, fact]) => [name, fact[0] === "value" ? ["value", valued(fact[1])] : fact]);
  for (const next of queue) next();
  return [exported, passedOn, isOpen, added, written];
}
