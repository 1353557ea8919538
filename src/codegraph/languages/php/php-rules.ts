import type { ExpressionFact, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { assign, maybe, oneOf } from "../assign.js";
import {
  addMember,
  define,
  defineAnonymous,
  defineFunction,
  defineType,
  typeAround,
  type Parameter,
} from "../define.js";
import { elementOf } from "../facts-of.js";
import { calleeOf, constantOf, expressions, isClassName } from "./expressions.js";
import { pathWritten } from "./required-path.js";
import { boundName, classNamed, enterNamespace, readUse } from "./names.js";
import {
  bindName,
  bindValue,
  child,
  children,
  declare,
  expressionOf,
  homeOf,
  importFile,
  inside,
  mention,
  part,
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

export const phpRules: Rules = {
  grammar: "php",
  begin(at, root) {
    scopeAt(at).home = "php:";
    if (!child(root, "namespace_definition")) enterNamespace(at, undefined);
  },
  // A variable is known in the whole of its function.
  blocks: [],
  visit: {
    namespace_definition(at, node) {
      const [name, body] = [part(node, "name"), part(node, "body")];
      const inner = enterNamespace(body ? inside(at) : at, name);
      visit(inner, body);
    },
    namespace_use_declaration: readUse,
    require_expression: readRequire,
    require_once_expression: readRequire,
    include_expression: readRequire,
    include_once_expression: readRequire,
    class_declaration: readType,
    interface_declaration: readType,
    trait_declaration: readType,
    enum_declaration: readType,
    anonymous_class(at, node) {
      const [parent] = typesIn(at, child(node, "base_clause"));
      visitAll(at, children(node, "arguments"));
      const body = defineAnonymous(inside(at), parent ?? null);
      if (parent) bindName(body, "parent", ["value", parent, null]);
      visit(body, part(node, "body"));
    },
    use_declaration(at, node) {
      const shape = at.reading.shapes[scopeAt(at).shape];
      const parents = typesIn(at, node).map((type) => ["type", type] as ExpressionFact);
      // A trait comes before the class above.
      if (shape) shape.extends = [...parents, ...(shape.extends ?? [])];
    },
    const_declaration: readConstants,
    enum_case(at, node) {
      const [name, owner] = [part(node, "name"), typeAround(at)];
      if (!name) return;
      const symbol = define(at, { name, kind: "property", node });
      addMember(at.reading, scopeAt(at).shape, text(at, name), { symbol, ...(owner && { type: owner }) }, true);
      visit(at, part(node, "value"));
    },
    property_declaration: readProperties,
    method_declaration: readFunction,
    function_definition: readFunction,
    anonymous_function: readClosure,
    arrow_function: readClosure,
    return_statement(at, node) {
      const fact = at.reading.symbols[scopeAt(at).symbol];
      const made = expressionOf(at, node.children[0]);
      if (fact && !fact.returns && made) fact.returned = [...(fact.returned ?? []), [made, at.scope]];
      visitAll(at, node.children);
    },
    assignment_expression(at, node) {
      const [left, right] = [part(node, "left"), part(node, "right")];
      visit(at, right);
      readTarget(at, left, expressionOf(at, right));
    },
    foreach_statement(at, node) {
      const [list, each] = node.children;
      visit(at, list);
      for (const one of each?.type === "pair" ? each.children : [each]) {
        const name = one?.type === "by_ref" ? one.children[0] : one;
        readTarget(at, name, one === each || one === each?.children[1] ? elementOf(expressionOf(at, list)) : null);
      }
      visit({ ...at, isMaybe: true }, part(node, "body"));
    },
    if_statement: maybe,
    for_statement: maybe,
    while_statement: maybe,
    do_statement: maybe,
    switch_statement: maybe,
    conditional_expression: maybe,
    catch_clause(at, node) {
      const [types, name] = [part(node, "type"), part(node, "name")];
      visit(at, types);
      const inner = inside(at);
      if (name && types) bindValue(inner, text(at, name), severalTypes(at, types));
      visit(inner, part(node, "body"));
    },
    static_variable_declaration: (at, node) =>
      readTarget(at, part(node, "name"), expressionOf(at, part(node, "value"))),
    function_call_expression(at, node) {
      const callee = part(node, "function");
      const name = callee && callee.type.endsWith("name") ? text(at, callee) : undefined;
      if (name?.toLowerCase() === "define") readDefine(at, node);
      useCall(at, node, calleeOf(at, node), name?.slice(name.lastIndexOf("\\") + 1));
      if (name === undefined || callee?.type === "variable_name") visit(at, callee);
      visit(at, part(node, "arguments"));
    },
    member_call_expression: readMethodCall,
    nullsafe_member_call_expression: readMethodCall,
    scoped_call_expression: readMethodCall,
    object_creation_expression(at, node) {
      const [made, ...rest] = node.children;
      if (isClassName(made)) {
        const type = classNamed(at, made);
        const what = type?.[0] === "name" && type[1] === "this" ? typeAround(at) : type;
        const called = text(at, made);
        use(at, "new", what?.[0] === "name" ? ["name", what[1]] : null, node, {
          name: called.slice(called.lastIndexOf("\\") + 1),
        });
      } else visit(at, made);
      visitAll(at, rest);
    },
    class_constant_access_expression(at, node) {
      const [owner, name] = node.children;
      const what = constantOf(at, node);
      if (!what || (name && text(at, name) === "class")) visit(at, owner);
      else mention(at, what, node);
    },
    scoped_property_access_expression: (at, node) => mentionClass(at, part(node, "scope")),
    member_access_expression: (at, node) => visit(at, part(node, "object")),
    nullsafe_member_access_expression: (at, node) => visit(at, part(node, "object")),
    argument: (at, node) =>
      visitAll(
        at,
        node.children.filter(({ field }) => field !== "name"),
      ),
    attribute(at, node) {
      mentionClass(at, node.children[0]);
      visitAll(at, node.children.slice(1));
    },
    named_type: (at, node) => mentionClass(at, node.children[0]),
    // That of a constant, or of a class after `instanceof`.
    name: (at, node) => mention(at, ["name", text(at, node)], node),
    qualified_name: (at, node) => mention(at, ["name", boundName(at, text(at, node))], node),
    variable_name: () => undefined,
    relative_scope: () => undefined,
    goto_statement: () => undefined,
    named_label_statement: () => undefined,
    declare_statement: (at, node) => visitAll(at, node.children.slice(1)),
  },
  expressions,
  types: {
    named_type: (at, node) => (node.children[0] ? classNamed(at, node.children[0]) : null),
    optional_type: (at, node) => typeOf(at, node.children[0]),
    union_type: severalTypes,
    intersection_type: severalTypes,
    disjunctive_normal_form_type: severalTypes,
    // Whatever says nothing may well be of the tree.
    primitive_type: (at, node) =>
      /^(?:mixed|array|iterable)$/i.test(text(at, node)) ? null : ["name", text(at, node)],
  },
  outline: {
    namespace_use_declaration: "import",
    namespace_definition: "class",
    class_declaration: "class",
    interface_declaration: "class",
    trait_declaration: "class",
    enum_declaration: "class",
    method_declaration: "function",
    function_definition: "function",
  },
};

function severalTypes(at: At, node: SyntaxNode): TypeFact {
  return ["either", node.children.flatMap((one): TypeFact[] => some(typeOf(at, one)))];
}

function some(type: TypeFact | null): TypeFact[] {
  return type ? [type] : [];
}

function readRequire(at: At, node: SyntaxNode): void {
  const path = pathWritten(at, node.children[0]);
  if (path === undefined) visitAll(at, node.children);
  else importFile(at, path, node);
}

/** The classes that are named after `extends`, `implements`, or `use` in a class. */
function typesIn(at: At, node: SyntaxNode | undefined): TypeFact[] {
  return children(node, "name", "qualified_name").flatMap((one): TypeFact[] => some(classNamed(at, one)));
}

function readType(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  if (!name) return;
  const isTrait = node.type === "trait_declaration";
  const above = typesIn(at, child(node, "base_clause"));
  const { at: body, shape } = defineType(at, {
    node,
    name,
    kind: node.type.startsWith("interface") ? "interface" : node.type.startsWith("enum") ? "enum" : "class",
    extends: above,
    implements: typesIn(at, child(node, "class_interface_clause")),
    space: homeOf(at),
    ...(isTrait && { isCallable: false }),
  });
  const fact = at.reading.shapes[shape];
  if (fact) fact.isOrdered = true;
  if (above[0]) bindName(body, "parent", ["value", above[0], null]);
  visit(body, part(node, "attributes"));
  visit(body, part(node, "body"));
}

function readConstants(at: At, node: SyntaxNode): void {
  const elements = children(node, "const_element");
  const { shape } = scopeAt(at);
  for (const one of elements) {
    const [name, value] = [child(one, "name"), one.children.at(-1)];
    if (!name) continue;
    const whole = elements.length === 1 ? node : one;
    const symbol = define(at, { name, kind: shape < 0 ? "variable" : "property", node: whole });
    const init = expressionOf(at, value);
    if (shape < 0) addConstant(at, text(at, name), symbol);
    else addMember(at.reading, shape, text(at, name), { symbol, ...(init && { init }) }, true);
    visit(inside(at, { symbol }), value);
  }
}

function addConstant(at: At, name: string, symbol: number): void {
  declare(at, homeOf(at), name, ["symbol", symbol]);
}

/** `define('LIMIT', 3)` */
function readDefine(at: At, node: SyntaxNode): void {
  const [first] = part(node, "arguments")?.children ?? [];
  const name = child(child(first, "string", "encapsed_string"), "string_content");
  if (!name || !/^\w+$/.test(text(at, name))) return;
  declare(at, "php:", text(at, name), ["symbol", define(at, { name, kind: "variable", node })]);
}

function readProperties(at: At, node: SyntaxNode): void {
  const elements = children(node, "property_element");
  const type = part(node, "type");
  for (const one of elements) {
    const value = part(one, "default_value");
    addProperty(at, part(one, "name"), elements.length === 1 ? node : one, typeOf(at, type));
    visit(at, value);
  }
  visitAll(at, [part(node, "attributes"), type]);
}

function addProperty(at: At, variable: SyntaxNode | undefined, node: SyntaxNode, type: TypeFact | null): void {
  const name = child(variable, "name");
  if (!name) return;
  const symbol = define(at, { name, kind: "property", node });
  addMember(at.reading, scopeAt(at).shape, `$${text(at, name)}`, { symbol, ...(type && { type }) });
}

function readFunction(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  if (!name) return;
  const kind = node.type === "method_declaration" ? "method" : "function";
  const [taken, result] = [part(node, "parameters"), part(node, "return_type")];
  for (const one of children(taken, "property_promotion_parameter"))
    addProperty(at, part(one, "name"), one, typeOf(at, part(one, "type")));
  const { at: inner, symbol } = defineFunction(at, {
    node,
    name,
    kind,
    parameters: parametersOf(at, taken),
    returns: (within) => typeOf(within, result),
    body: part(node, "body"),
  });
  if (kind === "method") addMember(at.reading, scopeAt(at).shape, text(at, name), { symbol });
  else declare(at, homeOf(at), text(at, name), ["symbol", symbol]);
  visitAll(inner, [part(node, "attributes"), result, ...besideNames(taken)]);
}

/** The types, attributes and defaults of parameters. */
function besideNames(list: SyntaxNode | undefined): SyntaxNode[] {
  return (list?.children ?? []).flatMap((one) => one.children.filter(({ field }) => field !== "name"));
}

function parametersOf(at: At, list: SyntaxNode | undefined): Parameter[] {
  return children(list, "simple_parameter", "variadic_parameter", "property_promotion_parameter").map((one) => {
    const name = part(one, "name");
    return {
      ...(name && { name: text(at, name.type === "by_ref" ? (name.children[0] ?? name) : name) }),
      type: typeOf(at, part(one, "type")),
      isOptional: part(one, "default_value") !== undefined,
      isRest: one.type === "variadic_parameter",
    };
  });
}

/** A function without a name. What it returns is not what the one around it does. */
function readClosure(at: At, node: SyntaxNode): void {
  const inner = inside(at);
  const taken = part(node, "parameters");
  for (const { name, type } of parametersOf(at, taken)) if (name !== undefined) bindValue(inner, name, type);
  const fact = at.reading.symbols[scopeAt(at).symbol];
  const returned = fact?.returned;
  visitAll(inner, [part(node, "return_type"), ...besideNames(taken), part(node, "body")]);
  if (returned && fact) fact.returned = returned;
  else delete fact?.returned;
}

/** What is assigned to: a variable, a property of `$this`, or several in a list. */
function readTarget(at: At, node: SyntaxNode | undefined, made: ExpressionFact | null): void {
  if (node?.type === "variable_name") assign(at, text(at, node), made);
  else if (node?.type === "list_literal" || node?.type === "array_creation_expression") {
    for (const one of node.children)
      readTarget(at, one.type === "array_element_initializer" ? one.children.at(-1) : one, null);
  } else {
    visit(at, node);
    const what = made && expressionOf(at, node);
    if (made && what?.[0] === "member" && what[1][0] === "this") {
      const member = at.reading.shapes[scopeAt(at).shape]?.members.get(what[2]);
      if (member && !member.type && !member.init) Object.assign(member, { init: made, scope: at.scope });
      else if (member?.init && member.scope === at.scope) member.init = oneOf(member.init, made);
    }
  }
}

/** A call; `strlen(...)` only names what could be called. */
function useCall(at: At, node: SyntaxNode, callee: ExpressionFact | null, name: string | undefined): void {
  const isNamed = child(part(node, "arguments"), "variadic_placeholder") !== undefined;
  if (isNamed && callee) use(at, "reference", callee, node);
  else use(at, "call", callee, node, { name });
}

function readMethodCall(at: At, node: SyntaxNode): void {
  const [name, scope] = [part(node, "name"), part(node, "scope")];
  useCall(at, node, calleeOf(at, node), name?.type === "name" ? text(at, name) : undefined);
  if (scope) mentionClass(at, scope);
  else visit(at, part(node, "object"));
  if (name?.type !== "name") visit(at, name);
  visit(at, part(node, "arguments"));
}

function mentionClass(at: At, node: SyntaxNode | undefined): void {
  if (node?.type === "relative_scope" || !isClassName(node)) visit(at, node);
  else useType(at, classNamed(at, node), node);
}
