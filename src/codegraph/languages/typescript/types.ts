import type { ExpressionFact, MemberFact, TypeFact } from "../../facts/facts.js";
import { addScope, addShape, addSymbol, shapeAt, symbolAt, typesAt, type Draft } from "./draft.js";
import { child, children, keyOf, nameOf, stringOf, type Node } from "./estree.js";
import { noteType } from "./mentions.js";

// It is said what it is, and that cannot be told here. Not the same as nothing being said.
const untold: TypeFact = ["either", []];

/** What a type says, where there is one. The types it names are noted as used. */
export function readType(draft: Draft, node: Node | undefined, scope: number): TypeFact | null {
  if (!node) return null;
  switch (node.type) {
    case "TSTypeAnnotation":
    case "TSParenthesizedType":
    case "TSOptionalType":
    case "TSRestType":
      return readType(draft, child(node.typeAnnotation), scope);
    case "TSTypeReference":
      return readReference(draft, entityOf(child(node.typeName)), node, scope);
    case "TSArrayType":
      return ["array", readType(draft, child(node.elementType), scope) ?? untold];
    case "TSTupleType":
      return ["array", readEither(draft, children(node.elementTypes), scope)];
    case "TSNamedTupleMember":
      return readType(draft, child(node.elementType), scope);
    case "TSUnionType":
    case "TSIntersectionType":
      return readEither(draft, children(node.types), scope);
    case "TSTypeOperator": {
      const type = readType(draft, child(node.typeAnnotation), scope);
      return node.operator === "readonly" ? type : untold;
    }
    case "TSTypeLiteral":
      return ["shape", readTypeMembers(draft, children(node.members), { scope, symbol: -1 })];
    case "TSFunctionType":
    case "TSConstructorType":
      return readFunctionType(draft, node, scope);
    case "TSTypeQuery":
      return readQuery(draft, node, scope);
    case "TSImportType":
      return readImportType(draft, node, scope);
    case "TSIndexedAccessType":
      return readIndexed(draft, node, scope);
    case "TSConditionalType": {
      const inner = addScope(draft, scope);
      readType(draft, child(node.checkType), inner);
      readType(draft, child(node.extendsType), inner);
      return readEither(draft, [child(node.trueType), child(node.falseType)], inner);
    }
    case "TSInferType": {
      const name = parameterName(child(node.typeParameter));
      if (name !== undefined) typesAt(draft, scope).set(name, ["variable", null]);
      return untold;
    }
    case "TSMappedType": {
      const inner = addScope(draft, scope);
      const key = nameOf(child(node.key));
      if (key !== undefined) typesAt(draft, inner).set(key, ["variable", null]);
      for (const part of [node.constraint, node.nameType]) readType(draft, child(part), inner);
      return ["name", "Record", [untold, readType(draft, child(node.typeAnnotation), inner) ?? untold]];
    }
    case "TSTypePredicate":
      readType(draft, child(node.typeAnnotation), scope);
      return untold;
    case "TSTemplateLiteralType":
      for (const type of children(node.types)) readType(draft, type, scope);
      return untold;
    case "TSThisType":
      return ["of", ["this"]];
    case "TSLiteralType":
      return untold;
    case "Unknown":
      for (const part of children(node.children)) readType(draft, part, scope);
      return untold;
    default:
      return keyword(node.type);
  }
}

/** `TSStringKeyword` → `string`. */
function keyword(type: string): TypeFact {
  const name = /^TS(\w+)Keyword$/.exec(type)?.[1];
  return name === undefined ? untold : ["name", name.toLowerCase()];
}

function readEither(draft: Draft, nodes: readonly (Node | undefined)[], scope: number): TypeFact {
  const types = nodes.map((node) => readType(draft, node, scope)).filter((type) => type !== null);
  const [only] = types;
  return types.length === 1 && only ? only : ["either", types];
}

/** `Store<Row>`, `ns.Store`: a type that is named, with its arguments. Also the parents of classes and interfaces. */
export function readReference(draft: Draft, name: string | undefined, node: Node, scope: number): TypeFact {
  const given = readArguments(draft, node, scope);
  if (name === undefined) return untold;
  noteType(draft, ["name", name], scope, node.start);
  return given.length > 0 ? ["name", name, given] : ["name", name];
}

export function readArguments(draft: Draft, node: Node, scope: number): TypeFact[] {
  return children(child(node.typeArguments)?.params).map((one) => readType(draft, one, scope) ?? untold);
}

/** `a.b.C` of names, as types and expressions write it. */
export function entityOf(node: Node | undefined): string | undefined {
  if (node?.type === "TSQualifiedName") return joined(entityOf(child(node.left)), nameOf(child(node.right)));
  if (node?.type === "MemberExpression" && node.computed !== true) {
    return joined(entityOf(child(node.object)), nameOf(child(node.property)));
  }
  if (node?.type === "ThisExpression") return "this";
  return node?.type === "Identifier" ? nameOf(node) : undefined;
}

function joined(left: string | undefined, right: string | undefined): string | undefined {
  return left === undefined || right === undefined ? undefined : `${left}.${right}`;
}

function readFunctionType(draft: Draft, node: Node, scope: number): TypeFact {
  const inner = node.typeParameters ? addScope(draft, scope) : scope;
  readTypeParameters(draft, node, inner);
  const parameters = readParameterTypes(draft, children(node.params), inner);
  const returns = readType(draft, child(node.returnType), inner);
  return ["function", returns, parameters];
}

/** The types that parameters state. `this` is none of them. */
export function readParameterTypes(draft: Draft, params: readonly Node[], scope: number): (TypeFact | null)[] {
  return params.filter((param) => nameOf(param) !== "this").map((param) => readType(draft, typeNodeOf(param), scope));
}

