import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import type { Node } from "./estree.js";
import {
  headOf,
  identifier,
  keyed,
  make,
  ofType,
  part,
  parts,
  signature,
  textOf,
  translateAll,
  translated,
  type Rules,
  type Translation,
} from "./translation.js";

/** How types become those of the TypeScript extension of ESTree. */
export const typeRules: Rules = {
  type_annotation: annotation,
  opting_type_annotation: annotation,
  omitting_type_annotation: annotation,
  adding_type_annotation: annotation,
  type_predicate_annotation: annotation,
  asserts_annotation: annotation,
  asserts: (from, to) => translateAll(to, from)[0] ?? make(from, "TSTypePredicate"),
  type_predicate: (from, to) =>
    make(from, "TSTypePredicate", {
      parameterName: translated(to, part(from, "name")),
      typeAnnotation: translated(to, part(from, "type")),
    }),
  type_identifier: (from, to) => {
    if (textOf(to, from) === "bigint") return make(from, "TSBigIntKeyword");
    return make(from, "TSTypeReference", { typeName: identifier(to, from) });
  },
  nested_type_identifier: (from, to) => make(from, "TSTypeReference", { typeName: entity(from, to) }),
  generic_type: (from, to) => {
    const name = part(from, "name");
    const typeArguments = translated(to, part(from, "type_arguments"));
    const inner = name && typed(to, name);
    if (inner?.type === "TSImportType") return { ...inner, typeArguments };
    return make(from, "TSTypeReference", { typeName: name && entity(name, to), typeArguments });
  },
  type_arguments: (from, to) =>
    make(from, "TSTypeParameterInstantiation", { params: parts(from).map((one) => typed(to, one)) }),
  type_parameters: (from, to) => make(from, "TSTypeParameterDeclaration", { params: translateAll(to, from) }),
  type_parameter: (from, to) => {
    const name = part(from, "name");
    const [constraint] = parts(part(from, "constraint"));
    const [fallback] = parts(part(from, "value"));
    return make(from, "TSTypeParameter", {
      name: name && identifier(to, name),
      constraint: constraint && typed(to, constraint),
      default: fallback && typed(to, fallback),
    });
  },
  predefined_type: (from, to) => make(from, keywordOf(textOf(to, from))),
  array_type: (from, to) => make(from, "TSArrayType", { elementType: only(from, to) }),
  tuple_type: (from, to) =>
    make(from, "TSTupleType", {
      // A member may be called `symbol` or `type`, which the grammar takes for a mistake; the type comes after it.
      elementTypes: parts(from)
        .filter(({ type }) => type !== "ERROR")
        .map((one) => tupleMember(one, to)),
    }),
  union_type: (from, to) => make(from, "TSUnionType", { types: flattened(from, to) }),
  intersection_type: (from, to) => make(from, "TSIntersectionType", { types: flattened(from, to) }),
  parenthesized_type: (from, to) => make(from, "TSParenthesizedType", { typeAnnotation: only(from, to) }),
  optional_type: (from, to) => make(from, "TSOptionalType", { typeAnnotation: only(from, to) }),
  rest_type: (from, to) => make(from, "TSRestType", { typeAnnotation: only(from, to) }),
  readonly_type: (from, to) => {
    const [inner] = parts(from);
    // To the grammar, `readonly` belongs to all of `readonly A[] | B`.
    if (inner?.type === "union_type" || inner?.type === "intersection_type") return to.node(inner);
    return make(from, "TSTypeOperator", { operator: "readonly", typeAnnotation: only(from, to) });
  },
  index_type_query: (from, to) => make(from, "TSTypeOperator", { operator: "keyof", typeAnnotation: only(from, to) }),
  type_query: translateQuery,
  object_type: translateObject,
  interface_body: (from, to) => make(from, "TSInterfaceBody", { body: translateAll(to, from) }),
  property_signature: (from, to) =>
    make(from, "TSPropertySignature", {
      ...keyed(to, part(from, "name")),
      typeAnnotation: translated(to, part(from, "type")),
    }),
  method_signature: (from, to) => {
    const name = part(from, "name");
    const kind = /\b(get|set)\s+$/.exec(headOf(to, from, name))?.[1] ?? "method";
    return make(from, "TSMethodSignature", { ...keyed(to, name), ...signature(to, from), kind });
  },
  call_signature: (from, to) => make(from, "TSCallSignatureDeclaration", signature(to, from)),
  construct_signature: (from, to) =>
    make(from, "TSConstructSignatureDeclaration", {
      ...signature(to, from),
      returnType: translated(to, part(from, "type")),
    }),
  index_signature: (from, to) =>
    make(from, "TSIndexSignature", {
      typeAnnotation: translated(to, part(from, "type")),
      parameters: [make(from, "Identifier", { name: "", typeAnnotation: translated(to, part(from, "index_type")) })],
    }),
  function_type: (from, to) => make(from, "TSFunctionType", signature(to, from)),
  constructor_type: (from, to) =>
    make(from, "TSConstructorType", { ...signature(to, from), returnType: translated(to, part(from, "type")) }),
  literal_type: (from, to) => {
    const text = textOf(to, from);
    if (text === "undefined" || text === "null") return make(from, keywordOf(text));
    return make(from, "TSLiteralType", { literal: translateAll(to, from)[0] });
  },
  template_literal_type: (from, to) =>
    make(from, "TSTemplateLiteralType", {
      types: parts(from).flatMap((one) =>
        one.type === "template_type" ? parts(one).map((inner) => typed(to, inner)) : [],
      ),
    }),
  lookup_type: (from, to) => {
    const [objectType, indexType] = parts(from).map((one) => typed(to, one));
    return make(from, "TSIndexedAccessType", { objectType, indexType });
  },
  conditional_type: (from, to) =>
    make(from, "TSConditionalType", {
      checkType: translated(to, part(from, "left")),
      extendsType: translated(to, part(from, "right")),
      trueType: translated(to, part(from, "consequence")),
      falseType: translated(to, part(from, "alternative")),
    }),
  infer_type: (from, to) => {
    const [name] = parts(from);
    return make(from, "TSInferType", {
      typeParameter: name && make(name, "TSTypeParameter", { name: identifier(to, name) }),
    });
  },
  this_type: (from) => make(from, "TSThisType"),
};

