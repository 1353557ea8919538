import type { MemberFact } from "../../facts/facts.js";
import {
  addScope,
  addShape,
  addSymbol,
  place,
  scopeAt,
  scopeOf,
  shapeAt,
  staticsAt,
  symbolAt,
  typesAt,
  type Draft,
} from "./draft.js";
import { child, children, keyOf, nameOf, type Node } from "./estree.js";
import { handedTo, heldBy, readDecorators, readFunction, sign } from "./functions.js";
import { entityOf, readParameterTypes, readReference, readType, readTypeParameters } from "./types.js";
import { noteType } from "./mentions.js";

/** The scope and the shape of a class, before it is read: others may mention it earlier. */
export function openClass(
  draft: Draft,
  node: Node,
  symbol: number | undefined,
  outer: number,
): { scope: number; shape: number } {
  const shape = addShape(draft, { symbol: symbol ?? -1, kind: "class", scope: outer });
  const scope = addScope(draft, outer, { shape, ...(symbol !== undefined && { symbol }) });
  shapeAt(draft, shape).scope = scope;
  if (symbol !== undefined) symbolAt(draft, symbol).scope = scope;
  const name = nameOf(child(node.id));
  if (name !== undefined && symbol !== undefined && node.type === "ClassExpression") {
    scopeAt(draft, scope).names.set(name, ["symbol", symbol]);
    typesAt(draft, scope).set(name, ["shape", shape, symbol]);
  }
  return { scope, shape };
}

interface OpenClass {
  scope: number;
  shape: number;
  /** -1 for a class without a name. */
  symbol: number;
}

/** Reads a class: what it extends, its members, and their bodies. */
export function readClass(draft: Draft, node: Node, open: OpenClass): void {
  readTypeParameters(draft, node, open.scope);
  readDecorators(draft, node, open.scope);
  readHeritage(draft, node, open);
  const members = children(child(node.body)?.body);
  // First who is there: a body may call what stands below it.
  const methods = new Map<Node, number>();
  for (const member of members) declareMember(draft, member, open, methods);
  for (const member of members) readMember(draft, member, open, methods.get(member));
}

function readHeritage(draft: Draft, node: Node, { scope, shape }: OpenClass): void {
  const parent = child(node.superClass);
  if (parent) {
    const name = entityOf(parent);
    const given = children(child(node.superTypeArguments)?.params).map(
      (one) => readType(draft, one, scope) ?? (["either", []] as ["either", []]),
    );
    if (name !== undefined) noteType(draft, ["name", name], scope, parent.start);
    const extended = name === undefined ? draft.readExpression(parent, scope) : undefined;
    if (name !== undefined)
      shapeAt(draft, shape).extends = [given.length > 0 ? ["type", ["name", name, given]] : entityExpression(name)];
    else if (extended) shapeAt(draft, shape).extends = [extended];
  }
  const implemented = children(node.implements).map((one) =>
    readReference(draft, entityOf(child(one.expression)), one, scope),
  );
  if (implemented.length > 0) shapeAt(draft, shape).implements = implemented;
}

function entityExpression(name: string): NonNullable<MemberFact["init"]> {
  const [first = "", ...members] = name.split(".");
  let expression: NonNullable<MemberFact["init"]> = first === "this" ? ["this"] : ["name", first];
  for (const member of members) expression = ["member", expression, member];
  return expression;
}

function declareMember(
  draft: Draft,
  member: Node,
  { scope, shape, symbol }: OpenClass,
  methods: Map<Node, number>,
): void {
  const name = keyOf(member);
  if (name === undefined || member.kind === "constructor") return;
  const held = isMethod(member) ? undefined : heldBy(child(member.value));
  if (!isMethod(member) && !isField(member)) return;
  const known = membersOf(draft, member, shape).get(name);
  const definition = {
    whole: member,
    node: member,
    id: child(member.key),
    isCallable: hasBody(member) || held !== undefined,
  };
  // Overloads are one symbol, and so are a getter and its setter.
  if (known?.symbol !== undefined && isMethod(member)) {
    methods.set(member, known.symbol);
    if (member.kind === "get") known.isGetter = true;
    if (definition.isCallable && !symbolAt(draft, known.symbol).isCallable) place(draft, known.symbol, definition);
    return;
  }
  const kind = held?.type === "ClassExpression" ? "class" : isMethod(member) || held ? "method" : "property";
  const added = addSymbol(draft, {
    ...definition,
    name,
    kind,
    scope,
    ...(symbol < 0 && { parent: scopeAt(draft, scope).symbol }),
  });
  methods.set(member, added);
  membersOf(draft, member, shape).set(name, { symbol: added, ...(member.kind === "get" && { isGetter: true }) });
}

