import type { ExpressionFact, MemberFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { typeOf } from "./annotations.js";
import { addShape, findBinding, part, scopeAt, textOf, type Reading } from "./reading.js";

/** Where an expression stands, and what names in it stand for that no scope knows outside of it. */
export interface ScopeContext {
  reading: Reading;
  scope: number;
  instead?: ReadonlyMap<string, ExpressionFact>;
}

// Longer chains than people write; an expression is repeated for every call in it.
const deepest = 40;
// A table of more handlers than these is not followed: every use of it would lead to all of them.
const maxChoices = 8;

/** What a value is found from, or null where nothing can be said. */
export function expressionOf(at: ScopeContext, node: SyntaxNode | undefined, depth = 0): ExpressionFact | null {
  if (!node || depth > deepest) return null;
  const inner = (child: SyntaxNode | undefined) => expressionOf(at, child, depth + 1);
  switch (node.type) {
    case "identifier": {
      const name = textOf(at.reading, node);
      // Not by its name: what a method gives back of itself is what it was called on, which may be a class below.
      return at.instead?.get(name) ?? (isSelf(at, name) ? ["this"] : ["name", name]);
    }
    case "attribute":
      return memberOf(at, node, depth);
    case "call":
      return valueOfCall(at, node, depth);
    case "subscript": {
      const value = inner(part(node, "value"));
      const isSlice = part(node, "subscript")?.type === "slice";
      return value && (isSlice ? value : ["element", value]);
    }
    case "await":
    case "parenthesized_expression":
      return inner(node.children.find(({ type }) => type !== "comment"));
    case "named_expression":
      return inner(part(node, "value"));
    case "as_pattern":
      return inner(node.children[0]);
    case "conditional_expression":
      return choice([inner(node.children[0]), inner(node.children[2])]);
    case "boolean_operator": {
      const [left, right] = [part(node, "left"), part(node, "right")];
      const isAnd = at.reading.source.slice(left?.end, right?.start).trim().startsWith("and");
      return isAnd ? inner(right) : choice([inner(left), inner(right)]);
    }
    case "tuple":
    case "expression_list":
      return tupleOf(
        at,
        node,
        node.children.map((child) => inner(child)),
      );
    case "list":
    case "set":
      return arrayOf(node.children.map((child) => inner(child))) ?? literal(node.type);
    case "dictionary":
      return arrayOf(node.children.map((pair) => inner(part(pair, "value")))) ?? literal("dict");
    case "list_comprehension":
    case "set_comprehension":
    case "generator_expression":
    case "dictionary_comprehension":
      return valueOfComprehension(at, node, depth);
    case "string":
    case "concatenated_string":
      return literal("str");
    case "integer":
      return literal("int");
    case "float":
      return literal("float");
    case "true":
    case "false":
    case "not_operator":
    case "comparison_operator":
      return literal("bool");
    default:
      return null;
  }
}

/** The callee of a call, as it is written. */
export function calleeOf(at: ScopeContext, call: SyntaxNode): ExpressionFact | null {
  return expressionOf(at, part(call, "function"));
}

/** One of these; null where none says anything. What is only a literal counts where there is nothing else. */
export function choice(given: readonly (ExpressionFact | null)[]): ExpressionFact | null {
  const known = new Map(given.flatMap((one) => (one ? [[JSON.stringify(one), one]] : [])));
  const all = [...known.values()].flatMap((one) => (one[0] === "either" ? one[1] : [one]));
  const telling = all.filter((one) => !isLiteral(one));
  const choices = (telling.length > 0 ? telling : all).slice(0, maxChoices);
  return choices.length > 1 ? ["either", choices] : (choices[0] ?? null);
}

/** What going through a value gives. */
export function elementOf(at: ScopeContext, node: SyntaxNode | undefined): ExpressionFact | null {
  const value = expressionOf(at, node);
  return value && ["element", value];
}

/** The arguments of a call that have no name. */
export function positional(call: SyntaxNode): SyntaxNode[] {
  const list = part(call, "arguments");
  if (list?.type === "generator_expression") return [list];
  return (list?.children ?? []).filter(({ type }) => type !== "keyword_argument" && type !== "comment");
}

export function stringValue(reading: Reading, node: SyntaxNode | undefined): string | undefined {
  if (node?.type !== "string" || node.children.some(({ type }) => type === "interpolation")) return undefined;
  return node.children.flatMap((child) => (child.type === "string_content" ? [textOf(reading, child)] : [])).join("");
}

/** `a.b.c` where it is nothing but names, else undefined. */
export function dottedName(reading: Reading, node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "identifier") return textOf(reading, node);
  if (node?.type !== "attribute") return undefined;
  const object = dottedName(reading, part(node, "object"));
  const attribute = part(node, "attribute");
  return object === undefined || !attribute ? undefined : `${object}.${textOf(reading, attribute)}`;
}