function annotation(from: SyntaxNode, to: Translation): Node {
  return make(from, "TSTypeAnnotation", { typeAnnotation: only(from, to) });
}

function only(from: SyntaxNode, to: Translation): Node | undefined {
  const [inner] = parts(from);
  // `import("…").Name[]` is beyond the grammar, but what is in front of the brackets is there.
  const within = inner?.type === "ERROR" ? (parts(inner)[0] ?? inner) : inner;
  return within && typed(to, within);
}

/** `import("…").Name` is an expression to the grammar; `string` and names of types are not always told apart. */
function typed(to: Translation, from: SyntaxNode): Node {
  if (from.type === "member_expression" || from.type === "call_expression") return importType(from, to);
  return from.type === "identifier" || from.type === "nested_identifier"
    ? make(from, "TSTypeReference", { typeName: entity(from, to) })
    : to.node(from);
}

function importType(from: SyntaxNode, to: Translation, names: readonly SyntaxNode[] = []): Node {
  const object = part(from, "object");
  const property = part(from, "property");
  if (object && property) return importType(object, to, [property, ...names]);
  const source = parts(part(from, "arguments"))[0];
  if (part(from, "function")?.type !== "import" || !source) return make(from, "Unknown");
  const qualifier = names.reduce<Node | undefined>((left, name) => {
    const right = identifier(to, name);
    return left ? make(name, "TSQualifiedName", { left, right }) : right;
  }, undefined);
  return make(from, "TSImportType", { source: to.node(source), qualifier });
}

/** `a.b.C` */
export function entity(from: SyntaxNode, to: Translation): Node {
  const left = part(from, "module") ?? part(from, "object");
  const right = part(from, "name") ?? part(from, "property");
  if (from.type === "this") return make(from, "ThisExpression");
  if (!left || !right) return identifier(to, from);
  return make(from, "TSQualifiedName", { left: entity(left, to), right: identifier(to, right) });
}

const keywords: Record<string, string> = { "unique symbol": "TSTypeOperator" };

function keywordOf(text: string): string {
  return keywords[text] ?? `TS${text.charAt(0).toUpperCase()}${text.slice(1)}Keyword`;
}

function tupleMember(from: SyntaxNode, to: Translation): Node {
  if (from.type !== "required_parameter" && from.type !== "optional_parameter") return typed(to, from);
  return make(from, "TSNamedTupleMember", { elementType: translated(to, part(from, "type")) });
}

/** `a | b | c` leans to the left in the grammar. */
function flattened(from: SyntaxNode, to: Translation): Node[] {
  return parts(from).flatMap((one) => {
    const inner = one.type === "readonly_type" ? (parts(one)[0] ?? one) : one;
    return inner.type === from.type ? flattened(inner, to) : [typed(to, one)];
  });
}

function translateQuery(from: SyntaxNode, to: Translation): Node {
  const [inner] = parts(from);
  const expression = inner?.type === "instantiation_expression" ? parts(inner)[0] : inner;
  const typeArguments = inner === expression ? undefined : translated(to, ofType(inner, "type_arguments"));
  if (!expression) return make(from, "TSTypeQuery");
  const isImport = /^import\s*\(/.test(textOf(to, expression));
  return make(from, "TSTypeQuery", {
    exprName: isImport ? importType(expression, to) : entity(expression, to),
    typeArguments,
  });
}

/** A mapped type is an object type with a clause of its own. */
function translateObject(from: SyntaxNode, to: Translation): Node {
  const signatures = parts(from);
  const clause = ofType(signatures[0], "mapped_type_clause");
  if (!clause) return make(from, "TSTypeLiteral", { members: signatures.map((one) => to.node(one)) });
  const name = part(clause, "name");
  const constraint = part(clause, "type");
  const alias = part(clause, "alias");
  return make(from, "TSMappedType", {
    key: name && identifier(to, name),
    constraint: constraint && typed(to, constraint),
    nameType: alias && typed(to, alias),
    typeAnnotation: translated(to, part(signatures[0], "type")),
  });
}
