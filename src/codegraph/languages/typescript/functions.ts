import type { ExpressionFact, SymbolFact, TypeFact } from "../../facts/facts.js";
import { addScope, addSymbol, scopeAt, symbolAt, type Draft } from "./draft.js";
import { bare, child, children, nameOf, type Node } from "./estree.js";
import { readPattern } from "./patterns.js";
import { readType, readTypeParameters } from "./types.js";

export interface FunctionContext {
  scope: number;
  /** The definition it is the body of; without one it belongs to what is around it. */
  symbol?: number | undefined;
  /** What `this` is in it; an arrow function has that of what is around it. */
  shape?: number;
  /** What it is handed where its parameters do not say: by their number. */
  given?: ((parameter: number) => ExpressionFact | null) | undefined;
  onParameter?: (param: Node, type: TypeFact | null, scope: number) => void;
}

// What more returns would add is seldom another type.
const maxReturned = 4;

interface Signature {
  parameters: (TypeFact | null)[];
  returns: TypeFact | null;
  scope: number;
  guards?: NonNullable<SymbolFact["guards"]>;
}

/** Reads a function: its parameters, what it returns, and its body. */
export function readFunction(draft: Draft, node: Node, place: FunctionContext): Signature {
  const own = place.symbol ?? (node.type === "FunctionExpression" ? addNamed(draft, node, place.scope) : undefined);
  const shape = node.type === "ArrowFunctionExpression" ? undefined : (place.shape ?? -1);
  const scope = addScope(draft, place.scope, {
    isFunction: true,
    ...(own !== undefined && { symbol: own }),
    ...(shape !== undefined && { shape }),
  });
  const name = node.type === "FunctionExpression" ? nameOf(child(node.id)) : undefined;
  if (name !== undefined && own !== undefined) scopeAt(draft, scope).names.set(name, ["symbol", own]);
  readTypeParameters(draft, node, scope);
  const parameters = readParameters(draft, node, scope, place);
  const returns = readType(draft, child(node.returnType), scope);
  const guards = readGuard(draft, node, scope);
  scopeAt(draft, scope).returnType = returns;
  readBody(draft, node, scope);
  const signature = { parameters, returns, scope, ...(guards && { guards }) };
  if (own !== undefined) sign(draft, own, signature);
  return signature;
}

/** A function that is called something though nothing holds it: `memo(function Row() {})`. */
function addNamed(draft: Draft, node: Node, scope: number): number | undefined {
  const id = child(node.id);
  const name = nameOf(id);
  if (name === undefined) return undefined;
  return addSymbol(draft, { name, kind: "function", whole: node, node, id, scope, isCallable: true });
}

function readParameters(
  draft: Draft,
  node: Node,
  scope: number,
  { given, onParameter }: FunctionContext,
): (TypeFact | null)[] {
  const { names } = scopeAt(draft, scope);
  const params = children(node.params).filter((param) => nameOf(param) !== "this");
  return params.map((param, number) => {
    const inner = param.type === "TSParameterProperty" ? child(param.parameter) : param;
    readDecorators(draft, param, scope);
    const init = given?.(number) ?? null;
    const stated = readPattern(draft, inner, scope, { type: null, init }, (name, { type, init: from }) => {
      names.set(name, ["parameter", type, from]);
    });
    if (param.type === "TSParameterProperty") onParameter?.(param, stated, scope);
    return stated;
  });
}

/** `value is Store`: of which parameter, and what it then is. */
export function readGuard(draft: Draft, node: Node, scope: number): SymbolFact["guards"] {
  const annotation = child(node.returnType);
  const predicate = annotation?.type === "TSTypeAnnotation" ? child(annotation.typeAnnotation) : annotation;
  if (predicate?.type !== "TSTypePredicate") return undefined;
  const name = nameOf(child(predicate.parameterName));
  const params = children(node.params).filter((param) => nameOf(param) !== "this");
  const argument = params.findIndex((param) => nameOf(param) === name);
  const type = readType(draft, child(predicate.typeAnnotation), scope);
  return argument >= 0 && type ? [argument, type] : undefined;
}

export function readDecorators(draft: Draft, node: Node, scope: number): void {
  for (const decorator of children(node.decorators)) {
    const expression = child(decorator.expression);
    if (!expression) continue;
    if (expression.type === "CallExpression") draft.readExpression(expression, scope);
    // `@sealed` runs like `@sealed()`.
    else draft.readExpression({ ...expression, type: "CallExpression", callee: expression, arguments: [] }, scope);
  }
}

function readBody(draft: Draft, node: Node, scope: number): void {
  const body = child(node.body);
  if (!body) return;
  if (body.type === "BlockStatement" || body.type === "FunctionBody") {
    draft.readStatements(children(body.body), scope);
    return;
  }
  const returned = readReturned(draft, body, scope);
  if (returned) scopeAt(draft, scope).returned.push([returned, scope]);
}

/** What is returned. An object is then what the function is said to return. */
export function readReturned(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  const { returnType } = scopeAt(draft, scopeAt(draft, scope).varScope);
  const object = bare(node);
  if (object?.type !== "ObjectExpression" || !returnType) return draft.readExpression(node, scope);
  return ["shape", draft.readObject(object, scope, "", ["type", returnType])];
}

/** Notes what a function gives and takes. Of overloads the first tells; the implementation is made for all of them. */
export function sign(draft: Draft, symbol: number, { parameters, returns, scope, guards }: Signature): void {
  const signed = symbolAt(draft, symbol);
  const { returned } = scopeAt(draft, scope);
  if (!signed.returns && !returns && returned.length > 0) signed.returned = returned.slice(0, maxReturned);
  if (signed.scope !== undefined) return;
  signed.scope = scope;
  if (returns) signed.returns = returns;
  if (guards) signed.guards = guards;
  if (parameters.length > 0) signed.parameters = parameters;
}

/** What a function gets as its parameters that is said to be of a type: as if it were handed to what takes that type. */
export function handedTo(type: TypeFact | null): FunctionContext["given"] {
  return type ? (parameter) => ["given", ["type", ["function", null, [type]]], 0, parameter] : undefined;
}

/** What a variable holds if it is a function or a class, whatever it is said to be. */
export function heldBy(node: Node | undefined): Node | undefined {
  let inner = node;
  while (inner) {
    switch (inner.type) {
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "ClassExpression":
        return inner;
      case "ParenthesizedExpression":
      case "TSAsExpression":
      case "TSTypeAssertion":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
        inner = child(inner.expression);
        break;
      default:
        return undefined;
    }
  }
  return undefined;
}