function memberOf(at: ScopeContext, node: SyntaxNode, depth: number): ExpressionFact | null {
  const { reading, scope } = at;
  const attribute = part(node, "attribute");
  if (!attribute) return null;
  const name = textOf(reading, attribute);
  const dotted = reading.dottedImports.size > 0 ? dottedName(reading, node) : undefined;
  // A package without __init__.py has no file that could be asked for its modules.
  if (dotted !== undefined && reading.dottedImports.has(dotted)) {
    const root = findBinding(reading, scope, dotted.slice(0, dotted.indexOf(".")))?.binding;
    if (root?.imports.some((one) => one.name === "*")) return ["module", dotted];
  }
  const object = expressionOf(at, part(node, "object"), depth + 1);
  if (name === "__class__" && object?.[0] === "this") return itself(at);
  return object && ["member", object, name];
}

/** Calls of the language's own that give what they were given, or a part of it. */
const sameAsArgument = new Map([
  ["list", 0],
  ["tuple", 0],
  ["set", 0],
  ["frozenset", 0],
  ["sorted", 0],
  ["reversed", 0],
  ["iter", 0],
  ["deque", 0],
  ["dict", 0],
  ["OrderedDict", 0],
  ["islice", 0],
  ["filter", 1],
  ["copy", 0],
  ["deepcopy", 0],
  ["partial", 0],
  ["replace", 0],
]);
const elementOfArgument = new Set(["next", "min", "max"]);
/** What these give of a container, where no class of the tree has a method of that name. */
const containerMethods = new Map<string, "element" | "same">([
  ["get", "element"],
  ["pop", "element"],
  ["popleft", "element"],
  ["setdefault", "element"],
  ["values", "same"],
  ["copy", "same"],
]);

function valueOfCall(at: ScopeContext, node: SyntaxNode, depth: number): ExpressionFact | null {
  const { reading } = at;
  const callee = part(node, "function");
  const given = positional(node);
  const inner = (child: SyntaxNode | undefined) => expressionOf(at, child, depth + 1);
  const written = dottedName(reading, callee);
  const name = written?.slice(written.lastIndexOf(".") + 1);
  const isFree = written !== undefined && (written === name || isBroughtBy(at, written));
  if (isFree && name !== undefined && (written !== name || !isDefinedHere(at, name))) {
    if (name === "super") return ["super"];
    if (name === "cast" && given.length === 2) return typed(at, given[0]) ?? inner(given[1]);
    if (name === "import_module" || name === "__import__") {
      const specifier = stringValue(reading, given[0]);
      return specifier === undefined ? null : ["module", specifier];
    }
    if (name === "getattr" && given.length > 1) {
      const [object, member] = [inner(given[0]), stringValue(reading, given[1])];
      return object && member !== undefined ? ["member", object, member] : null;
    }
    if (name === "type" && given.length === 1) {
      const object = inner(given[0]);
      return object?.[0] === "this" ? itself(at) : null;
    }
    const argument = sameAsArgument.get(name);
    if (argument !== undefined && given[argument]) return inner(given[argument]);
    if (elementOfArgument.has(name) && given.length === 1) {
      const container = inner(given[0]);
      return container && ["element", container];
    }
  }
  const called = inner(callee);
  if (!called) return null;
  const way = called[0] === "member" ? containerMethods.get(called[2]) : undefined;
  if (way === undefined || called[0] !== "member") return ["call", called];
  return ["either", [["call", called], way === "same" ? called[1] : ["element", called[1]]]];
}

