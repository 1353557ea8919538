import type { ExpressionFact, TypeFact } from "../../facts/facts.js";
import { readAssignment } from "./read-assignment.js";
import { openClass, readClass } from "./classes.js";
import { addSymbol, lookUp, scopeAt, type Draft } from "./draft.js";
import { bare, child, children, isFunction, nameOf, stringOf, type Node } from "./estree.js";
import { readFunction } from "./functions.js";
import { noteMention, noteRun } from "./mentions.js";
import { moduleOf } from "./modules.js";
import { narrowed } from "./narrow.js";
import { readObject } from "./read-object.js";
import { oneOf } from "./patterns.js";
import { entityOf, readArguments, readType } from "./types.js";

/** Notes what an expression uses, and tells as much of it as leads somewhere. */
export function readExpression(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  // The most frequent come first: they are compared one after the other.
  switch (node.type) {
    case "Literal":
    case "TemplateElement":
    case "JSXText":
      return null;
    case "Identifier":
      noteMention(draft, node.name as string, none, scope, node.start);
      return ["name", node.name as string];
    case "CallExpression":
      return readCall(draft, node, scope);
    case "MemberExpression":
      return readMember(draft, node, scope, false);
    case "ThisExpression":
      return ["this"];
    case "Super":
      return ["super"];
    case "NewExpression":
      return readNew(draft, node, scope);
    case "ParenthesizedExpression":
    case "ChainExpression":
    case "TSNonNullExpression":
      return read(draft, node.expression, scope);
    case "TSInstantiationExpression":
      readArguments(draft, node, scope);
      return read(draft, node.expression, scope);
    case "AwaitExpression":
      return read(draft, node.argument, scope);
    case "TSSatisfiesExpression":
      readType(draft, child(node.typeAnnotation), scope);
      return read(draft, node.expression, scope);
    case "TSAsExpression":
    case "TSTypeAssertion":
      return readAssertion(draft, node, scope);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return functionNamed(node, readFunction(draft, node, { scope }).scope);
    case "ClassExpression":
      return readClassExpression(draft, node, scope);
    case "ObjectExpression":
      return ["shape", readObject(draft, node, scope)];
    case "ArrayExpression":
      return readArray(draft, node, scope);
    case "ConditionalExpression":
      read(draft, node.test, scope);
      return oneOf(
        read(draft, node.consequent, narrowed(draft, child(node.test), scope, true)),
        read(draft, node.alternate, narrowed(draft, child(node.test), scope, false)),
      );
    case "LogicalExpression": {
      const left = read(draft, node.left, scope);
      const holds = node.operator !== "||";
      const right = read(
        draft,
        node.right,
        node.operator === "??" ? scope : narrowed(draft, child(node.left), scope, holds),
      );
      return node.operator === "&&" ? right : oneOf(left, right);
    }
    case "AssignmentExpression":
      return readAssignment(draft, node, scope);
    case "SequenceExpression":
      return children(node.expressions).reduce<ExpressionFact | null>(
        (_, one) => draft.readExpression(one, scope),
        null,
      );
    case "BinaryExpression":
      readBinary(draft, node, scope);
      return null;
    case "ImportExpression":
      return readImport(draft, node, scope);
    case "TaggedTemplateExpression":
      return readTagged(draft, node, scope);
    case "JSXElement":
      readElement(draft, node, scope);
      return null;
    case "MetaProperty":
    case "JSXEmptyExpression":
    case "PrivateIdentifier":
      return null;
    default:
      readParts(draft, node, scope);
      return null;
  }
}

const none: readonly string[] = [];

function read(draft: Draft, field: unknown, scope: number): ExpressionFact | null {
  const node = child(field);
  return node ? draft.readExpression(node, scope) : null;
}

/** Of what has no case of its own, whatever it holds: operands, parts of templates, children of JSX. */
function readParts(draft: Draft, node: Node, scope: number): void {
  for (const field in node) {
    const value = node[field];
    if (typeof value !== "object" || value === null) continue;
    for (const part of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof (part as Node | null)?.type === "string") draft.readExpression(part as Node, scope);
    }
  }
}

/** `a.b.c`, read at once: a chain of names is one mention, not three. */
function readMember(draft: Draft, node: Node, scope: number, isCalled: boolean): ExpressionFact | null {
  const members: string[] = [];
  let root: Node | undefined = node;
  while (root?.type === "MemberExpression") {
    const member = memberName(root);
    if (member === undefined) break;
    members.push(member);
    root = bare(child(root.object));
  }
  if (!root) return null;
  members.reverse();
  let expression: ExpressionFact | null;
  if (root.type === "Identifier") {
    noteMention(draft, root.name as string, members, scope, root.start, isCalled);
    expression = ["name", root.name as string];
  } else if (root.type === "MemberExpression") {
    const object = read(draft, root.object, scope);
    read(draft, root.property, scope);
    expression = object && ["element", object];
  } else {
    expression = draft.readExpression(root, scope);
  }
  for (const member of members) expression = expression && ["member", expression, member];
  return expression;
}

