import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { namesInType } from "./annotations.js";
import { builtins } from "./builtins.js";
import { choicesOf } from "./choices.js";
import { calleeOf, expressionOf, positional, stringValue } from "./expressions.js";
import { findBinding, lineAt, part, scopeAt, textOf, type Reading } from "./reading.js";

/** Notes everything that a file uses, once what it declares is known. */
export function noteUses(reading: Reading, root: SyntaxNode): void {
  visit({ reading, known: new Set() }, root, 0);
}

interface Visit {
  reading: Reading;
  /** References and types that were noted already, by the symbol that mentions them. */
  known: Set<string>;
}

function visit(on: Visit, node: SyntaxNode, around: number): void {
  const { reading } = on;
  switch (node.type) {
    case "decorator":
      return visitAll(on, node.children, reading.scopeOf.get(node) ?? around);
    case "function_definition":
    case "lambda":
      return visitFunction(on, node, around);
    case "class_definition":
      return visitClass(on, node, around);
    case "import_statement":
    case "import_from_statement":
    case "future_import_statement":
    case "global_statement":
    case "nonlocal_statement":
      return undefined;
    case "type":
      return noteTypes(on, node, around);
    default:
  }
  const scope = reading.scopeOf.get(node) ?? around;
  switch (node.type) {
    case "call":
      return visitCall(on, node, scope);
    case "identifier":
      return noteReference(on, node, scope);
    case "attribute":
      noteReference(on, node, scope);
      return visitRoot(on, node, scope);
    case "assignment":
    case "for_statement":
    case "for_in_clause":
      for (const child of node.children) {
        if (child.field === "left") visitTarget(on, child, scope);
        else visit(on, child, scope);
      }
      return undefined;
    case "named_expression":
    case "keyword_argument":
      return visitAll(
        on,
        node.children.filter(({ field }) => field !== "name"),
        scope,
      );
    case "as_pattern":
      return visitAll(
        on,
        node.children.filter(({ field }) => field !== "alias"),
        scope,
      );
    case "case_pattern":
      return visitPattern(on, node, scope);
    case "type_alias_statement": {
      const right = part(node, "right");
      return right && visit(on, right, scope);
    }
    default:
      return visitAll(on, node.children, scope);
  }
}

function visitAll(on: Visit, nodes: readonly SyntaxNode[], scope: number): void {
  for (const node of nodes) visit(on, node, scope);
}

/** Defaults are reckoned where the function is defined; its types count as the function's own. */
function visitFunction(on: Visit, node: SyntaxNode, around: number): void {
  const scope = on.reading.scopeOf.get(node) ?? around;
  for (const parameter of part(node, "parameters")?.children ?? []) {
    const [type, value] = [part(parameter, "type"), part(parameter, "value")];
    if (type) noteTypes(on, type, scope);
    if (value) visit(on, value, around);
  }
  const [returns, body] = [part(node, "return_type"), part(node, "body")];
  if (returns) noteTypes(on, returns, scope);
  if (body) visit(on, body, scope);
}

function visitClass(on: Visit, node: SyntaxNode, around: number): void {
  const scope = on.reading.scopeOf.get(node) ?? around;
  for (const base of part(node, "superclasses")?.children ?? []) {
    if (base.type === "identifier" || base.type === "attribute") continue;
    if (base.type !== "subscript") visit(on, base, around);
    else for (const child of base.children) if (child.field === "subscript") noteTypes(on, child, scope);
  }
  const body = part(node, "body");
  if (body) visit(on, body, scope);
  noteMaking(on, scope);
}

// What a call of a class runs.
const makers = ["__new__", "__init__", "__post_init__"];

/** Whoever makes an object calls the class, and the class what is written in it for that. */
function noteMaking({ reading }: Visit, scope: number): void {
  for (const name of makers) {
    const symbol = reading.symbols[scopeAt(reading, scope).names.get(name)?.symbol ?? -1];
    if (symbol) reading.uses.push(["new", ["name", name], scope, symbol.start]);
  }
}

function visitCall(on: Visit, node: SyntaxNode, scope: number): void {
  const { reading } = on;
  const callee = part(node, "function");
  const expression = calleeOf({ reading, scope }, node);
  const attribute = callee?.type === "attribute" ? part(callee, "attribute") : callee;
  const name = attribute?.type === "identifier" ? textOf(reading, attribute) : undefined;
  if (!isBuiltin(on, callee, scope)) {
    const line = lineAt(reading, attribute?.start ?? node.start);
    // A name that the expression ends with need not be said again.
    const isSaid = name === undefined || expression?.[0] === "name" || expression?.[0] === "member";
    reading.uses.push(isSaid ? ["call", expression, scope, line] : ["call", expression, scope, line, name]);
  }
  if (name === "import_module" || name === "__import__") noteModule(reading, node);
  if (callee?.type === "attribute") {
    const object = part(callee, "object");
    if (object) visit(on, object, scope);
  } else if (callee && callee.type !== "identifier") {
    visit(on, callee, scope);
  }
  for (const child of node.children) if (child !== callee) visit(on, child, scope);
}

