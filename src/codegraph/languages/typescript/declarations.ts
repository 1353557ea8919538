import type { BindingFact } from "../../facts/facts.js";
import { openClass } from "./classes.js";
import {
  addScope,
  addShape,
  addSymbol,
  place,
  scopeAt,
  symbolAt,
  typesAt,
  type Definition,
  type Draft,
} from "./draft.js";
import { bare, child, children, nameOf, type Node } from "./estree.js";
import { heldBy } from "./functions.js";
import { declareImports, moduleOf } from "./modules.js";
import { namesIn } from "./patterns.js";

/** Makes known what statements declare, before any of them is read: what stands below may be used above. */
export function declareAll(draft: Draft, statements: readonly Node[], scope: number): void {
  for (const statement of statements) {
    const isDefault = statement.type === "ExportDefaultDeclaration";
    const inner = isExport(statement) ? child(statement.declaration) : statement;
    if (inner) declareOne(draft, { node: inner, whole: statement, scope, isDefault });
  }
}

/** Whether a block needs a scope of its own. */
export function declaresAnything(statements: readonly Node[]): boolean {
  return statements.some(({ type, kind }) =>
    type === "VariableDeclaration" ? kind !== "var" : declarations.has(type),
  );
}

const declarations = new Set([
  "FunctionDeclaration",
  "TSDeclareFunction",
  "ClassDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration",
  "TSModuleDeclaration",
]);

function isExport({ type }: Node): boolean {
  return type === "ExportNamedDeclaration" || type === "ExportDefaultDeclaration";
}

interface Declaration {
  node: Node;
  /** With `export`. */
  whole: Node;
  scope: number;
  isDefault: boolean;
}

function declareOne(draft: Draft, declaration: Declaration): void {
  const { node } = declaration;
  switch (node.type) {
    case "ImportDeclaration":
    case "TSImportEqualsDeclaration":
      declareImports(draft, node, declaration.scope);
      return;
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      declareFunction(draft, declaration);
      return;
    case "ClassDeclaration":
      declareClass(draft, declaration);
      return;
    case "VariableDeclaration":
      declareVariables(draft, declaration);
      return;
    case "TSInterfaceDeclaration":
      declareInterface(draft, declaration);
      return;
    case "TSTypeAliasDeclaration":
      declareAlias(draft, declaration);
      return;
    case "TSEnumDeclaration":
      declareEnum(draft, declaration);
      return;
    case "TSModuleDeclaration":
      declareNamespace(draft, declaration);
      return;
    default:
  }
}

function define({ node, whole, scope, isDefault }: Declaration): Omit<Definition, "kind"> & { name: string } {
  const id = child(node.id);
  return { name: nameOf(id) ?? (isDefault ? "default" : ""), whole, node, id, scope };
}

function declareFunction(draft: Draft, declaration: Declaration): void {
  const { node, scope } = declaration;
  const definition = define(declaration);
  const hasBody = child(node.body) !== undefined;
  const { names } = scopeAt(draft, scope);
  const known = names.get(definition.name);
  const overloaded = known?.[0] === "symbol" ? symbolAt(draft, known[1]) : undefined;
  if (known?.[0] === "symbol" && overloaded?.kind === "function" && !overloaded.isCallable) {
    if (hasBody) place(draft, known[1], { ...definition, isCallable: true });
    draft.declared.set(node, { symbol: known[1], scope: -1, shape: -1 });
    return;
  }
  const symbol = addSymbol(draft, { ...definition, kind: "function", isCallable: hasBody });
  names.set(definition.name, ["symbol", symbol]);
  draft.declared.set(node, { symbol, scope: -1, shape: -1 });
}

function declareClass(draft: Draft, declaration: Declaration): void {
  const { node, scope } = declaration;
  const definition = define(declaration);
  const symbol = addSymbol(draft, { ...definition, kind: "class", isCallable: true });
  const open = openClass(draft, node, symbol, scope);
  scopeAt(draft, scope).names.set(definition.name, ["symbol", symbol]);
  typesAt(draft, scope).set(definition.name, ["shape", open.shape, symbol]);
  draft.declared.set(node, { symbol, ...open });
}

function declareVariables(draft: Draft, { node, whole, scope }: Declaration): void {
  const declarators = children(node.declarations);
  const target = node.kind === "var" ? scopeAt(draft, scope).varScope : scope;
  for (const declarator of declarators) {
    const outer = declarators.length === 1 ? whole : declarator;
    const id = child(declarator.id);
    const init = child(declarator.init);
    if (id?.type === "Identifier") declareVariable(draft, { declarator, id, whole: outer, target });
    else for (const name of namesIn(id)) declareValue(draft, { node: name, whole: outer, init, target });
  }
}

function declareVariable(
  draft: Draft,
  { declarator, id, whole, target }: { declarator: Node; id: Node; whole: Node; target: number },
): void {
  const init = child(declarator.init);
  const held = heldBy(init);
  if (!held) {
    declareValue(draft, { node: id, whole, init, target, declarator });
    return;
  }
  const name = id.name as string;
  const isClass = held.type === "ClassExpression";
  const kind = isClass ? "class" : "function";
  const definition = { name, kind, whole, node: declarator, id, scope: target, isCallable: true } as const;
  const symbol = addSymbol(draft, definition);
  const open = isClass ? openClass(draft, held, symbol, target) : { scope: -1, shape: -1 };
  scopeAt(draft, target).names.set(name, ["symbol", symbol]);
  if (isClass) typesAt(draft, target).set(name, ["shape", open.shape, symbol]);
  draft.declared.set(declarator, { symbol, ...open });
}

