import type {
  BindingFact,
  ExpressionFact,
  FileFacts,
  MemberFact,
  Named,
  ScopeFact,
  ShapeFact,
  SymbolFact,
} from "../facts/facts.js";
import type { Reading, ScopeDraft, ShapeDraft } from "./reading.js";

/** A reading as facts, without the scopes that say nothing. */
export function finish(reading: Reading): FileFacts {
  const { symbols, scopes, shapes, imports, passedOn, spaces, uses } = reading;
  const kept = keepScopes(scopes);
  const at = (scope: number) => kept.get(scope) ?? 0;
  const facts: FileFacts = {
    symbols: symbols.map((symbol) => finishSymbol(symbol, at)),
    scopes: scopes.flatMap((scope, number) =>
      isKept(scope, number, scopes) ? [finishScope(scope, scope.parent < 0 ? -1 : at(scope.parent), at)] : [],
    ),
    shapes: shapes.map((shape) => ({ ...finishShape(shape, at), scope: at(shape.scope) })),
    imports,
    exports: [],
    passedOn,
    uses,
  };
  for (const use of uses) use[2] = at(use[2]);
  if (spaces.size > 0) {
    facts.spaces = [...spaces].map(([space, names]) => [
      space,
      names.map(([name, binding, scope]) => [name, binding, at(scope)]),
    ]);
  }
  return facts;
}

/** Which scope each becomes: a block that knows no more than what is around it is no scope. */
function keepScopes(scopes: readonly ScopeDraft[]): Map<number, number> {
  const kept = new Map<number, number>();
  let count = 0;
  scopes.forEach((scope, number) => {
    if (isKept(scope, number, scopes)) kept.set(number, count++);
    else kept.set(number, kept.get(scope.parent) ?? 0);
  });
  return kept;
}

function isKept(scope: ScopeDraft, number: number, scopes: readonly ScopeDraft[]): boolean {
  const { parent, symbol, shape, names, types, opens, isBody } = scope;
  const outer = scopes[parent];
  if (number === 0 || !outer || isBody || names.size + types.size + opens.length > 0) return true;
  return symbol !== outer.symbol || shape !== outer.shape;
}

type Renumber = (scope: number) => number;

function finishSymbol(symbol: SymbolFact, at: Renumber): SymbolFact {
  const { scope, returned } = symbol;
  if (scope === undefined && !returned) return symbol;
  return {
    ...symbol,
    ...(scope !== undefined && { scope: at(scope) }),
    ...(returned && { returned: returned.map(([made, inner]): [ExpressionFact, number] => [made, at(inner)]) }),
  };
}

function finishBinding(binding: BindingFact, at: Renumber): BindingFact {
  if ((binding[0] !== "value" && binding[0] !== "parameter") || binding[2]?.[0] !== "in") return binding;
  return [binding[0], binding[1], ["in", at(binding[2][1]), binding[2][2]]];
}

function finishScope(
  { symbol, shape, names, types, opens, isBody }: ScopeDraft,
  parent: number,
  at: Renumber,
): ScopeFact {
  return {
    parent,
    symbol,
    ...(shape >= 0 && { shape }),
    names: [...names].map(([name, binding]) => [name, finishBinding(binding, at)]),
    ...(types.size > 0 && { types: [...types] }),
    ...(opens.length > 0 && { opens }),
    ...(isBody && { isBody }),
  };
}

function finishShape({ members, statics, ...shape }: ShapeDraft, at: Renumber): ShapeFact {
  const finished = (all: ReadonlyMap<string, MemberFact>) =>
    [...all].map(([name, member]): Named<MemberFact> => [
      name,
      member.scope === undefined ? member : { ...member, scope: at(member.scope) },
    ]);
  return { ...shape, members: finished(members), ...(statics.size > 0 && { statics: finished(statics) }) };
}
