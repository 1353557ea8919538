import type { ExpressionFact, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { argumentsOf, calleeOf, expressions } from "./expressions.js";
import {
  addField,
  mentionArguments,
  mentionType,
  parametersOf,
  readFields,
  readFunction,
  readMethod,
  readOperator,
  readProperty,
  variablesOf,
} from "./members.js";
import { define, defineType, tupleOf, typeAround } from "../define.js";
import { elementOf, listOf, memberOf, unknownType, valueOf } from "../facts-of.js";
import { withoutDirectives } from "../without-directives.js";
import {
  bindName,
  bindType,
  bindValue,
  child,
  children,
  declare,
  enterSpace,
  expressionOf,
  homeOf,
  importSpace,
  inside,
  mention,
  openSpace,
  part,
  parts,
  scopeAt,
  text,
  typeOf,
  use,
  useType,
  visit,
  visitAll,
  type At,
  type Rules,
} from "../reading.js";

export const csharpRules: Rules = {
  grammar: "c_sharp",
  prepare: withoutDirectives,
  begin(at) {
    enterSpace(at, "csharp:", true);
    openSpace(at, "csharp:");
  },
  blocks: [
    "block",
    "for_statement",
    "if_statement",
    "switch_expression_arm",
    "switch_section",
    "using_statement",
    "while_statement",
  ],
  visit: {
    using_directive: readUsing,
    namespace_declaration: (at, node) => visit(enterNamespace(inside(at), node), part(node, "body")),
    file_scoped_namespace_declaration: (at, node) => void enterNamespace(at, node),
    class_declaration: readType,
    struct_declaration: readType,
    interface_declaration: readType,
    record_declaration: readType,
    record_struct_declaration: readType,
    enum_declaration: readType,
    enum_member_declaration: (at, node) => addField(at, node, node, typeAround(at), true),
    delegate_declaration(at, node) {
      const name = part(node, "name");
      if (!name) return;
      const symbol = define(at, { name, kind: "type", node });
      const types = parametersOf(at, part(node, "parameters")).map(({ type }) => type);
      bindName(at, text(at, name), ["symbol", symbol]);
      bindType(at, text(at, name), ["alias", ["function", typeOf(at, part(node, "type")), types], symbol]);
      if (scopeAt(at).home !== undefined) declare(at, homeOf(at), text(at, name), ["symbol", symbol]);
    },
    field_declaration: readFields,
    event_field_declaration: readFields,
    property_declaration: readProperty,
    indexer_declaration: readProperty,
    event_declaration: readProperty,
    method_declaration: readMethod,
    constructor_declaration: readMethod,
    destructor_declaration: readMethod,
    operator_declaration: readOperator,
    conversion_operator_declaration: readOperator,
    local_function_statement(at, node) {
      const symbol = readFunction(at, node, "function");
      const name = part(node, "name");
      if (name && symbol !== undefined) bindName(at, text(at, name), ["symbol", symbol]);
    },
    constructor_initializer(at, node) {
      const given = child(node, "argument_list");
      if (/^:\s*base\b/.test(text(at, node))) use(at, "call", ["super"], node, { given: argumentsOf(at, given) });
      visit(at, given);
    },
    variable_declaration: readVariables,
    foreach_statement(at, node) {
      const [inner, name, list] = [inside(at), part(node, "left"), part(node, "right")];
      const type = part(node, "type");
      visit(at, list);
      mentionType(at, type);
      if (name?.type === "identifier")
        bindValue(inner, text(at, name), typeOf(at, type), elementOf(expressionOf(at, list)));
      visit(inner, part(node, "body"));
    },
    from_clause(at, node) {
      const [name, list] = [part(node, "name"), node.children.at(-1)];
      visit(at, list);
      if (name) bindValue(at, text(at, name), null, elementOf(expressionOf(at, list)));
    },
    query_expression: (at, node) => visitAll(inside(at), node.children),
    catch_clause(at, node) {
      const inner = inside(at);
      const caught = child(node, "catch_declaration");
      if (caught) bindTyped(inner, caught);
      visitAll(
        inner,
        node.children.filter((one) => one !== caught),
      );
    },
    declaration_pattern: bindTyped,
    declaration_expression: bindTyped,
    recursive_pattern(at, node) {
      if (part(node, "name")) bindTyped(at, node);
      visitAll(at, children(node, "property_pattern_clause", "positional_pattern_clause"));
    },
    lambda_expression: (at, node) => readLambda(at, node),
    anonymous_method_expression: (at, node) => readLambda(at, node),
    invocation_expression(at, node) {
      const [callee, given] = [part(node, "function"), part(node, "arguments")];
      const { called, name } = calleeOf(at, callee);
      if (name === "nameof") return;
      use(at, "call", called, node, { name, given: argumentsOf(at, given) });
      if (callee && !["identifier", "generic_name"].includes(callee.type)) visitAll(at, callee.children.slice(0, 1));
      for (const list of [callee, part(callee ?? node, "name")]) mentionArguments(at, list);
      (given?.children ?? []).forEach((one, n) => {
        const lambda = child(one, "lambda_expression");
        if (lambda) readLambda(at, lambda, called && ((m) => ["given", called, n, m]));
        else visit(at, one);
      });
    },
    object_creation_expression(at, node) {
      const type = part(node, "type");
      use(at, "new", valueOf(typeOf(at, type)), node, { given: argumentsOf(at, part(node, "arguments")) });
      mentionArguments(at, type);
      visitAll(at, [part(node, "arguments"), part(node, "initializer")]);
    },
    // `{ Name = "x" }` names a property of what is made.
    initializer_expression: (at, node) =>
      visitAll(
        at,
        node.children.map((one) => (one.type === "assignment_expression" ? part(one, "right") : one)),
      ),
    member_access_expression(at, node) {
      const [what, object] = [expressionOf(at, node), part(node, "expression")];
      if (what && object?.type === "identifier") mention(at, what, node);
      else visit(at, object);
    },
    identifier: (at, node) => mention(at, ["name", text(at, node)], node),
    generic_name: mentionType,
    typeof_expression: (at, node) => mentionType(at, part(node, "type")),
    cast_expression(at, node) {
      mentionType(at, part(node, "type"));
      visit(at, part(node, "value"));
    },
    as_expression(at, node) {
      visit(at, part(node, "left"));
      mentionType(at, part(node, "right"));
    },
    attribute(at, node) {
      const name = part(node, "name");
      if (name) useType(at, ["name", `${text(at, name).replaceAll(/\s/g, "")}Attribute`], node);
      visitAll(at, children(node, "attribute_argument_list"));
    },
    argument: (at, node) => visit(at, node.children.at(-1)),
    labeled_statement: (at, node) => visitAll(at, node.children.slice(1)),
    goto_statement: () => undefined,
  },
  expressions,
  types: {
    identifier: (at, node) => ["name", text(at, node)],
    qualified_name: (at, node) => qualified(at, node),
    alias_qualified_name: (at, node) => typeOf(at, part(node, "name")),
    generic_name(at, node) {
      const [name, list] = [child(node, "identifier"), child(node, "type_argument_list")];
      const given = (list?.children ?? []).map((one) => typeOf(at, one) ?? unknownType);
      return name ? ["name", `${text(at, name)}\`${Math.max(1, given.length)}`, given] : null;
    },
    predefined_type: (at, node) => ["name", text(at, node)],
    nullable_type: (at, node) => typeOf(at, part(node, "type") ?? node.children[0]),
    array_type: (at, node) => listOf(typeOf(at, part(node, "type"))),
    ref_type: (at, node) => typeOf(at, part(node, "type")),
    tuple_type: (at, node) =>
      tupleOf(
        at,
        children(node, "tuple_element").map((one) => typeOf(at, part(one, "type"))),
      ),
  },
  outline: {
    using_directive: "import",
    namespace_declaration: "class",
    class_declaration: "class",
    struct_declaration: "class",
    interface_declaration: "class",
    record_declaration: "class",
    enum_declaration: "class",
    method_declaration: "function",
    constructor_declaration: "function",
  },
};

function qualified(at: At, node: SyntaxNode): TypeFact | null {
  const [outer, inner] = [typeOf(at, part(node, "qualifier")), typeOf(at, part(node, "name"))];
  if (outer?.[0] !== "name" || inner?.[0] !== "name") return inner;
  return inner[2] ? ["name", `${outer[1]}.${inner[1]}`, inner[2]] : ["name", `${outer[1]}.${inner[1]}`];
}

function pathOf(at: At, node: SyntaxNode): string {
  return text(at, node).replaceAll(/\s|^global::/g, "");
}

function enterNamespace(at: At, node: SyntaxNode): At {
  const name = part(node, "name");
  const outer = homeOf(at);
  if (!name) return at;
  const space = outer === "csharp:" ? `csharp:${pathOf(at, name)}` : `${outer}.${pathOf(at, name)}`;
  enterSpace(at, space, true);
  for (let one = space; one !== ""; one = one.slice(0, Math.max(0, one.lastIndexOf(".")))) openSpace(at, one);
  return at;
}

function readUsing(at: At, node: SyntaxNode): void {
  const target = node.children.at(-1);
  if (!target) return;
  const alias = part(node, "name");
  const path = pathOf(at, target);
  const end = path.lastIndexOf(".");
  const [outer, last] = [`csharp:${path.slice(0, Math.max(0, end))}`, path.slice(end + 1)];
  if (/^(?:global\s+)?using\s+static\b/.test(text(at, node))) {
    importSpace(at, outer, last, node);
    openSpace(at, `csharp:${path}`);
  } else if (alias && alias !== target) {
    importSpace(at, outer, last, node);
    bindName(at, text(at, alias), ["space", outer, last]);
  } else {
    importSpace(at, `csharp:${path}`, undefined, node);
    openSpace(at, `csharp:${path}`);
  }
}

function readType(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  if (!name) return;
  const kind = node.type.startsWith("interface") ? "interface" : node.type.startsWith("enum") ? "enum" : "class";
  const variables = variablesOf(at, node);
  const bases = (child(node, "base_list")?.children ?? []).filter(({ type }) => at.reading.rules.types[type]);
  const types = bases.map((one) => typeOf(at, one));
  // What begins with an I and a capital letter is an interface by everybody's custom.
  const isPromise = (type: TypeFact | null) => type?.[0] === "name" && /(?:^|\.)I[A-Z]/.test(type[1]);
  const space = scopeAt(at).home === undefined ? undefined : homeOf(at);
  const isPartial = children(node, "modifier").some((one) => text(at, one) === "partial");
  const called = variables.length > 0 ? `${text(at, name)}\`${variables.length}` : text(at, name);
  const { at: body, shape } = defineType(at, {
    node,
    name,
    called,
    kind,
    variables,
    extends: kind === "interface" ? types : types.filter((type) => !isPromise(type)),
    implements: kind === "interface" ? [] : types.filter(isPromise),
    space,
    isOpen: isPartial,
    isBody: true,
  });
  const own = at.reading.shapes[shape];
  if (own && isPartial && !child(part(node, "body"), "constructor_declaration")) own.isPart = true;
  if (isPartial && space !== undefined) {
    for (const type of types) if (type) declare(body, `${space}.${called}`, "<extends>", ["value", type, null]);
  }
  for (const one of bases) mentionArguments(at, one);
  visitAll(at, children(node, "attribute_list"));
  const components = child(node, "parameter_list");
  for (const one of children(components, "parameter"))
    addField(body, one, one, typeOf(at, part(one, "type")), false, shape);
  visit(body, part(node, "body"));
}

function readVariables(at: At, node: SyntaxNode): void {
  const type = part(node, "type");
  mentionType(at, type);
  for (const one of children(node, "variable_declarator")) {
    const [first, value] = [one.children[0], one.children.length > 1 ? one.children.at(-1) : undefined];
    visit(at, value);
    const made = expressionOf(at, value);
    if (first?.type === "tuple_pattern")
      parts(first, "name").forEach((name, n) => bindValue(at, text(at, name), null, memberOf(made, String(n))));
    else if (first) bindValue(at, text(at, first), typeOf(at, type), made);
  }
}

/** `Item item`: in a pattern, after `out`, in a `catch`. */
function bindTyped(at: At, node: SyntaxNode): void {
  const [type, name] = [part(node, "type"), part(node, "name")];
  mentionType(at, type);
  if (name) bindValue(at, text(at, name), typeOf(at, type));
}

/** A lambda; where it is handed to a method, its parameters are what that gives it. */
function readLambda(at: At, node: SyntaxNode, given?: ((parameter: number) => ExpressionFact) | null): void {
  const inner = inside(at);
  const taken = part(node, "parameters");
  const names = taken?.type === "parameter_list" ? taken.children : taken ? [taken] : [];
  names.forEach((one, m) => {
    const name = one.type === "implicit_parameter" ? one : (part(one, "name") ?? one);
    bindValue(inner, text(at, name), typeOf(at, part(one, "type")), given ? ["in", at.scope, given(m)] : null);
  });
  visit(inner, part(node, "body") ?? child(node, "block"));
}