function valueOfComprehension(at: ScopeContext, node: SyntaxNode, depth: number): ExpressionFact | null {
  const instead = new Map(at.instead);
  for (const clause of node.children.filter(({ type }) => type === "for_in_clause")) {
    const source = expressionOf({ ...at, instead }, part(clause, "right"), depth + 1);
    const left = part(clause, "left");
    if (left?.type === "identifier" && source) instead.set(textOf(at.reading, left), ["element", source]);
  }
  const body = part(node, "body");
  const value = body?.type === "pair" ? part(body, "value") : body;
  return arrayOf([expressionOf({ ...at, instead }, value, depth + 1)]) ?? literal("list");
}

// Longer ones are tables.
const longestTuple = 6;

/** A tuple has a member for each place, which unpacking asks for. */
function tupleOf(
  { reading, scope, instead }: ScopeContext,
  node: SyntaxNode,
  items: (ExpressionFact | null)[],
): ExpressionFact {
  const isAlike = new Set(items.map((item) => JSON.stringify(item))).size === 1;
  const array = isAlike ? arrayOf(items) : undefined;
  if (array) return array;
  const shape = reading.tuples.get(node);
  if (shape !== undefined) return ["shape", shape];
  const isTelling = items.some((item) => item !== null && !isLiteral(item));
  if (instead || !isTelling || items.length > longestTuple) return literal("tuple");
  const members = items.map((init, index): [string, MemberFact] => [String(index), init ? { init } : {}]);
  const index = addShape(reading, { symbol: -1, kind: "object", scope, members: new Map(members) });
  reading.tuples.set(node, index);
  return ["shape", index];
}

/** A container of such values: which one is meant where it is read, nobody knows, so it may be each. */
function arrayOf(values: readonly (ExpressionFact | null)[]): ExpressionFact | undefined {
  const known = new Map(values.map((value) => [JSON.stringify(value), value]));
  const held = [...known.values()];
  if (held.length === 0 || held.length > maxChoices || held.some((one) => !one || isLiteral(one))) return undefined;
  const item = choice(held);
  return item ? ["type", ["array", ["of", item]]] : undefined;
}

function literal(name: string): ExpressionFact {
  return ["type", ["name", name]];
}

function isLiteral(expression: ExpressionFact): boolean {
  return (
    expression[0] === "type" &&
    expression[1][0] === "name" &&
    /^(str|int|float|bool|list|set|tuple|dict)$/.test(expression[1][1])
  );
}

function typed(at: ScopeContext, node: SyntaxNode | undefined): ExpressionFact | null {
  const type = node && typeOf(at.reading, node, at.scope);
  return type ? ["type", type] : null;
}

const known = /^(collections|functools|itertools|copy|dataclasses|typing|typing_extensions|importlib)$/;

/** Whether a dotted name is one of Python's own modules and a name of it, under whatever name it was imported. */
function isBroughtBy({ reading, scope }: ScopeContext, dotted: string): boolean {
  const binding = findBinding(reading, scope, dotted.slice(0, dotted.indexOf(".")))?.binding;
  return binding?.imports.some(({ specifier, name }) => name === "*" && known.test(specifier)) ?? false;
}

function isDefinedHere({ reading, scope }: ScopeContext, name: string): boolean {
  const binding = findBinding(reading, scope, name)?.binding;
  return binding !== undefined && !binding.imports.some(({ specifier }) => known.test(specifier));
}

function isSelf({ reading, scope }: ScopeContext, name: string): boolean {
  const binding = findBinding(reading, scope, name)?.binding;
  return binding?.isSelf === true && binding.values.length === 1;
}

function itself({ reading, scope }: ScopeContext): ExpressionFact | null {
  return reading.shapes[scopeAt(reading, scope).shape]?.itself ?? null;
}