/** What stands in a target is written to, not used, but for what leads there. */
function visitTarget(on: Visit, target: SyntaxNode, scope: number): void {
  if (target.type === "identifier") return;
  if (target.type === "attribute") {
    const object = part(target, "object");
    if (object) visit(on, object, scope);
    return;
  }
  if (target.type === "subscript") return visitAll(on, target.children, scope);
  for (const child of target.children) visitTarget(on, child, scope);
}

/** Below a chain of members: what it begins with, unless that is a name, which the chain mentions. */
function visitRoot(on: Visit, node: SyntaxNode, scope: number): void {
  let object: SyntaxNode | undefined = node;
  while (object?.type === "attribute") object = part(object, "object");
  if (object && object.type !== "identifier") visit(on, object, scope);
}

function visitPattern(on: Visit, node: SyntaxNode, scope: number): void {
  for (const child of node.children) {
    const [named] = child.type === "class_pattern" ? child.children : [];
    if (named) noteTypeName(on, textOf(on.reading, named), scope, named);
    visitPattern(on, child, scope);
  }
}

/** A name or a chain that leads out of the function: to an import, to something of the module, to a member. */
function noteReference(on: Visit, node: SyntaxNode, scope: number): void {
  const { reading } = on;
  const expression = expressionOf({ reading, scope }, node);
  const root = expression ? rootOf(expression) : undefined;
  if (!expression || root === undefined) return;
  const found = root === "" ? undefined : findBinding(reading, scope, root);
  if (root !== "" && !found) return;
  if (found) {
    const { binding } = found;
    const isFarther = binding.imports.length > 0 || binding.symbol !== undefined || found.scope === 0;
    const isTold = node.type === "attribute" && (binding.type !== undefined || binding.values.length > 0);
    if (!isFarther && !isTold) return;
  }
  if (isPlainMember(reading, expression, scope) || !isNew(on, "reference", expression, scope)) return;
  const last = node.type === "attribute" ? part(node, "attribute") : node;
  if (!last) return;
  const choices = expression[0] === "name" && found ? choicesOf(reading, root, found.binding) : [];
  for (const one of choices.length > 0 ? choices : [expression]) {
    reading.uses.push(["reference", one, scope, lineAt(reading, last.start)]);
  }
}

/** `self.x` that methods put there: it leads to no definition, and there are many. */
function isPlainMember(reading: Reading, expression: ExpressionFact, scope: number): boolean {
  if (expression[0] !== "member" || expression[1][0] !== "this") return false;
  const shape = reading.shapes[scopeAt(reading, scope).shape];
  const [, , name] = expression;
  return shape !== undefined && !shape.members.has(name) && shape.assigned.some((one) => one.name === name);
}

/** The name that an expression begins with; empty where it begins with `self`, `super()` or a module. */
function rootOf(expression: ExpressionFact): string | undefined {
  const [kind] = expression;
  if (expression[0] === "name") return expression[1];
  if (expression[0] === "member" || expression[0] === "element" || expression[0] === "call")
    return rootOf(expression[1]);
  return kind === "this" || kind === "super" || kind === "module" ? "" : undefined;
}

function noteTypes(on: Visit, node: SyntaxNode, scope: number): void {
  for (const name of namesInType(on.reading, node)) noteTypeName(on, name, scope, node);
}

function noteTypeName(on: Visit, name: string, scope: number, node: SyntaxNode): void {
  const { reading } = on;
  const [root = name] = name.split(".");
  if (!findBinding(reading, scope, root) && (reading.passedOn.length === 0 || builtins.has(root))) return;
  if (isNew(on, "type", ["name", name], scope))
    reading.uses.push(["type", ["name", name], scope, lineAt(reading, node.start)]);
}

function isNew({ reading, known }: Visit, kind: string, expression: ExpressionFact, scope: number): boolean {
  const key = `${kind} ${scopeAt(reading, scope).symbol} ${JSON.stringify(expression)}`;
  if (known.has(key)) return false;
  known.add(key);
  return true;
}

/** `super()` only stands for the parent, and what the language brings leads to no file. */
function isBuiltin({ reading }: Visit, callee: SyntaxNode | undefined, scope: number): boolean {
  if (callee?.type !== "identifier") return false;
  const name = textOf(reading, callee);
  return builtins.has(name) && !findBinding(reading, scope, name);
}

function noteModule(reading: Reading, call: SyntaxNode): void {
  const specifier = stringValue(reading, positional(call)[0]);
  if (specifier === undefined || specifier === "" || reading.imports.some((one) => one.specifier === specifier)) return;
  reading.imports.push({ specifier, line: lineAt(reading, call.start) });
}
