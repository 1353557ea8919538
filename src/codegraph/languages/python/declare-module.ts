import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { typeOf } from "./annotations.js";
import { declareClass, declareFunction, declareLambda } from "./declare-definition.js";
import { declareImport } from "./declare-import.js";
import { bindTarget, declareAssignment, declareGrowth } from "./declare-target.js";
import { dottedName, elementOf, expressionOf, positional } from "./expressions.js";
import { declareAll, scopeContext, type StatementContext } from "./statement-context.js";
import { addScope, bindingIn, part, scopeAt, textOf, type Reading } from "./reading.js";

/** Notes the symbols, scopes and names of a whole file. */
export function declareModule(reading: Reading, root: SyntaxNode): void {
  declareBlock({ reading, declare, scope: 0, symbol: -1, shape: -1, block: root }, root);
}

/** Notes the symbols, scopes and names of a block, statement by statement. */
function declareBlock(place: StatementContext, block: SyntaxNode): void {
  let inside: StatementContext = { ...place, block };
  for (const statement of block.children) {
    if (inside.scope !== place.scope) place.reading.scopeOf.set(statement, inside.scope);
    declare(inside, statement);
    const sure = testedType(
      inside.reading,
      statement.type === "assert_statement" ? statement.children[0] : returnsUnless(statement),
    );
    if (sure) inside = narrowed(inside, sure);
  }
}

/** Notes what a node declares, and everything in it. */
function declare(place: StatementContext, node: SyntaxNode): void {
  const { reading } = place;
  switch (node.type) {
    case "decorated_definition": {
      const decorators = node.children.filter(({ type }) => type === "decorator");
      for (const decorator of decorators) declareAll(place, decorator.children);
      const definition = part(node, "definition");
      if (place.shape >= 0 && definition) readBefore(place, decorators, definition);
      if (definition?.type === "function_definition") declareFunction(place, definition, node, decorators);
      if (definition?.type === "class_definition") declareClass(place, definition, node);
      return;
    }
    case "function_definition":
      return declareFunction(place, node, node, []);
    case "class_definition":
      return declareClass(place, node, node);
    case "lambda":
      // One that has a name was declared with it.
      if (!reading.scopeOf.has(node)) declareLambda(place, node);
      return;
    case "import_statement":
    case "import_from_statement":
      return declareImport(place, node);
    case "global_statement":
    case "nonlocal_statement": {
      const scope = scopeAt(reading, place.scope);
      const names = node.type === "global_statement" ? scope.globals : scope.nonlocals;
      for (const child of node.children) names.add(textOf(reading, child));
      return;
    }
    case "assignment":
      declareAssignment(place, node);
      break;
    case "augmented_assignment":
      declareGrowth(place, node);
      break;
    case "call":
      declareGrowth(place, node);
      declareCallbacks(place, node);
      break;
    case "named_expression": {
      const at = scopeContext(place);
      const [name, value] = [part(node, "name"), part(node, "value")];
      if (name) bindTarget(place, name, () => expressionOf(at, value));
      break;
    }
    case "for_statement":
      declareLoop(place, node, node);
      break;
    case "list_comprehension":
    case "set_comprehension":
    case "dictionary_comprehension":
    case "generator_expression":
      return declareComprehension(place, node);
    case "with_statement":
      declareEntered(place, node);
      break;
    case "except_clause":
      declareCaught(place, node);
      break;
    case "if_statement":
      return declareIf(place, node);
    case "case_clause":
      declareCase(place, node);
      break;
    case "type_alias_statement":
      return declareTypeAlias(place, node);
    case "block":
      return declareBlock(place, node);
    default:
  }
  declareAll(place, node.children);
}

/**
 * `@validate` over `def validate` in the body of a class is not the method, which is not there yet, but what is known
 * outside by that name.
 */
