import type { FileFacts, ScopeFact, ShapeFact } from "../facts.js";
import type { Reading, ScopeDraft, ShapeDraft } from "./reading.js";

/** A reading as facts, without the scopes that say nothing. */
export function finish(reading: Reading): FileFacts {
  const { symbols, scopes, shapes, imports, spaces, uses } = reading;
  const kept = keepScopes(scopes);
  const at = (scope: number) => kept.get(scope) ?? 0;
  const facts: FileFacts = {
    symbols: symbols.map((symbol) => (symbol.scope === undefined ? symbol : { ...symbol, scope: at(symbol.scope) })),
    scopes: scopes.flatMap((scope, number) =>
      isKept(scope, number, scopes) ? [finishScope(scope, scope.parent < 0 ? -1 : at(scope.parent))] : [],
    ),
    shapes: shapes.map((shape) => ({ ...finishShape(shape), scope: at(shape.scope) })),
    imports,
    exports: [],
    passedOn: [],
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

function finishScope({ symbol, shape, names, types, opens, isBody }: ScopeDraft, parent: number): ScopeFact {
  return {
    parent,
    symbol,
    ...(shape >= 0 && { shape }),
    names: [...names],
    ...(types.size > 0 && { types: [...types] }),
    ...(opens.length > 0 && { opens }),
    ...(isBody && { isBody }),
  };
}

function finishShape({ members, statics, ...shape }: ShapeDraft): ShapeFact {
  return { ...shape, members: [...members], ...(statics.size > 0 && { statics: [...statics] }) };
}
