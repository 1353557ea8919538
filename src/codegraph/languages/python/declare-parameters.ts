import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { typeOf } from "./annotations.js";
import { expressionOf } from "./expressions.js";
import { scopeContext, type StatementContext } from "./statement-context.js";
import { bindingIn, part, scopeAt, textOf } from "./reading.js";

/** The annotations of the parameters in order, without the one for the object, whose name is `self`. */
export type Parameters = (SyntaxNode | null)[] & { self?: string };

/** Binds the parameters of a function or lambda in its scope. `givenTo` tells what a callback gets. */
export function declareParameters(
  place: StatementContext,
  node: SyntaxNode,
  scope: number,
  first: "self" | "class" | undefined,
  givenTo?: (index: number, name: string) => ExpressionFact | null,
): Parameters {
  const { reading } = place;
  const types: Parameters = [];
  const at = scopeContext(place);
  for (const parameter of part(node, "parameters")?.children ?? []) {
    const name = nameOf(parameter);
    if (!name) continue;
    const binding = bindingIn(reading, scope, textOf(reading, name));
    if (first !== undefined && types.self === undefined && types.length === 0) {
      types.self = textOf(reading, name);
      const itself: ExpressionFact = first === "self" ? ["this"] : (reading.shapes[place.shape]?.itself ?? ["this"]);
      binding.values.push(() => itself);
      if (first === "self") binding.isSelf = true;
      continue;
    }
    binding.isParameter = true;
    const type = part(parameter, "type");
    const isMany = name !== parameter && /splat/.test(parameter.children[0]?.type ?? parameter.type);
    types.push(isMany ? null : (type ?? null));
    if (type && isMany) binding.values.push(() => arrayOf(typeOf(reading, type, place.scope)));
    else if (type) binding.type = type;
    const value = part(parameter, "value");
    if (value) binding.values.push(() => expressionOf(at, value));
    const index = types.length - 1;
    if (givenTo && !type && !value) binding.values.push(() => givenTo(index, textOf(reading, name)));
  }
  return types;
}

/** `def f[T: Base]`, `class A[T]`: names for types, in a scope. Tells whether there are any. */
export function typeParametersOf(place: StatementContext, node: SyntaxNode, scope: number): boolean {
  const { reading } = place;
  const list = part(node, "type_parameters");
  for (const { children } of list?.children ?? []) {
    const [only] = children;
    const isBound = only?.type === "constrained_type";
    const name = isBound ? only.children[0] : only;
    const bound = isBound ? only.children[1] : undefined;
    if (name) {
      const types = scopeAt(reading, scope).types;
      reading.later.push(() =>
        types.set(textOf(reading, name), ["variable", bound ? typeOf(reading, bound, scope) : null]),
      );
    }
  }
  return list !== undefined;
}

function nameOf(parameter: SyntaxNode): SyntaxNode | undefined {
  switch (parameter.type) {
    case "identifier":
      return parameter;
    case "default_parameter":
    case "typed_default_parameter":
      return part(parameter, "name");
    case "typed_parameter":
    case "list_splat_pattern":
    case "dictionary_splat_pattern": {
      const [first] = parameter.children;
      return first && first.type !== "identifier" ? nameOf(first) : first;
    }
    default:
      return undefined;
  }
}

function arrayOf(type: ReturnType<typeof typeOf>): ExpressionFact | null {
  return type && ["type", ["array", type]];
}
