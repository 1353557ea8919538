import type { ExpressionFact } from "../../facts/facts.js";
import { readClass } from "./classes.js";
import { bareType, declareAll, declaresAnything, statementsOf } from "./declarations.js";
import { addScope, scopeAt, scopeOf, shapeAt, symbolAt, type Draft } from "./draft.js";
import { bare, child, children, keyOf, nameOf, type Node } from "./estree.js";
import { handedTo, heldBy, readFunction, readGuard, readReturned, sign } from "./functions.js";
import { moduleOf, readExportAll, readExportedValue, readExports, readSource } from "./modules.js";
import { narrowed, narrowedAfter } from "./narrow.js";
import { readObject } from "./read-object.js";
import { readPattern } from "./patterns.js";
import { entityOf, readParameterTypes, readReference, readType, readTypeMembers, readTypeParameters } from "./types.js";

/** Reads the statements of a module, a function or a namespace: first what they declare, then each. */
export function readStatements(draft: Draft, statements: readonly Node[], scope: number, namespace = -1): void {
  declareAll(draft, statements, scope);
  let at = scope;
  for (const statement of statements) {
    readStatement(draft, statement, at, namespace);
    at = narrowedAfter(draft, statement, at);
  }
}

export function readStatement(draft: Draft, node: Node, scope: number, namespace = -1): void {
  switch (node.type) {
    case "ExpressionStatement":
      read(draft, node.expression, scope);
      return;
    case "VariableDeclaration":
      for (const declarator of children(node.declarations)) readDeclarator(draft, declarator, node, scope);
      return;
    case "ReturnStatement":
      readReturn(draft, node, scope);
      return;
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      readFunctionDeclaration(draft, node, scope);
      return;
    case "ClassDeclaration": {
      const declared = draft.declared.get(node);
      if (declared) readClass(draft, node, declared);
      return;
    }
    case "ImportDeclaration":
    case "TSImportEqualsDeclaration":
      readSource(draft, node);
      return;
    case "ExportNamedDeclaration": {
      readSource(draft, node);
      readExports(draft, node, scope, namespace);
      const declaration = child(node.declaration);
      if (declaration) readStatement(draft, declaration, scope);
      return;
    }
    case "ExportDefaultDeclaration":
    case "TSExportAssignment":
      readDefault(draft, node, scope);
      return;
    case "ExportAllDeclaration":
      readSource(draft, node);
      readExportAll(draft, node);
      return;
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
      readTypeDeclaration(draft, node, scope);
      return;
    default:
      readControl(draft, node, scope);
  }
}

function read(draft: Draft, field: unknown, scope: number): ExpressionFact | null {
  const node = child(field);
  return node ? draft.readExpression(node, scope) : null;
}

function readDeclarator(draft: Draft, declarator: Node, declaration: Node, scope: number): void {
  const id = child(declarator.id);
  const init = child(declarator.init);
  const target = declaration.kind === "var" ? scopeAt(draft, scope).varScope : declaringScope(draft, scope);
  const declared = draft.declared.get(declarator);
  const held = heldBy(init);
  if (declared && held) {
    const type =
      readType(draft, child(id?.typeAnnotation), scope) ?? readType(draft, child(init?.typeAnnotation), scope);
    if (held.type === "ClassExpression") readClass(draft, held, declared);
    else readFunction(draft, held, { scope, symbol: declared.symbol, given: handedTo(type) });
    if (type && held.type !== "ClassExpression") symbolAt(draft, declared.symbol).type = type;
    return;
  }
  const own = id?.type === "Identifier" ? draft.declared.get(id)?.symbol : undefined;
  const inner = init ? scopeOf(draft, init, own, scope) : scope;
  const within = own === undefined ? nameOf(id) : undefined;
  const value = init ? readInit(draft, init, inner, { within, annotation: child(id?.typeAnnotation) }) : null;
  if (own !== undefined && value?.[0] === "shape") shapeAt(draft, value[1]).symbol = own;
  bindNames(draft, { id, value, init, scope: inner, target });
}

/** Where what is declared in a scope is known. */
function declaringScope(draft: Draft, scope: number): number {
  let at = scope;
  while (scopeAt(draft, at).isNarrowed) at = scopeAt(draft, at).parent;
  return at;
}