function isNamed(node: Node): boolean {
  return memberName(node) !== undefined;
}

function memberName(node: Node): string | undefined {
  const property = child(node.property);
  return node.computed === true ? stringOf(property) : nameOf(property);
}

interface Callee {
  callee: ExpressionFact | null;
  /** The scope of a function that is called where it is written. */
  called?: number;
  name: string | undefined;
  place: number;
}

/** What is called, with the name it is called by and where that stands. */
function readCallee(draft: Draft, field: unknown, scope: number): Callee {
  const node = bare(child(field));
  if (!node) return { callee: null, name: undefined, place: 0 };
  if (node.type === "Identifier")
    return { callee: ["name", node.name as string], name: node.name as string, place: node.start };
  if (node.type === "MemberExpression" && isNamed(node)) {
    const callee = readMember(draft, node, scope, true);
    return { callee, name: memberName(node), place: child(node.property)?.start ?? node.start };
  }
  if (isAsserted(node)) {
    // Whatever it is said to be, it is what is called.
    readType(draft, child(node.typeAnnotation), scope);
    return readCallee(draft, node.expression, scope);
  }
  if (isFunction(node)) return { callee: null, called: readFunction(draft, node, { scope }).scope, ...unnamed(node) };
  return { callee: draft.readExpression(node, scope), ...unnamed(node) };
}

function unnamed({ start }: Node): { name: undefined; place: number } {
  return { name: undefined, place: start };
}

function isAsserted({ type, typeAnnotation }: Node): boolean {
  return (type === "TSAsExpression" || type === "TSTypeAssertion") && child(typeAnnotation) !== undefined;
}

function readCall(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  const specifier = moduleOf(draft, node, scope);
  if (specifier !== undefined) {
    draft.imports.push({ specifier, line: draft.lineOf(node.start) });
    return ["module", specifier];
  }
  const { callee, called, name, place } = readCallee(draft, node.callee, scope);
  noteRun(draft, "call", callee, scope, place, name);
  const types = readArguments(draft, node, scope);
  const given = readGiven(draft, node, scope, callee);
  if (called !== undefined) return resultOf(scopeAt(draft, called).returned);
  return (
    builtinCall(draft, callee, given, scope) ??
    (callee && (types.length > 0 ? ["call", callee, types] : ["call", callee]))
  );
}

function readNew(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  const { callee, name, place } = readCallee(draft, node.callee, scope);
  noteRun(draft, "new", callee, scope, place, name);
  const types = readArguments(draft, node, scope);
  const given = readGiven(draft, node, scope, callee);
  const entity = entityOf(bare(child(node.callee)));
  if (types.length > 0 && entity !== undefined) return ["type", ["name", entity, types]];
  if (entity === "Set" && given[0]) return ["type", ["array", ["of", ["element", given[0]]]]];
  return callee && ["new", callee];
}

/** The arguments of a call; what a function among them is handed depends on who is called. */
function readGiven(draft: Draft, node: Node, scope: number, callee: ExpressionFact | null): (ExpressionFact | null)[] {
  return children(node.arguments).map((argument, number) => {
    const inner = bare(argument);
    if (isFunction(inner)) {
      const { scope: own } = readFunction(draft, inner, {
        scope,
        given: callee ? (parameter) => ["given", callee, number, parameter] : undefined,
      });
      return functionNamed(inner, own);
    }
    if (inner?.type === "ObjectExpression" && callee) {
      const shape = readObject(draft, inner, scope, "", ["taken", callee, number], !isBuiltin(callee));
      return shape < 0 ? null : ["shape", shape];
    }
    return draft.readExpression(argument, scope);
  });
}

/** Whether what is called may be one whose result is told by what it is given. */
function isBuiltin(callee: ExpressionFact): boolean {
  return callee[0] === "name"
    ? callee[1] === "Set"
    : callee[0] === "member" && callee[1][0] === "name" && builtins.test(callee[1][1]);
}

const builtins = /^(?:Object|Array|Promise)$/;

/** What a function gives that is called where it is written. */
function resultOf(returned: readonly [ExpressionFact, number][]): ExpressionFact | null {
  const results = returned.slice(0, maxElements).map(([result, scope]): ExpressionFact => ["in", scope, result]);
  const [only] = results;
  return results.length < 2 ? (only ?? null) : ["either", results];
}

/** A function that has a name of its own is known by it in its own scope. */
function functionNamed(node: Node, own: number): ExpressionFact | null {
  const name = node.type === "FunctionExpression" ? nameOf(child(node.id)) : undefined;
  return name === undefined ? null : ["in", own, ["name", name]];
}