function readBefore(place: StatementContext, decorators: readonly SyntaxNode[], definition: SyntaxNode): void {
  const { reading } = place;
  const named = part(definition, "name");
  const name = named && textOf(reading, named);
  if (name === undefined || scopeAt(reading, place.scope).names.has(name)) return;
  const { symbol, shape, parent } = scopeAt(reading, place.scope);
  for (const decorator of decorators) {
    const isMeant = new RegExp(`^@\\s*${name}\\b`).test(textOf(reading, decorator));
    if (isMeant) reading.scopeOf.set(decorator, addScope(reading, { kind: "part", parent, symbol, shape }));
  }
}

/** Lambdas among the arguments of a call get what the call hands to them. */
function declareCallbacks(place: StatementContext, call: SyntaxNode): void {
  for (const child of part(call, "arguments")?.children ?? []) {
    const value = child.type === "keyword_argument" ? part(child, "value") : child;
    if (value?.type === "lambda") declareLambda(place, value, { call });
  }
}

/** `for left in right`, of a statement or of a comprehension. */
function declareLoop(place: StatementContext, clause: SyntaxNode, bound: SyntaxNode): void {
  const at = scopeContext(place);
  const [left, right] = [part(clause, "left"), part(bound, "right")];
  if (!left || !right) return;
  const call = right.type === "call" ? part(right, "function") : undefined;
  const name = call && textOf(at.reading, call);
  const given = right.type === "call" ? positional(right) : [];
  const [first, second] = left.children;
  const isPair = (left.type === "pattern_list" || left.type === "tuple_pattern") && first && second;
  if (isPair && name === "enumerate") {
    bindTarget(place, first, () => null);
    return bindTarget(place, second, () => elementOf(at, given[0]));
  }
  if (isPair && name === "zip") {
    for (const [index, target] of left.children.entries()) bindTarget(place, target, () => elementOf(at, given[index]));
    return undefined;
  }
  if (isPair && call?.type === "attribute" && name?.endsWith(".items")) {
    bindTarget(place, first, () => null);
    return bindTarget(place, second, () => elementOf(at, part(call, "object")));
  }
  return bindTarget(place, left, () => elementOf(at, right));
}

/** A comprehension has names of its own; what `:=` binds in it belongs to what is around it. */
function declareComprehension(place: StatementContext, node: SyntaxNode): void {
  const { reading } = place;
  const { symbol, shape } = scopeAt(reading, place.scope);
  // Loops bind in a scope of their own kind, everything else in what is around.
  const scope = addScope(reading, { kind: "function", parent: place.scope, symbol, shape });
  const inside: StatementContext = { ...place, scope, shape: -1 };
  reading.scopeOf.set(node, scope);
  for (const clause of node.children) if (clause.type === "for_in_clause") declareLoop(inside, clause, clause);
  scopeAt(reading, scope).kind = "part";
  for (const child of node.children) {
    declareAll(
      inside,
      child.type === "for_in_clause" ? child.children.filter(({ field }) => field !== "left") : [child],
    );
  }
}

/** `with value as name`: what entering it gives, where that is known, else the value itself. */
function declareEntered(place: StatementContext, node: SyntaxNode): void {
  const at = scopeContext(place);
  const enter = at.reading.source.startsWith("async", node.start) ? "__aenter__" : "__enter__";
  for (const item of node.children.find(({ type }) => type === "with_clause")?.children ?? []) {
    const pattern = part(item, "value");
    const target = pattern?.type === "as_pattern" ? part(pattern, "alias")?.children[0] : undefined;
    if (!pattern || !target) continue;
    bindTarget(place, target, () => {
      const value = expressionOf(at, pattern.children[0]);
      return value && ["either", [["call", ["member", value, enter]], value]];
    });
  }
}

function declareCaught(place: StatementContext, clause: SyntaxNode): void {
  const pattern = clause.children[0];
  const target = pattern?.type === "as_pattern" ? part(pattern, "alias")?.children[0] : undefined;
  const caught = pattern?.children[0];
  if (!target || !caught) return;
  const at = scopeContext(place);
  const types = caught.type === "tuple" ? caught.children : [caught];
  bindTarget(place, target, () => {
    const known = types.map((type) => typeOf(at.reading, type, at.scope)).filter((type) => type !== null);
    return known.length > 0 ? ["type", known.length === 1 && known[0] ? known[0] : ["either", known]] : null;
  });
}

