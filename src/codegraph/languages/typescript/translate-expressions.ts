import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import type { Node } from "./estree.js";
import {
  decorators,
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

/** How expressions and patterns become those of ESTree. */
export const expressionRules: Rules = {
  identifier: (from, to) => identifier(to, from),
  undefined: (from, to) => identifier(to, from),
  property_identifier: (from, to) => identifier(to, from),
  statement_identifier: (from, to) => identifier(to, from),
  shorthand_property_identifier_pattern: (from, to) => identifier(to, from),
  private_property_identifier: (from, to) => make(from, "PrivateIdentifier", { name: textOf(to, from).slice(1) }),
  this: (from) => make(from, "ThisExpression"),
  super: (from) => make(from, "Super"),
  meta_property: (from) => make(from, "MetaProperty"),
  string: (from, to) => make(from, "Literal", { value: unquoted(textOf(to, from)) }),
  number: (from, to) => make(from, "Literal", { value: numberOf(textOf(to, from)) }),
  regex: (from) => make(from, "Literal", { value: null }),
  true: (from) => make(from, "Literal", { value: true }),
  false: (from) => make(from, "Literal", { value: false }),
  null: (from) => make(from, "Literal", { value: null }),
  template_string: (from, to) => {
    const expressions = parts(from).flatMap((one) =>
      one.type === "template_substitution" ? translateAll(to, one) : [],
    );
    const quasis = [make(from, "TemplateElement", { value: { cooked: textOf(to, from).slice(1, -1) } })];
    return make(from, "TemplateLiteral", { expressions, quasis });
  },
  call_expression: translateCall,
  new_expression: (from, to) =>
    make(from, "NewExpression", {
      callee: translated(to, part(from, "constructor")),
      typeArguments: translated(to, part(from, "type_arguments")),
      arguments: translateAll(to, part(from, "arguments")),
    }),
  member_expression: (from, to) =>
    make(from, "MemberExpression", {
      object: translated(to, part(from, "object")),
      property: translated(to, part(from, "property")),
    }),
  nested_identifier: (from, to) =>
    make(from, "MemberExpression", {
      object: translated(to, part(from, "object")),
      property: translated(to, part(from, "property")),
    }),
  subscript_expression: (from, to) =>
    make(from, "MemberExpression", {
      object: translated(to, part(from, "object")),
      property: translated(to, part(from, "index")),
      computed: true,
    }),
  parenthesized_expression: (from, to) => translateAll(to, from)[0] ?? make(from, "Unknown"),
  arrow_function: (from, to) => make(from, "ArrowFunctionExpression", signature(to, from)),
  function_expression: (from, to) =>
    make(from, "FunctionExpression", { id: translated(to, part(from, "name")), ...signature(to, from) }),
  generator_function: (from, to) =>
    make(from, "FunctionExpression", { id: translated(to, part(from, "name")), ...signature(to, from) }),
  object: (from, to) =>
    make(from, "ObjectExpression", {
      // What is a method in a class is a property in an object.
      properties: translateAll(to, from).map((one) =>
        one.type === "MethodDefinition" ? { ...one, type: "Property" } : one,
      ),
    }),
  pair: (from, to) =>
    make(from, "Property", {
      kind: "init",
      ...keyed(to, part(from, "key")),
      value: translated(to, part(from, "value")),
    }),
  shorthand_property_identifier: (from, to) =>
    make(from, "Property", { kind: "init", key: identifier(to, from), value: identifier(to, from) }),
  spread_element: (from, to) => make(from, "SpreadElement", { argument: translateAll(to, from)[0] }),
  array: (from, to) => make(from, "ArrayExpression", { elements: translateAll(to, from) }),
  ternary_expression: (from, to) =>
    make(from, "ConditionalExpression", {
      test: translated(to, part(from, "condition")),
      consequent: translated(to, part(from, "consequence")),
      alternate: translated(to, part(from, "alternative")),
    }),
  unary_expression: (from, to) => make(from, "UnaryExpression", { argument: translated(to, part(from, "argument")) }),
  binary_expression: translateBinary,
  assignment_expression: (from, to) =>
    make(from, "AssignmentExpression", {
      operator: "=",
      left: translated(to, part(from, "left")),
      right: translated(to, part(from, "right")),
    }),
  augmented_assignment_expression: (from, to) =>
    make(from, "AssignmentExpression", {
      operator: "+=",
      left: translated(to, part(from, "left")),
      right: translated(to, part(from, "right")),
    }),
  sequence_expression: (from, to) => make(from, "SequenceExpression", { expressions: sequence(from, to) }),
  await_expression: (from, to) => make(from, "AwaitExpression", { argument: translateAll(to, from)[0] }),
  as_expression: (from, to) => {
    const [expression, type] = parts(from);
    // `as const` has no type to the grammar.
    const typeName = make(from, "Identifier", { name: "const" });
    const typeAnnotation = type ? to.node(type) : make(from, "TSTypeReference", { typeName });
    return make(from, "TSAsExpression", { expression: translated(to, expression), typeAnnotation });
  },
  satisfies_expression: (from, to) => {
    const [expression, typeAnnotation] = translateAll(to, from);
    return make(from, "TSSatisfiesExpression", { expression, typeAnnotation });
  },
  type_assertion: (from, to) => {
    const [type, expression] = parts(from);
    return make(from, "TSTypeAssertion", {
      expression: translated(to, expression),
      typeAnnotation: translated(to, parts(type)[0]),
    });
  },
  non_null_expression: (from, to) => {
    const [inner] = parts(from);
    // To the grammar, `!a!.b` asks for the `b` of `!a`.
    const operand = inner?.type === "unary_expression" ? (part(inner, "argument") ?? inner) : inner;
    return make(from, "TSNonNullExpression", { expression: translated(to, operand) });
  },
  instantiation_expression: (from, to) =>
    make(from, "TSInstantiationExpression", {
      expression: translateAll(to, from)[0],
      typeArguments: translated(to, part(from, "type_arguments")),
    }),
  object_pattern: (from, to) =>
    make(from, "ObjectPattern", { properties: parts(from).map((one) => patternProperty(one, to)) }),
  array_pattern: (from, to) => make(from, "ArrayPattern", { elements: translateAll(to, from) }),
  assignment_pattern: (from, to) =>
    make(from, "AssignmentPattern", {
      left: translated(to, part(from, "left")),
      right: translated(to, part(from, "right")),
    }),
  rest_pattern: (from, to) => make(from, "RestElement", { argument: translateAll(to, from)[0] }),
  required_parameter: translateParameter,
  optional_parameter: translateParameter,
  jsx_element: translateElement,
  jsx_self_closing_element: translateElement,
  jsx_expression: (from, to) => translateAll(to, from)[0] ?? make(from, "JSXEmptyExpression"),
  jsx_attribute: (from, to) => {
    const [, value] = parts(from);
    return make(from, "JSXAttribute", { value: translated(to, value) });
  },
  jsx_text: (from) => make(from, "JSXText"),
  html_character_reference: (from) => make(from, "JSXText"),
};

/** What a string says. The odd escape that JSON does not know stays as it is written. */
function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  if (!inner.includes("\\")) return inner;
  try {
    return JSON.parse(`"${inner.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"')}"`) as string;
  } catch {
    return inner;
  }
}