/** What the language's own functions make of what they are given. */
function builtinCall(
  draft: Draft,
  callee: ExpressionFact | null,
  all: readonly (ExpressionFact | null)[],
  scope: number,
): ExpressionFact | undefined {
  const [given] = all;
  if (!given || callee?.[0] !== "member" || callee[1][0] !== "name") return undefined;
  const [, [, object], method] = callee;
  if (!builtins.test(object) || lookUp(draft, scope, object)) return undefined;
  switch (`${object}.${method}`) {
    case "Object.values":
    case "Object.entries":
      return ["call", ["member", given, method]];
    case "Object.assign":
      return ["either", all.filter((one) => one !== null)];
    case "Object.freeze":
    case "Object.seal":
    case "Promise.all":
    case "Promise.resolve":
      return given;
    case "Promise.race":
    case "Promise.any":
      return ["element", given];
    case "Array.from":
      return ["type", ["array", ["of", ["element", given]]]];
    default:
      return undefined;
  }
}

function readImport(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  const specifier = moduleOf(draft, node, scope);
  if (specifier === undefined) {
    read(draft, node.source, scope);
    return null;
  }
  draft.imports.push({ specifier, line: draft.lineOf(node.start) });
  return ["module", specifier];
}

function readTagged(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  const { callee, name, place } = readCallee(draft, node.tag, scope);
  noteRun(draft, "call", callee, scope, place, name);
  readArguments(draft, node, scope);
  read(draft, node.quasi, scope);
  return callee && ["call", callee];
}

function readAssertion(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  const inner = read(draft, node.expression, scope);
  const annotation = child(node.typeAnnotation);
  if (nameOf(child(annotation?.typeName)) === "const") return inner;
  const type = readType(draft, annotation, scope);
  return type ? ["type", type] : inner;
}

function readClassExpression(draft: Draft, node: Node, scope: number): ExpressionFact {
  const id = child(node.id);
  const name = nameOf(id);
  const definition = { kind: "class", whole: node, node, id, scope, isCallable: true } as const;
  const symbol = name === undefined ? undefined : addSymbol(draft, { ...definition, name });
  const open = openClass(draft, node, symbol, scope);
  readClass(draft, node, { ...open, symbol: symbol ?? -1 });
  return ["shape", open.shape];
}

// The first elements say what the others are.
const maxElements = 4;

function readArray(draft: Draft, node: Node, scope: number): ExpressionFact | null {
  const elements: TypeFact[] = [];
  for (const element of children(node.elements)) {
    const fact = draft.readExpression(
      element.type === "SpreadElement" ? (child(element.argument) ?? element) : element,
      scope,
    );
    if (fact && elements.length < maxElements) {
      elements.push(["of", element.type === "SpreadElement" ? ["element", fact] : fact]);
    }
  }
  const [only] = elements;
  return only ? ["type", ["array", elements.length === 1 ? only : ["either", elements]]] : null;
}

/** `a + b + c + …` leans to the left as far as it is long: gone through without nesting. */
function readBinary(draft: Draft, node: Node, scope: number): void {
  const operands: Node[] = [];
  let left: Node | undefined = node;
  while (left?.type === "BinaryExpression") {
    const right = child(left.right);
    if (right) operands.push(right);
    left = child(left.left);
  }
  if (left) operands.push(left);
  for (const operand of operands.toReversed()) draft.readExpression(operand, scope);
}

function readElement(draft: Draft, node: Node, scope: number): void {
  const opening = child(node.openingElement);
  const element = elementOf(child(opening?.name));
  if (element && opening) {
    noteRun(draft, "element", element.expression, scope, child(opening.name)?.start ?? opening.start, element.name);
    readArguments(draft, opening, scope);
  }
  for (const attribute of children(opening?.attributes)) {
    read(draft, attribute.type === "JSXAttribute" ? attribute.value : attribute.argument, scope);
  }
  for (const inner of children(node.children)) draft.readExpression(inner, scope);
}

/** `Row` and `menu.Item`; what begins with a small letter is the browser's. */
function elementOf(node: Node | undefined): { expression: ExpressionFact; name: string } | undefined {
  if (node?.type === "JSXMemberExpression") {
    const object = child(node.object);
    const property = nameOf(child(node.property)) ?? "";
    const inner = object?.type === "JSXIdentifier" ? rootOf(nameOf(object) ?? "") : elementOf(object)?.expression;
    return inner && { expression: ["member", inner, property], name: property };
  }
  const name = nameOf(node) ?? "";
  return /^\p{Lu}|^[_$]/u.test(name) ? { expression: ["name", name], name } : undefined;
}

function rootOf(name: string): ExpressionFact {
  return name === "this" ? ["this"] : ["name", name];
}