interface Value {
  /** The name. */
  node: Node;
  whole: Node;
  init: Node | undefined;
  target: number;
  declarator?: Node;
}

/** Variables of a module are symbols, unless they only stand for another module. */
function declareValue(draft: Draft, { node, whole, init, target, declarator }: Value): void {
  const { names, isModule } = scopeAt(draft, target);
  const name = node.name as string;
  const isRequired = bare(init)?.type === "CallExpression" && moduleOf(draft, bare(init), target) !== undefined;
  let binding: BindingFact = ["value", null, null];
  if (isModule && !isRequired) {
    const symbol = addSymbol(draft, {
      name,
      kind: "variable",
      whole,
      node: declarator ?? whole,
      id: node,
      scope: target,
    });
    binding = ["symbol", symbol];
    draft.declared.set(node, { symbol, scope: -1, shape: -1 });
  }
  names.set(name, binding);
}

/** Several declarations of one interface are one. */
function declareInterface(draft: Draft, declaration: Declaration): void {
  const { node, scope } = declaration;
  const definition = define(declaration);
  const types = typesAt(draft, scope);
  const known = types.get(definition.name);
  if (known?.[0] === "shape") {
    draft.declared.set(node, { symbol: known[2], scope: draft.shapes[known[1]]?.scope ?? scope, shape: known[1] });
    return;
  }
  const symbol = addSymbol(draft, { ...definition, kind: "interface" });
  const own = node.typeParameters ? addScope(draft, scope, { symbol }) : addScope(draft, scope, { symbol });
  const shape = addShape(draft, { symbol, kind: "interface", scope: own });
  symbolAt(draft, symbol).scope = own;
  types.set(definition.name, ["shape", shape, symbol]);
  draft.declared.set(node, { symbol, scope: own, shape });
}

function declareAlias(draft: Draft, declaration: Declaration): void {
  const { node, scope } = declaration;
  const definition = define(declaration);
  const symbol = addSymbol(draft, { ...definition, kind: "type" });
  const own = addScope(draft, scope, { symbol });
  symbolAt(draft, symbol).scope = own;
  const isShape = bareType(child(node.typeAnnotation))?.type === "TSTypeLiteral";
  const shape = isShape ? addShape(draft, { symbol, kind: "interface", scope: own }) : -1;
  typesAt(draft, scope).set(definition.name, isShape ? ["shape", shape, symbol] : ["alias", null, symbol]);
  draft.declared.set(node, { symbol, scope: own, shape });
}

/** A type without parentheses. */
export function bareType(node: Node | undefined): Node | undefined {
  return node?.type === "TSParenthesizedType" ? bareType(child(node.typeAnnotation)) : node;
}

function declareEnum(draft: Draft, declaration: Declaration): void {
  const { node, scope } = declaration;
  const definition = define(declaration);
  const symbol = addSymbol(draft, { ...definition, kind: "enum" });
  const own = addScope(draft, scope, { symbol });
  const shape = addShape(draft, { symbol, kind: "enum", scope: own });
  scopeAt(draft, scope).names.set(definition.name, ["symbol", symbol]);
  typesAt(draft, scope).set(definition.name, ["shape", shape, symbol]);
  draft.declared.set(node, { symbol, scope: own, shape });
}

/** `declare module "x"` and `declare global` only say where something is; what has a name of its own is a symbol. */
function declareNamespace(draft: Draft, declaration: Declaration): void {
  const { node, scope } = declaration;
  const id = child(node.id);
  const first = firstName(id);
  const name = node.kind === "global" || id?.type === "Literal" ? undefined : nameOf(first);
  if (name === undefined) return;
  const { names } = scopeAt(draft, scope);
  const types = typesAt(draft, scope);
  const known = types.get(name);
  const merged = known?.[0] === "shape" && draft.shapes[known[1]]?.kind === "namespace" ? known : undefined;
  if (merged?.[0] === "shape") {
    draft.declared.set(node, { symbol: merged[2], scope: draft.shapes[merged[1]]?.scope ?? -1, shape: merged[1] });
    return;
  }
  const symbol = addSymbol(draft, { ...define(declaration), name, id: first, kind: "namespace" });
  const own = addScope(draft, scope, { symbol, shape: -1, isModule: true });
  const shape = addShape(draft, { symbol, kind: "namespace", scope: own });
  // A class or a function of that name says more.
  if (!names.has(name)) names.set(name, ["symbol", symbol]);
  if (!known) types.set(name, ["shape", shape, symbol]);
  draft.declared.set(node, { symbol, scope: own, shape });
}

function firstName(id: Node | undefined): Node | undefined {
  return id?.type === "TSQualifiedName" ? firstName(child(id.left)) : id;
}

/** What stands in a namespace: in that of `namespace A.B { … }`, `export namespace B { … }`. */
export function statementsOf(namespace: Node): Node[] {
  const id = child(namespace.id);
  if (id?.type !== "TSQualifiedName") return children(child(namespace.body)?.body);
  const rest = withoutFirst(id);
  const declaration = { ...namespace, id: rest, start: rest.start };
  return [{ type: "ExportNamedDeclaration", start: rest.start, end: namespace.end, declaration }];
}

function withoutFirst(id: Node): Node {
  const [left, right] = [id.left as Node, id.right as Node];
  if (left.type !== "TSQualifiedName") return right;
  const rest = withoutFirst(left);
  return { ...id, left: rest, start: rest.start };
}