function numberOf(text: string): number {
  return Number(text.replaceAll("_", ""));
}

function translateCall(from: SyntaxNode, to: Translation): Node {
  const callee = part(from, "function");
  const given = part(from, "arguments");
  if (callee?.type === "import") return make(from, "ImportExpression", { source: translateAll(to, given)[0] });
  if (callee?.type === "await_expression") {
    // To the grammar, `await open<T>()` calls what was waited for.
    const inner = { ...from, children: from.children.map((one) => (one === callee ? withField(one) : one)) };
    return make(from, "AwaitExpression", { argument: translateCall(inner, to) });
  }
  if (callee?.type === "identifier" && textOf(to, callee) === "await" && given) {
    // To the grammar, `await (0, a.b)()` calls what a function of that name gives.
    const expressions = translateAll(to, given);
    return expressions.length === 1 && expressions[0]
      ? expressions[0]
      : make(given, "SequenceExpression", { expressions });
  }
  const typeArguments = translated(to, part(from, "type_arguments"));
  if (given?.type === "template_string") {
    return make(from, "TaggedTemplateExpression", {
      tag: translated(to, callee),
      typeArguments,
      quasi: to.node(given),
    });
  }
  return make(from, "CallExpression", {
    callee: translated(to, callee),
    typeArguments,
    arguments: translateAll(to, given),
  });
}