/** An object that a variable holds is called by its name, whether the variable is a symbol or not. */
function readInit(
  draft: Draft,
  init: Node,
  scope: number,
  { within, annotation }: { within: string | undefined; annotation: Node | undefined },
): ExpressionFact | null {
  const object = bare(init);
  if (object?.type !== "ObjectExpression") return draft.readExpression(init, scope);
  const type = readType(draft, annotation ?? satisfied(init), scope);
  return ["shape", readObject(draft, object, scope, within, type ? ["type", type] : undefined)];
}

function satisfied(node: Node): Node | undefined {
  return node.type === "TSSatisfiesExpression" ? child(node.typeAnnotation) : undefined;
}

interface Bound {
  id: Node | undefined;
  value: ExpressionFact | null;
  init?: Node | undefined;
  scope: number;
  target: number;
}

function bindNames(draft: Draft, { id, value, init, scope, target }: Bound): void {
  const { names } = scopeAt(draft, target);
  const specifier =
    id?.type === "ObjectPattern" && bare(init)?.type === "CallExpression"
      ? moduleOf(draft, bare(init), scope)
      : undefined;
  readPattern(draft, id, scope, { type: null, init: value }, (name, { type, init: from }) => {
    const binding = names.get(name);
    // `const { a } = require("…")` imports it; what is taken out of that again does not count.
    if (specifier !== undefined && from?.[0] === "member" && from[1][0] === "module") {
      names.set(name, ["import", specifier, from[2]]);
    } else if (binding?.[0] === "symbol") {
      const symbol = symbolAt(draft, binding[1]);
      if (symbol.kind !== "variable") return;
      Object.assign(symbol, { ...(type && { type }), ...(from && { init: from }), ...((type || from) && { scope }) });
    } else {
      names.set(name, ["value", type, from]);
    }
  });
}

function readReturn(draft: Draft, node: Node, scope: number): void {
  const argument = child(node.argument);
  const value = argument ? readReturned(draft, argument, scope) : null;
  if (value) scopeAt(draft, scopeAt(draft, scope).varScope).returned.push([value, scope]);
}

function readFunctionDeclaration(draft: Draft, node: Node, scope: number): void {
  const symbol = draft.declared.get(node)?.symbol;
  if (child(node.body)) {
    readFunction(draft, node, { scope, symbol });
    return;
  }
  const inner = addScope(draft, scope, symbol === undefined ? {} : { symbol });
  readTypeParameters(draft, node, inner);
  const parameters = readParameterTypes(draft, children(node.params), inner);
  const returns = readType(draft, child(node.returnType), inner);
  const guards = readGuard(draft, node, inner);
  if (symbol !== undefined) sign(draft, symbol, { parameters, returns, scope: inner, ...(guards && { guards }) });
}

function readDefault(draft: Draft, node: Node, scope: number): void {
  const declaration = child(node.declaration);
  if (declaration && /Declaration$|^TSDeclareFunction$/.test(declaration.type)) {
    draft.exports.set("default", ["local", nameOf(child(declaration.id)) ?? "default"]);
    readStatement(draft, declaration, scope);
    return;
  }
  readExportedValue(draft, node, scope);
}

function readTypeDeclaration(draft: Draft, node: Node, scope: number): void {
  const declared = draft.declared.get(node);
  const body = child(node.body);
  if (node.type === "TSModuleDeclaration") {
    const inner = declared?.scope ?? addScope(draft, scope, { isModule: true });
    readStatements(draft, statementsOf(node), inner, declared?.shape);
    return;
  }
  if (!declared) return;
  const { scope: own, symbol, shape } = declared;
  readTypeParameters(draft, node, own);
  if (node.type === "TSInterfaceDeclaration") {
    const parents = children(node.extends).map((one) =>
      readReference(draft, entityOf(child(one.expression)), one, own),
    );
    const known = shapeAt(draft, shape).extends ?? [];
    if (parents.length > 0)
      shapeAt(draft, shape).extends = [...known, ...parents.map((type): ExpressionFact => ["type", type])];
    readTypeMembers(draft, children(body?.body), { scope: own, symbol, shape });
  } else if (node.type === "TSTypeAliasDeclaration") {
    const type = bareType(child(node.typeAnnotation));
    const binding = scopeAt(draft, scope).types?.get(nameOf(child(node.id)) ?? "");
    if (shape >= 0) readTypeMembers(draft, children(type?.members), { scope: own, symbol, shape });
    else if (binding?.[0] === "alias") binding[1] = readType(draft, type, own);
    else readType(draft, type, own);
  } else {
    for (const member of children(body?.members ?? node.members)) {
      const name = keyOf({ ...member, key: member.id });
      if (name !== undefined) shapeAt(draft, shape).members.set(name, {});
      read(draft, member.initializer, own);
    }
  }
}