function membersOf(draft: Draft, member: Node, shape: number): Map<string, MemberFact> {
  return member.static === true ? staticsAt(draft, shape) : shapeAt(draft, shape).members;
}

function isMethod(member: Node): boolean {
  return member.type === "MethodDefinition" || member.type === "TSAbstractMethodDefinition";
}

function isField(member: Node): boolean {
  return /^(TSAbstract)?(Property|Accessor)(Definition|Property)$/.test(member.type);
}

function hasBody(member: Node): boolean {
  return child(child(member.value)?.body) !== undefined && isMethod(member);
}

function readMember(draft: Draft, member: Node, open: OpenClass, symbol: number | undefined): void {
  const { scope, shape } = open;
  // What decorates something belongs to it, as its lines do.
  const isOwn = isMethod(member) && symbol !== undefined && children(member.decorators).length > 0;
  readDecorators(draft, member, isOwn ? addScope(draft, scope, { symbol }) : scope);
  const key = child(member.key);
  if (member.computed === true && key) draft.readExpression(key, scope);
  const value = child(member.value);
  if (member.type === "StaticBlock") {
    draft.readStatements(children(member.body), addScope(draft, scope, { isFunction: true }));
  } else if (member.type === "TSIndexSignature") {
    for (const part of [...children(member.parameters), member]) readType(draft, child(part.typeAnnotation), scope);
  } else if (isMethod(member) && value) {
    readMethod(draft, member, value, open, symbol);
  } else if (isField(member)) {
    readField(draft, member, { scope, shape, symbol });
  }
}

function readMethod(
  draft: Draft,
  member: Node,
  value: Node,
  { scope, shape, symbol: owner }: OpenClass,
  symbol: number | undefined,
): void {
  const isConstructor = member.kind === "constructor";
  if (hasBody(member)) {
    const inner = { ...value, type: "FunctionExpression", id: null };
    if (isConstructor) readConstructor(draft, inner, { scope, shape, symbol: owner });
    else readFunction(draft, inner, { scope, symbol, shape });
    return;
  }
  const inner = value.typeParameters ? addScope(draft, scope) : scope;
  readTypeParameters(draft, value, inner);
  const parameters = readParameterTypes(draft, children(value.params), inner);
  const returns = readType(draft, child(value.returnType), inner);
  const signed = isConstructor ? undefined : symbol;
  if (signed !== undefined) sign(draft, signed, { parameters, returns, scope: inner });
  else if (isConstructor && owner >= 0) symbolAt(draft, owner).parameters ??= parameters;
}

/** The body of a constructor is the class's. The class takes what its constructor takes; parameters that are properties become members. */
function readConstructor(draft: Draft, value: Node, { scope, shape, symbol }: OpenClass): void {
  const onParameter = (param: Node, type: MemberFact["type"] | null, at: number): void => {
    const parameter = child(param.parameter);
    const id = parameter?.type === "AssignmentPattern" ? child(parameter.left) : parameter;
    const name = nameOf(id);
    if (name === undefined) return;
    const added = addSymbol(draft, { name, kind: "property", whole: param, node: param, id, scope });
    const binding = scopeAt(draft, at).names.get(name);
    const init = binding?.[0] === "parameter" ? binding[2] : null;
    shapeAt(draft, shape).members.set(name, { symbol: added, ...(type && { type }), ...(init && { init }), scope: at });
  };
  const { parameters } = readFunction(draft, value, { scope, shape, onParameter });
  if (symbol >= 0 && parameters.length > 0) symbolAt(draft, symbol).parameters ??= parameters;
}

function readField(
  draft: Draft,
  member: Node,
  { scope, shape, symbol }: { scope: number; shape: number; symbol: number | undefined },
): void {
  const type = readType(draft, child(member.typeAnnotation), scope);
  const value = child(member.value);
  const held = heldBy(value);
  const name = keyOf(member);
  const fact = name === undefined ? undefined : membersOf(draft, member, shape).get(name);
  if (type && fact) fact.type = type;
  if (!value) return;
  if (held?.type === "ClassExpression") {
    const open = openClass(draft, held, symbol, scope);
    readClass(draft, held, { ...open, symbol: symbol ?? -1 });
  } else if (held) {
    readFunction(draft, held, { scope, symbol, shape, given: handedTo(type) });
  } else {
    const inner = scopeOf(draft, value, symbol, scope);
    const init = draft.readExpression(value, inner);
    if (fact && init) Object.assign(fact, { init, ...(inner !== scope && { scope: inner }) });
  }
}