/** What stands below a test for a type has names of that type. */
function declareIf(place: StatementContext, node: SyntaxNode): void {
  const { reading } = place;
  const condition = part(node, "condition");
  const isForTypes = condition !== undefined && /(^|\.)TYPE_CHECKING$/.test(dottedName(reading, condition) ?? "");
  const sure = testedType(reading, condition);
  for (const child of node.children) {
    if (child.field !== "consequence") {
      declare(place, child);
      continue;
    }
    const inside = sure ? narrowed(place, sure) : place;
    if (sure) reading.scopeOf.set(child, inside.scope);
    declare({ ...inside, ...(isForTypes && { isTypeOnly: true }) }, child);
  }
}

interface TestedType {
  name: SyntaxNode;
  type: SyntaxNode;
}

/** `isinstance(name, type)`, or that and something else. */
function testedType(reading: Reading, condition: SyntaxNode | undefined): TestedType | undefined {
  if (condition?.type === "parenthesized_expression") return testedType(reading, condition.children[0]);
  if (condition?.type === "boolean_operator") return testedType(reading, part(condition, "left"));
  if (condition?.type !== "call") return undefined;
  const [name, type] = positional(condition);
  const callee = part(condition, "function");
  const isTest = callee !== undefined && textOf(reading, callee) === "isinstance";
  return isTest && name?.type === "identifier" && type ? { name, type } : undefined;
}

/** `if not isinstance(…): return`: what follows is sure of the type. */
function returnsUnless(statement: SyntaxNode): SyntaxNode | undefined {
  if (statement.type !== "if_statement" || statement.children.some(({ field }) => field === "alternative"))
    return undefined;
  const condition = part(statement, "condition");
  const last = part(statement, "consequence")?.children.at(-1)?.type ?? "";
  const leaves = /^(return|raise|continue|break)_statement$/.test(last);
  return leaves && condition?.type === "not_operator" ? condition.children[0] : undefined;
}

function narrowed(place: StatementContext, { name, type }: TestedType): StatementContext {
  const { reading } = place;
  const { symbol, shape } = scopeAt(reading, place.scope);
  const scope = addScope(reading, { kind: "part", parent: place.scope, symbol, shape });
  const types = type.type === "tuple" ? type.children : [type];
  const binding = {
    imports: [],
    values: types.map((one) => () => {
      const known = typeOf(reading, one, scope);
      return known && (["type", known] as ["type", typeof known]);
    }),
  };
  scopeAt(reading, scope).names.set(textOf(reading, name), binding);
  return { ...place, scope };
}

/** The names that a pattern binds: `case Point(x=0, y=where) as point`. */
function declareCase(place: StatementContext, clause: SyntaxNode): void {
  const { reading } = place;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "as_pattern") {
      const [pattern, target] = [node.children[0], node.children.at(-1)];
      const matched = pattern?.children[0];
      const type = matched?.type === "class_pattern" ? matched.children[0] : undefined;
      if (target?.type === "identifier") {
        const named = type && textOf(reading, type);
        bindTarget(place, target, () => (named === undefined ? null : ["type", ["name", named]]));
      }
    }
    const [only] = node.type === "dotted_name" ? node.children : [];
    if (only && node.children.length === 1 && node.field !== "class") {
      const name = textOf(reading, only);
      if (name !== "_") bindingIn(reading, place.scope, name);
      return;
    }
    // The first of a class pattern is the class.
    for (const child of node.type === "class_pattern" ? node.children.slice(1) : node.children) visit(child);
  };
  for (const child of clause.children) if (child.type === "case_pattern") visit(child);
}

function declareTypeAlias(place: StatementContext, node: SyntaxNode): void {
  const [left, right] = [part(node, "left"), part(node, "right")];
  const named = left?.children[0];
  const name = named?.type === "generic_type" ? named.children[0] : named;
  if (!left || !right || !name) return;
  bindTarget(place, name, () => null, { statement: node, alias: right });
}
