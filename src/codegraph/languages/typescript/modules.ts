import type { ExpressionFact } from "../../facts/facts.js";
import { addSymbol, lookUp, scopeAt, scopeOf, shapeAt, symbolAt, typesAt, type Draft } from "./draft.js";
import { bare, child, children, nameOf, stringOf, type Node } from "./estree.js";
import { namesIn } from "./patterns.js";
import { entityOf } from "./types.js";

/** Makes known what an import brings. */
export function declareImports(draft: Draft, node: Node, scope: number): void {
  const { names } = scopeAt(draft, scope);
  if (node.type === "TSImportEqualsDeclaration") {
    const name = nameOf(child(node.id)) ?? "";
    const reference = child(node.moduleReference);
    const specifier = stringOf(child(reference?.expression));
    if (specifier !== undefined) names.set(name, ["value", null, ["module", specifier]]);
    else names.set(name, ["value", null, chainOf(reference)]);
    const entity = entityOf(reference);
    if (entity !== undefined) typesAt(draft, scope).set(name, ["alias", ["name", entity], -1]);
    return;
  }
  const specifier = stringOf(child(node.source)) ?? "";
  for (const one of children(node.specifiers)) {
    const local = nameOf(child(one.local)) ?? "";
    if (one.type === "ImportNamespaceSpecifier") names.set(local, ["import", specifier, "*"]);
    else if (one.type === "ImportDefaultSpecifier") names.set(local, ["import", specifier, "default"]);
    else names.set(local, ["import", specifier, nameOf(child(one.imported)) ?? local]);
  }
}

/** `A.B.C` as an expression. */
function chainOf(node: Node | undefined): ExpressionFact | null {
  const [first, ...members] = entityOf(node)?.split(".") ?? [];
  if (first === undefined) return null;
  let chain: ExpressionFact = ["name", first];
  for (const member of members) chain = ["member", chain, member];
  return chain;
}

/** The text of `require("…")` and `import("…")`. */
export function moduleOf(draft: Draft, node: Node | undefined, scope: number): string | undefined {
  if (node?.type === "ImportExpression") return stringOf(child(node.source));
  if (node?.type !== "CallExpression") return undefined;
  const callee = child(node.callee);
  if (callee?.type !== "Identifier" || callee.name !== "require" || isOwnRequire(draft, scope)) return undefined;
  return stringOf(children(node.arguments)[0]);
}

/** Whether `require` is a function of the file itself. A variable of that name holds what `createRequire` gave. */
function isOwnRequire(draft: Draft, scope: number): boolean {
  const binding = lookUp(draft, scope, "require")?.binding;
  if (binding?.[0] === "symbol") return symbolAt(draft, binding[1]).kind !== "variable";
  return binding !== undefined && binding[0] !== "value";
}

/** Notes which module an import or `export … from` names. */
export function readSource(draft: Draft, node: Node): void {
  const isEquals = node.type === "TSImportEqualsDeclaration";
  const specifier = stringOf(isEquals ? child(child(node.moduleReference)?.expression) : child(node.source));
  if (specifier === undefined) return;
  const parts = children(node.specifiers);
  const isType =
    (node.importKind ?? node.exportKind) === "type" ||
    (parts.length > 0 && parts.every((one) => (one.importKind ?? one.exportKind) === "type"));
  draft.imports.push({ specifier, line: draft.lineOf(node.start), ...(isType && { isType: true }) });
}

/** Notes what a statement exports: from the module, or from the namespace whose scope this is. */
export function readExports(draft: Draft, node: Node, scope: number, namespace: number): void {
  const declaration = child(node.declaration);
  const put = (name: string, local: string): void => {
    if (scope === 0) draft.exports.set(name, ["local", local]);
    else if (namespace >= 0) putMember(draft, namespace, scope, name, local);
  };
  const source = stringOf(child(node.source));
  for (const one of children(node.specifiers)) {
    const local = nameOf(child(one.local)) ?? "";
    const exported = nameOf(child(one.exported)) ?? local;
    if (source === undefined) put(exported, local);
    else draft.exports.set(exported, ["from", source, local]);
  }
  if (!declaration) return;
  if (declaration.type === "VariableDeclaration") {
    for (const declarator of children(declaration.declarations)) {
      for (const name of namesIn(child(declarator.id))) put(name.name as string, name.name as string);
    }
    return;
  }
  const name = entityOf(child(declaration.id))?.split(".")[0];
  if (name !== undefined) put(name, name);
}

function putMember(draft: Draft, namespace: number, scope: number, name: string, local: string): void {
  const { names, types } = scopeAt(draft, scope);
  const binding = names.get(local);
  const type = types?.get(local);
  const { members } = shapeAt(draft, namespace);
  if (binding?.[0] === "symbol") members.set(name, { symbol: binding[1] });
  else if (binding) members.set(name, { init: ["name", local], scope });
  else if (type && type[0] !== "variable" && type[0] !== "alias") members.set(name, { symbol: type[2] });
  else if (type?.[0] === "alias") members.set(name, type[2] < 0 ? {} : { symbol: type[2] });
}

/** `export * from`, `export * as name from`. */
export function readExportAll(draft: Draft, node: Node): void {
  const source = stringOf(child(node.source));
  if (source === undefined) return;
  const name = nameOf(child(node.exported));
  if (name === undefined) draft.passedOn.push(source);
  else draft.exports.set(name, ["from", source, "*"]);
}

/** `export default …` and `export = …` of an expression: what has no name is called `default`. */
export function readExportedValue(draft: Draft, node: Node, scope: number): void {
  const whole = child(node.declaration) ?? child(node.expression);
  const value = bare(whole);
  if (!value || !whole) return;
  if (value.type === "Identifier") {
    draft.exports.set("default", ["local", value.name as string]);
    return;
  }
  const symbol = addSymbol(draft, { name: "default", kind: "variable", whole: node, node, scope });
  const inner = scopeOf(draft, value, symbol, scope);
  const init = draft.readExpression(whole, inner);
  if (init) Object.assign(symbolAt(draft, symbol), { init, scope: inner });
  if (init?.[0] === "shape") shapeAt(draft, init[1]).symbol = symbol;
  scopeAt(draft, scope).names.set("default", ["symbol", symbol]);
  draft.exports.set("default", ["local", "default"]);
}