/** Statements that hold others. A block has a scope where it declares something. */
function readControl(draft: Draft, node: Node, scope: number): void {
  switch (node.type) {
    case "BlockStatement":
    case "StaticBlock":
      readBlock(draft, children(node.body), scope);
      return;
    case "IfStatement":
      read(draft, node.test, scope);
      readNested(draft, node.consequent, narrowed(draft, child(node.test), scope, true));
      if (node.alternate) readNested(draft, node.alternate, narrowed(draft, child(node.test), scope, false));
      return;
    case "ForOfStatement":
    case "ForInStatement":
      readFor(draft, node, scope);
      return;
    case "ForStatement": {
      const init = child(node.init);
      const inner = init?.type === "VariableDeclaration" && init.kind !== "var" ? addScope(draft, scope) : scope;
      if (init?.type === "VariableDeclaration") readStatements(draft, [init], inner);
      else read(draft, init, inner);
      read(draft, node.test, inner);
      read(draft, node.update, inner);
      readNested(draft, node.body, inner);
      return;
    }
    case "TryStatement": {
      readNested(draft, node.block, scope);
      const handler = child(node.handler);
      if (handler) {
        const inner = handler.param ? addScope(draft, scope) : scope;
        bindNames(draft, { id: child(handler.param), value: null, scope: inner, target: inner });
        readNested(draft, handler.body, inner);
      }
      readNested(draft, node.finalizer, scope);
      return;
    }
    case "SwitchStatement": {
      read(draft, node.discriminant, scope);
      const cases = children(node.cases);
      const all = cases.flatMap((one) => children(one.consequent));
      const inner = declaresAnything(all) ? addScope(draft, scope) : scope;
      declareAll(draft, all, inner);
      for (const one of cases) {
        read(draft, one.test, inner);
        for (const statement of children(one.consequent)) nest(draft, statement, inner);
      }
      return;
    }
    case "Unknown":
      // What did not parse may hold what did.
      readBlock(draft, children(node.children), scope);
      return;
    default:
      for (const part of [node.test, node.object, node.argument, node.expression]) read(draft, part, scope);
      readNested(draft, node.body, scope);
  }
}

function readBlock(draft: Draft, statements: readonly Node[], scope: number): void {
  readStatements(draft, statements, declaresAnything(statements) ? addScope(draft, scope) : scope);
}

function readNested(draft: Draft, field: unknown, scope: number): void {
  const node = child(field);
  if (node) nest(draft, node, scope);
}

/** A statement in a statement; one that is not in a block may declare a `var`. */
function nest(draft: Draft, node: Node, scope: number): void {
  if (node.type === "VariableDeclaration") declareAll(draft, [node], scope);
  draft.readStatement(node, scope);
}

function readFor(draft: Draft, node: Node, scope: number): void {
  const left = child(node.left);
  const right = read(draft, node.right, scope);
  const element: ExpressionFact | null = right && node.type === "ForOfStatement" ? ["element", right] : null;
  const isDeclared = left?.type === "VariableDeclaration";
  const inner = isDeclared && left.kind !== "var" ? addScope(draft, scope) : scope;
  if (isDeclared) {
    declareAll(draft, [left], inner);
    const target = left.kind === "var" ? scopeAt(draft, scope).varScope : inner;
    for (const { id } of children(left.declarations))
      bindNames(draft, { id: child(id), value: element, scope: inner, target });
  } else if (left) {
    readPattern(draft, left, inner, { type: null, init: element }, () => undefined);
  }
  readNested(draft, node.body, inner);
}
