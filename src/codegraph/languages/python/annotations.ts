import type { ExpressionFact, MemberFact, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { addShape, findBinding, part, scopeAt, textOf, type Reading } from "./reading.js";

// Types whose argument is what going through a value of them gives, and at which place that argument stands.
const containers = new Map(
  Object.entries({
    list: 0,
    set: 0,
    frozenset: 0,
    deque: 0,
    tuple: 0,
    iterable: 0,
    iterator: 0,
    generator: 0,
    asynciterable: 0,
    asynciterator: 0,
    asyncgenerator: 0,
    sequence: 0,
    mutablesequence: 0,
    collection: 0,
    abstractset: 0,
    mutableset: 0,
    dict: 1,
    defaultdict: 1,
    ordereddict: 1,
    mapping: 1,
    mutablemapping: 1,
    valuesview: 0,
  }),
);
// Types that are, for whoever uses the value, what they hold.
const wrappers = new Map(
  Object.entries({
    optional: 0,
    annotated: 0,
    final: 0,
    classvar: 0,
    awaitable: 0,
    coroutine: 2,
    contextmanager: 0,
    abstractcontextmanager: 0,
    asynccontextmanager: 0,
    abstractasynccontextmanager: 0,
    required: 0,
    notrequired: 0,
    readonly: 0,
    initvar: 0,
    mapped: 0,
  }),
);

const deepest = 20;

/** A node and the text that it is of: what stands in quotes is parsed by itself. */
interface Written {
  reading: Reading;
  source: string;
  scope: number;
}

/** The type that an annotation states; null where it says nothing that could be followed. */
export function typeOf(reading: Reading, node: SyntaxNode, scope: number): TypeFact | null {
  return read({ reading, source: reading.source, scope }, node, 0);
}

function read(at: Written, node: SyntaxNode | undefined, depth: number): TypeFact | null {
  if (!node || depth > deepest) return null;
  switch (node.type) {
    case "type":
    case "parenthesized_expression":
      return read(at, node.children[0], depth + 1);
    case "identifier":
      return readName(at, textOf(at, node));
    case "attribute":
    case "member_type":
      return readName(at, textOf(at, node).replaceAll(/\s/g, ""));
    case "string":
      return readQuoted(at, node, depth);
    case "union_type":
      return either(node.children.map((child) => read(at, child, depth + 1)));
    case "binary_operator":
      return either([part(node, "left"), part(node, "right")].map((child) => read(at, child, depth + 1)));
    case "generic_type":
      return readGeneric(at, node.children[0], node.children[1]?.children ?? [], depth);
    case "subscript": {
      const given = node.children.filter(({ field }) => field === "subscript");
      const list = given.length === 1 && given[0]?.type === "tuple" ? given[0].children : given;
      return readGeneric(at, part(node, "value"), list, depth);
    }
    default:
      return null;
  }
}

/** The dotted names in an annotation, each once, with the place of the first: what it mentions. */
export function namesInType(reading: Reading, node: SyntaxNode): string[] {
  const names = new Set<string>();
  collect({ reading, source: reading.source, scope: 0 }, node, names, 0);
  return [...names];
}

function collect(at: Written, node: SyntaxNode, names: Set<string>, depth: number): void {
  if (depth > deepest) return;
  if (node.type === "identifier" || node.type === "attribute" || node.type === "member_type") {
    names.add(textOf(at, node).replaceAll(/\s/g, ""));
  } else if (node.type === "string") {
    const { node: inner, source } = parseQuoted(at, node);
    if (inner) collect({ ...at, source }, inner, names, depth + 1);
  } else if (isLiteralType(at, node)) {
    return;
  } else {
    for (const child of node.children) collect(at, child, names, depth + 1);
  }
}

/** `Literal["a"]` holds texts, not types. */
function isLiteralType(at: Written, { type, children }: SyntaxNode): boolean {
  if (type !== "generic_type" && type !== "subscript") return false;
  return children[0] !== undefined && lastName(textOf(at, children[0])) === "literal";
}

function readName({ reading, scope }: Written, name: string): TypeFact | null {
  if (name === "None" || name === "Any" || name === "typing.Any" || name === "object") return null;
  if (name === "Self" || name.endsWith(".Self")) {
    const shape = scopeAt(reading, scope).shape;
    return shape >= 0 ? ["shape", shape] : null;
  }
  // A class that is written in this one's body has no name where the annotation may be read.
  return ["name", name];
}

function readQuoted(at: Written, node: SyntaxNode, depth: number): TypeFact | null {
  const { node: inner, source } = parseQuoted(at, node);
  return inner ? read({ ...at, source }, inner, depth + 1) : null;
}

function parseQuoted(at: Written, node: SyntaxNode): { node?: SyntaxNode; source: string } {
  const source = node.children
    .filter(({ type }) => type === "string_content")
    .map((child) => textOf(at, child))
    .join("")
    .trim();
  // Most are one name, for which the parser need not be asked.
  if (/^[A-Za-z_][\w.]*$/.test(source)) {
    const type = source.includes(".") ? "attribute" : "identifier";
    return { source, node: { type, field: "", start: 0, end: source.length, children: [] } };
  }
  const statement = at.reading.parse(source).root.children[0];
  const inner = statement?.type === "expression_statement" ? statement.children[0] : undefined;
  return { source, ...(inner && { node: inner }) };
}

function readGeneric(at: Written, named: SyntaxNode | undefined, given: SyntaxNode[], depth: number): TypeFact | null {
  if (!named) return null;
  const written = textOf(at, named).replaceAll(/\s/g, "");
  const name = lastName(written);
  const argument = (place: number) => read(at, given[place], depth + 1);
  if (isOwn(at, written)) return ["name", written, allOf(at, given, depth)];
  const wrapped = wrappers.get(name);
  if (wrapped !== undefined) return argument(wrapped);
  const isFixed = name === "tuple" && given.length > 1 && !given.some((one) => textOf(at, one) === "...");
  if (isFixed) return readTuple(at, named, given, depth);
  const held = containers.get(name);
  if (held !== undefined) {
    const inner = argument(held);
    return inner ? ["array", inner] : ["name", written];
  }
  if (name === "union") return either(given.map((one) => read(at, one, depth + 1)));
  if (name === "literal") return null;
  if (name === "type") {
    const inner = argument(0);
    const value = inner?.[0] === "name" ? asExpression(inner[1]) : undefined;
    return value ? ["of", value] : null;
  }
  if (name === "callable") {
    const parameters = given[0]?.type === "type" ? given[0].children[0] : given[0];
    const types = parameters?.type === "list" ? parameters.children.map((one) => read(at, one, depth + 1)) : [];
    return ["function", argument(1), types];
  }
  return ["name", written, allOf(at, given, depth)];
}

/** `tuple[A, B]` has a member for each place, which unpacking asks for. */
function readTuple(at: Written, named: SyntaxNode, given: SyntaxNode[], depth: number): TypeFact {
  const { reading, scope } = at;
  const known = reading.tuples.get(named);
  if (known !== undefined) return ["shape", known];
  const members = given.map((one, index): [string, MemberFact] => {
    const type = read(at, one, depth + 1);
    return [String(index), type ? { type } : {}];
  });
  const shape = addShape(reading, { symbol: -1, kind: "object", scope, members: new Map(members) });
  reading.tuples.set(named, shape);
  return ["shape", shape];
}

function allOf(at: Written, given: SyntaxNode[], depth: number): TypeFact[] {
  return given.map((one) => read(at, one, depth + 1)).filter((type) => type !== null);
}

/** Whether the name is of the program's own making: then it is not the well-known one. */
function isOwn({ reading, scope }: Written, name: string): boolean {
  const [root = name] = name.split(".");
  const binding = findBinding(reading, scope, root)?.binding;
  if (!binding) return false;
  return !binding.imports.some(({ specifier }) => wellKnown.test(specifier));
}

const wellKnown = /^(typing|typing_extensions|collections|collections\.abc|contextlib|dataclasses|sqlalchemy.*)$/;

function lastName(written: string): string {
  return written.slice(written.lastIndexOf(".") + 1).toLowerCase();
}

function asExpression(dotted: string): ExpressionFact {
  const [root = "", ...members] = dotted.split(".");
  return members.reduce<ExpressionFact>((object, member) => ["member", object, member], ["name", root]);
}

function either(types: (TypeFact | null)[]): TypeFact | null {
  const known = types.filter((type) => type !== null);
  return known.length > 1 ? ["either", known] : (known[0] ?? null);
}