function withField(awaited: SyntaxNode): SyntaxNode {
  const [inner = awaited] = parts(awaited);
  return { ...inner, field: "function" };
}

/** The operator is no node; it stands between the operands, perhaps with comments. */
function translateBinary(from: SyntaxNode, to: Translation): Node {
  const [left, right] = [part(from, "left"), part(from, "right")];
  const between = to.source
    .slice(left?.end ?? from.start, right?.start ?? from.end)
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
  const operator = between.trim();
  const isLogical = operator === "&&" || operator === "||" || operator === "??";
  const fields = { operator, left: translated(to, left), right: translated(to, right) };
  return make(from, isLogical ? "LogicalExpression" : "BinaryExpression", fields);
}

function sequence(from: SyntaxNode, to: Translation): Node[] {
  return parts(from).flatMap((one) => (one.type === "sequence_expression" ? sequence(one, to) : [to.node(one)]));
}

function patternProperty(from: SyntaxNode, to: Translation): Node {
  if (from.type === "rest_pattern") return to.node(from);
  if (from.type === "pair_pattern") {
    return make(from, "Property", { ...keyed(to, part(from, "key")), value: translated(to, part(from, "value")) });
  }
  if (from.type !== "object_assignment_pattern")
    return make(from, "Property", { key: to.node(from), value: to.node(from) });
  const left = translated(to, part(from, "left"));
  const value = make(from, "AssignmentPattern", { left, right: translated(to, part(from, "right")) });
  return make(from, "Property", { key: left, value });
}

/** A parameter of TypeScript: a pattern with a type, perhaps a default, perhaps a property of the class. */
function translateParameter(from: SyntaxNode, to: Translation): Node {
  const pattern = part(from, "pattern") ?? part(from, "name");
  if (!pattern) return make(from, "Unknown", { children: translateAll(to, from) });
  const type = part(from, "type");
  const value = part(from, "value");
  const named = pattern.type === "this" ? identifier(to, pattern) : to.node(pattern);
  const inner = { ...named, ...(type && { typeAnnotation: to.node(type), end: type.end }) };
  const parameter = value ? make(from, "AssignmentPattern", { left: inner, right: to.node(value) }) : inner;
  const head = headOf(to, from, pattern);
  const isProperty = ofType(from, "accessibility_modifier") !== undefined || /\b(readonly|override)\s+$/.test(head);
  const decorated = decorators(to, from.children);
  if (!isProperty) return { ...parameter, decorators: decorated };
  return make(from, "TSParameterProperty", { parameter, decorators: decorated });
}

function translateElement(from: SyntaxNode, to: Translation): Node {
  const opening = part(from, "open_tag") ?? from;
  const name = part(opening, "name");
  const inner =
    opening === from ? [] : parts(from).filter(({ field }) => field !== "open_tag" && field !== "close_tag");
  const openingElement = make(opening, "JSXOpeningElement", {
    name: name && elementName(name, to),
    typeArguments: translated(to, part(opening, "type_arguments")),
    attributes: parts(opening)
      .filter(({ field }) => field === "attribute")
      .map((one) => attributeOf(one, to)),
  });
  return make(from, "JSXElement", { openingElement, children: inner.map((one) => to.node(one)) });
}

function elementName(from: SyntaxNode, to: Translation): Node {
  const [object, property] = [part(from, "object"), part(from, "property")];
  if (!object || !property) return make(from, "JSXIdentifier", { name: textOf(to, from) });
  return make(from, "JSXMemberExpression", { object: elementName(object, to), property: elementName(property, to) });
}

function attributeOf(from: SyntaxNode, to: Translation): Node {
  if (from.type === "jsx_attribute") return to.node(from);
  const [spread] = parts(from);
  return make(from, "JSXSpreadAttribute", { argument: translated(to, parts(spread)[0]) });
}
