import type { ExpressionFact, TypeBindingFact, TypeFact } from "../../facts/facts.js";
import { addShape, type Binding, type Reading } from "./reading.js";

/**
 * Everything that a name may be which is imported from several places, or imported in one block and defined in another, as
 * in `try: from a import x` and `except ImportError: def x()`. Empty where it is one thing only.
 */
export function choicesOf(reading: Reading, name: string, binding: Binding): ExpressionFact[] {
  const imports = importsBeside(binding);
  const { symbol } = binding;
  if (symbol === undefined) return imports.length > 1 ? imports.map(asExpression) : [];
  if (imports.length === 0) return [];
  // The name itself stands for all of them: the definition is told as a member of something that has nothing else.
  binding.alone ??= addShape(reading, {
    symbol: -1,
    kind: "object",
    scope: 0,
    members: new Map([[name, { symbol }]]),
  });
  return [...imports.map(asExpression), ["member", ["shape", binding.alone], name]];
}

/** A class that may be imported instead: as a type, too, it is any of them. */
export function typeOrChoice(binding: Binding | undefined, type: TypeBindingFact): TypeBindingFact {
  const imports = binding?.symbol === undefined ? [] : importsBeside(binding);
  if (type[0] !== "shape" || imports.length === 0) return type;
  const [, shape, symbol] = type;
  return ["alias", ["either", [...imports.map(asType), ["shape", shape]]], symbol];
}

/** What is imported in the block of the definition was replaced by it, or replaces it, and is no choice. */
function importsBeside({ imports, symbol, block }: Binding): Binding["imports"] {
  return symbol === undefined ? imports : imports.filter((one) => one.block !== block);
}

function asExpression({ specifier, name }: Binding["imports"][0]): ExpressionFact {
  return name === "*" ? ["module", specifier] : ["member", ["module", specifier], name];
}

function asType({ specifier, name }: Binding["imports"][0]): TypeFact {
  return ["module", specifier, name === "*" ? null : name];
}