function typeNodeOf(param: Node): Node | undefined {
  const inner = param.type === "TSParameterProperty" ? child(param.parameter) : param;
  return child(inner?.typeAnnotation) ?? child((child(inner?.left) ?? child(inner?.argument))?.typeAnnotation);
}

/** Makes the type parameters known in the scope, which is their own. */
export function readTypeParameters(draft: Draft, node: Node, scope: number): void {
  const parameters = children(child(node.typeParameters)?.params);
  if (parameters.length === 0) return;
  const types = typesAt(draft, scope);
  for (const parameter of parameters) types.set(parameterName(parameter) ?? "", ["variable", null]);
  for (const parameter of parameters) {
    const constraint = readType(draft, child(parameter.constraint), scope);
    types.set(parameterName(parameter) ?? "", ["variable", constraint]);
    readType(draft, child(parameter.default), scope);
  }
}

function parameterName(node: Node | undefined): string | undefined {
  return typeof node?.name === "string" ? node.name : nameOf(child(node?.name));
}

function readQuery(draft: Draft, node: Node, scope: number): TypeFact {
  const name = child(node.exprName);
  readArguments(draft, node, scope);
  if (name?.type === "TSImportType") return readImportType(draft, name, scope);
  const expression = expressionOf(name);
  if (!expression) return untold;
  noteType(draft, ["of", expression], scope, node.start);
  return ["of", expression];
}

/** A chain of names as an expression, without noting that it is used. */
export function expressionOf(node: Node | undefined): ExpressionFact | undefined {
  const [first, ...members] = entityOf(node)?.split(".") ?? [];
  if (first === undefined) return undefined;
  let expression: ExpressionFact = first === "this" ? ["this"] : ["name", first];
  for (const member of members) expression = ["member", expression, member];
  return expression;
}

function readImportType(draft: Draft, node: Node, scope: number): TypeFact {
  const source = child(node.source) ?? child(node.argument);
  const specifier = stringOf(source?.type === "TSLiteralType" ? child(source.literal) : source);
  readArguments(draft, node, scope);
  if (specifier === undefined) return untold;
  draft.imports.push({ specifier, line: draft.lineOf(node.start), isType: true });
  const type: TypeFact = ["module", specifier, entityOf(child(node.qualifier)) ?? null];
  noteType(draft, type, scope, node.start);
  return type;
}

function readIndexed(draft: Draft, node: Node, scope: number): TypeFact {
  const type = readType(draft, child(node.objectType), scope);
  const index = child(node.indexType);
  const key = index?.type === "TSLiteralType" ? stringOf(child(index.literal)) : undefined;
  if (key === undefined) readType(draft, index, scope);
  return type && key !== undefined ? ["member", type, key] : untold;
}

/** The members of an interface or an object type as a shape; they are symbols where it is one. */
export function readTypeMembers(
  draft: Draft,
  members: readonly Node[],
  {
    scope,
    symbol,
    shape = addShape(draft, { symbol, kind: "interface", scope }),
  }: { scope: number; symbol: number; shape?: number },
): number {
  for (const member of members) {
    const isMethod = member.type === "TSMethodSignature";
    if (!isMethod && member.type !== "TSPropertySignature") {
      readFunctionType(draft, member, scope);
      const type = readType(draft, child(member.typeAnnotation), scope);
      // Whatever it is asked for.
      if (member.type === "TSIndexSignature" && type) shapeAt(draft, shape).members.set("[]", { type });
      for (const part of children(member.parameters)) readType(draft, child(part.typeAnnotation), scope);
      continue;
    }
    const name = keyOf(member);
    const known = name === undefined ? undefined : shapeAt(draft, shape).members.get(name);
    const fact = isMethod ? readMethod(draft, member, scope) : readProperty(draft, member, scope);
    // Overloads are one: the first says what it gives.
    if (name === undefined || known) continue;
    shapeAt(draft, shape).members.set(
      name,
      symbol < 0 ? fact.member : addMember(draft, { name, member, scope, symbol, fact }),
    );
  }
  return shape;
}

interface ReadMember {
  member: MemberFact;
  signature?: { returns: TypeFact | null; parameters: (TypeFact | null)[]; scope: number };
}

function readMethod(draft: Draft, node: Node, scope: number): ReadMember {
  const inner = node.typeParameters ? addScope(draft, scope) : scope;
  readTypeParameters(draft, node, inner);
  const parameters = readParameterTypes(draft, children(node.params), inner);
  const returns = readType(draft, child(node.returnType), inner);
  if (node.kind === "get") return { member: returns ? { type: returns } : {} };
  return {
    member: { type: ["function", returns, parameters], ...(inner !== scope && { scope: inner }) },
    signature: { returns, parameters, scope: inner },
  };
}

function readProperty(draft: Draft, node: Node, scope: number): ReadMember {
  const type = readType(draft, child(node.typeAnnotation), scope);
  return { member: type ? { type } : {} };
}

function addMember(
  draft: Draft,
  {
    name,
    member,
    scope,
    symbol,
    fact,
  }: { name: string; member: Node; scope: number; symbol: number; fact: ReadMember },
): MemberFact {
  const kind = fact.signature ? "method" : "property";
  const definition = { name, kind, whole: member, node: member, id: child(member.key), scope, parent: symbol } as const;
  const added = addSymbol(draft, definition);
  if (!fact.signature) return { ...fact.member, symbol: added };
  const { returns, parameters, scope: inner } = fact.signature;
  Object.assign(symbolAt(draft, added), { ...(returns && { returns }), parameters, scope: inner });
  return { symbol: added };
}
