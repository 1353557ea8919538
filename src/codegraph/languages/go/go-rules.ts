import type { ExpressionFact, Named, TypeFact } from "../../facts/facts.js";
import { folderOf } from "../../tree/paths.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { addMember, define, defineFunction, defineName, defineType, tupleOf, type Parameter } from "../define.js";
import { elementOf, indexOf, listOf, memberOf, ofType, unknownType } from "../facts-of.js";
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

export const goRules: Rules = {
  grammar: "go",
  begin(at, root) {
    const name = child(child(root, "package_clause") ?? root, "package_identifier");
    // A test may stand in a package of its own, beside the one that it tests.
    const isApart = name !== undefined && text(at, name).endsWith("_test") && at.reading.path.endsWith("_test.go");
    const folder = `go:./${folderOf(at.reading.path)}`;
    enterSpace(at, isApart ? `${folder}!` : folder, false);
    openSpace(at, isApart ? `${folder}!` : folder);
    // Methods may stand above their type.
    for (const one of children(root, "type_declaration")) defineTypes(at, one);
  },
  blocks: ["block", "if_statement", "for_statement", "expression_switch_statement", "communication_case"],
  visit: {
    package_clause: () => undefined,
    import_spec: readImport,
    type_declaration: (at, node) => (at.scope === 0 ? undefined : defineTypes(at, node)),
    function_declaration(at, node) {
      const name = part(node, "name");
      if (!name) return;
      const { symbol } = readFunction(at, node, { name, kind: "function" });
      if (["init", "main", "_"].includes(text(at, name))) return;
      bindName(at, text(at, name), ["symbol", symbol]);
      declare(at, homeOf(at), text(at, name), ["symbol", symbol]);
    },
    method_declaration: readMethod,
    var_declaration: readVariables,
    const_declaration: readVariables,
    func_literal(at, node) {
      const inner = inside(at);
      for (const { name, type } of parametersOf(at, part(node, "parameters"))) if (name) bindValue(inner, name, type);
      visitAll(inner, node.children);
    },
    type_switch_statement: readTypeSwitch,
    short_var_declaration: (at, node) => bindAll(at, node, (right) => right),
    receive_statement: (at, node) => bindAll(at, node, (right) => right),
    // Of a list the element; of a map, what its pairs hold.
    range_clause: (at, node) =>
      bindAll(at, node, (right, n) =>
        n === 0
          ? null
          : [
              "either",
              [
                ["element", right],
                ["element", ["element", right]],
              ],
            ],
      ),
    call_expression(at, node) {
      const [callee, given] = [part(node, "function"), part(node, "arguments")];
      use(at, "call", expressionOf(at, callee), node);
      if (callee?.type === "selector_expression") visit(at, part(callee, "operand"));
      else if (callee?.type !== "identifier") visit(at, callee);
      visit(at, given);
      visit(at, part(node, "type_arguments"));
    },
    // `first[int](list)` is written like a conversion to a type.
    type_conversion_expression(at, node) {
      const type = part(node, "type");
      const name = type?.type === "generic_type" ? part(type, "type") : undefined;
      if (name?.type === "type_identifier") use(at, "call", ["name", text(at, name)], node);
      visitAll(at, node.children);
    },
    selector_expression(at, node) {
      const what = expressionOf(at, node);
      const operand = part(node, "operand");
      if (what && operand?.type === "identifier") mention(at, what, node);
      else visit(at, operand);
    },
    identifier: (at, node) => mention(at, ["name", text(at, node)], node),
    // A key of a literal is a field, unless it is that of a map: both say little.
    keyed_element: (at, node) => visitAll(at, node.children.slice(1)),
    type_identifier: (at, node) => useType(at, ["name", text(at, node)], node),
    qualified_type: (at, node) => useType(at, typeOf(at, node), node),
    labeled_statement: (at, node) => visitAll(at, node.children.slice(1)),
  },
  expressions: {
    identifier: (at, node) => ["name", text(at, node)],
    selector_expression(at, node) {
      const field = part(node, "field");
      return field ? memberOf(expressionOf(at, part(node, "operand")), text(at, field)) : null;
    },
    call_expression: callOf,
    index_expression: (at, node) => indexOf(expressionOf(at, part(node, "operand"))),
    slice_expression: (at, node) => expressionOf(at, part(node, "operand")),
    parenthesized_expression: (at, node) => expressionOf(at, node.children[0]),
    unary_expression(at, node) {
      const operand = expressionOf(at, part(node, "operand"));
      return text(at, node).startsWith("<-") ? elementOf(operand) : operand;
    },
    composite_literal: (at, node) => ofType(typeOf(at, part(node, "type"))),
    type_assertion_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
    type_conversion_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
    func_literal(at, node) {
      const types = parametersOf(at, part(node, "parameters")).map(({ type }) => type);
      return ["type", ["function", resultOf(at, part(node, "result")), types]];
    },
  },
  types: {
    type_identifier: (at, node) => ["name", text(at, node)],
    qualified_type: (at, node) => ["name", text(at, node).replaceAll(/\s/g, "")],
    pointer_type: (at, node) => typeOf(at, node.children[0]),
    parenthesized_type: (at, node) => typeOf(at, node.children[0]),
    type_elem: (at, node) => (node.children.length === 1 ? typeOf(at, node.children[0]) : null),
    slice_type: (at, node) => listOf(typeOf(at, part(node, "element"))),
    array_type: (at, node) => listOf(typeOf(at, part(node, "element"))),
    channel_type: (at, node) => listOf(typeOf(at, part(node, "value"))),
    map_type: (at, node) => [
      "name",
      "map",
      [typeOf(at, part(node, "key")) ?? unknownType, typeOf(at, part(node, "value")) ?? unknownType],
    ],
    generic_type(at, node) {
      const type = typeOf(at, part(node, "type"));
      const given = part(node, "type_arguments")?.children.map((one) => typeOf(at, one) ?? unknownType) ?? [];
      return type?.[0] === "name" ? ["name", type[1], given] : type;
    },
    function_type: (at, node) => [
      "function",
      resultOf(at, part(node, "result")),
      parametersOf(at, part(node, "parameters")).map(({ type }) => type),
    ],
  },
  outline: {
    import_declaration: "import",
    function_declaration: "function",
    method_declaration: "function",
    type_declaration: "class",
  },
};

function callOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const callee = part(node, "function");
  const [first] = part(node, "arguments")?.children ?? [];
  const isMaking = callee?.type === "identifier" && /^(?:new|make)$/.test(text(at, callee));
  if (isMaking && first) return ofType(first.type === "identifier" ? ["name", text(at, first)] : typeOf(at, first));
  const called = expressionOf(at, callee);
  return called && ["call", called];
}

function readImport(at: At, node: SyntaxNode): void {
  const written = part(node, "path");
  const path = written ? text(at, written).slice(1, -1) : "";
  if (path === "") return;
  const space = `go:${path}`;
  importSpace(at, space, undefined, node);
  const name = part(node, "name");
  if (name?.type === "dot") openSpace(at, space);
  else if (name?.type !== "blank_identifier")
    bindName(at, name ? text(at, name) : packageName(path), ["space", space, "*"]);
}

/** What a package is most likely called: `gopkg.in/yaml.v3` is `yaml`, `github.com/me/go-store/v2` is `store`. */
function packageName(path: string): string {
  const last = path.replace(/\/v\d+$/, "").replace(/\.v\d+$/, "");
  return last.slice(last.lastIndexOf("/") + 1).replace(/^go-|-go$|\.go$/g, "");
}

function defineTypes(at: At, node: SyntaxNode): void {
  for (const spec of children(node, "type_spec", "type_alias")) {
    const [name, type] = [part(spec, "name"), part(spec, "type")];
    if (!name || !type) continue;
    const space = at.scope === 0 ? homeOf(at) : undefined;
    const whole = children(node, "type_spec", "type_alias").length === 1 ? node : spec;
    if (type.type === "struct_type" || type.type === "interface_type" || spec.type === "type_spec") {
      const kind = type.type === "interface_type" ? "interface" : "class";
      const variables = variablesOf(at, part(spec, "type_parameters"));
      const parents = parentsOf(at, type);
      const { at: body, shape } = defineType(at, {
        node: whole,
        name,
        kind,
        variables,
        extends: parents,
        space,
        isOpen: true,
        isCallable: false,
      });
      readFields(body, shape, type);
    } else {
      const symbol = defineName(at, { name, kind: "type", node: whole });
      bindType(at, text(at, name), ["alias", typeOf(at, type), symbol]);
      if (space !== undefined) declare(at, space, text(at, name), ["symbol", symbol]);
      visit(at, type);
    }
  }
}

/** What is embedded; and of `type Names []string` or `type Handler Func`, what it is made of. */
function parentsOf(at: At, type: SyntaxNode): (TypeFact | null)[] {
  if (type.type === "interface_type") return children(type, "type_elem").map((one) => typeOf(at, one));
  if (type.type !== "struct_type") return [typeOf(at, type)];
  const fields = child(type, "field_declaration_list")?.children ?? [];
  return fields.filter((field) => !part(field, "name")).map((field) => typeOf(at, part(field, "type")));
}

function readFields(at: At, shape: number, type: SyntaxNode): void {
  for (const method of children(type, "method_elem")) {
    const name = part(method, "name");
    if (!name) continue;
    const { symbol } = readFunction(at, method, { name, kind: "method" });
    addMember(at.reading, shape, text(at, name), { symbol });
  }
  const fields = child(type, "field_declaration_list")?.children ?? [];
  for (const field of fields) {
    const stated = typeOf(at, part(field, "type"));
    for (const name of parts(field, "name")) {
      const symbol = define(at, { name, kind: "property", node: field });
      addMember(at.reading, shape, text(at, name), { symbol, ...(stated && { type: stated }) });
    }
    if (!part(field, "name") && stated?.[0] === "name")
      addMember(at.reading, shape, stated[1].slice(stated[1].lastIndexOf(".") + 1), { type: stated });
    visit(at, part(field, "type"));
  }
  if (fields.length === 0) visitAll(at, type.type === "interface_type" ? children(type, "type_elem") : [type]);
}

function variablesOf(at: At, list: SyntaxNode | undefined): Named<TypeFact | null>[] {
  return (list?.children ?? []).flatMap((one) => {
    const bound = typeOf(at, part(one, "type")?.children[0]);
    return parts(one, "name").map((name): Named<TypeFact | null> => [text(at, name), bound]);
  });
}

function parametersOf(at: At, list: SyntaxNode | undefined): Parameter[] {
  return (list?.children ?? []).flatMap((one): Parameter[] => {
    const type = typeOf(at, part(one, "type"));
    const isRest = one.type === "variadic_parameter_declaration";
    const names = parts(one, "name");
    if (names.length === 0) return [{ type, isRest }];
    return names.map((name) => ({ name: text(at, name), type, isRest }));
  });
}

/** What a function gives: of several results, each by its number. */
function resultOf(at: At, result: SyntaxNode | undefined): TypeFact | null {
  if (result?.type !== "parameter_list") return typeOf(at, result);
  const types = parametersOf(at, result).map(({ type }) => type);
  return types.length === 1 ? (types[0] ?? null) : tupleOf(at, types);
}

type Naming = Pick<
  Parameters<typeof defineFunction>[1],
  "name" | "kind" | "owner" | "parent" | "receiver" | "variables"
>;

function readFunction(at: At, node: SyntaxNode, naming: Naming): { at: At; symbol: number } {
  const [taken, result] = [part(node, "parameters"), part(node, "result")];
  const named = result?.type === "parameter_list" ? parametersOf(at, result).filter(({ name }) => name) : [];
  const made = defineFunction(at, {
    variables: variablesOf(at, part(node, "type_parameters")),
    ...naming,
    node,
    parameters: parametersOf(at, taken),
    returns: (inner) => {
      for (const { name = "_", type } of named) bindValue(inner, name, type);
      return resultOf(inner, result);
    },
    body: part(node, "body"),
  });
  visitAll(made.at, [taken, result].flatMap(typesIn));
  return made;
}

/** The types of parameters, without their names. */
function typesIn(node: SyntaxNode | undefined): (SyntaxNode | undefined)[] {
  return node?.type === "parameter_list" ? node.children.flatMap((one) => part(one, "type") ?? []) : [node];
}

function readMethod(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  const [receiver] = part(node, "receiver")?.children ?? [];
  const type = receiver && typeOf(at, part(receiver, "type"));
  if (!name || !receiver || type?.[0] !== "name") return;
  const owner = type[1];
  const binding = scopeAt(at).names.get(owner);
  const given = (type[2] ?? []).flatMap((arg): Named<TypeFact | null>[] => (arg[0] === "name" ? [[arg[1], null]] : []));
  const self = part(receiver, "name");
  const { symbol } = readFunction(at, node, {
    name,
    kind: "method",
    owner,
    parent: binding?.[0] === "symbol" ? binding[1] : -1,
    variables: given,
    receiver: { ...(self && { name: text(at, self) }), type },
  });
  declare(at, `${homeOf(at)}.${owner}`, text(at, name), ["symbol", symbol]);
}

/** `var` and `const`: those of the package are symbols, others belong to the function that they are in. */
function readVariables(at: At, node: SyntaxNode): void {
  const specs = node.children.flatMap((one) => (one.type.endsWith("_list") ? one.children : [one]));
  for (const spec of specs) {
    const type = typeOf(at, part(spec, "type"));
    const values = part(spec, "value")?.children ?? [];
    parts(spec, "name").forEach((name, n) => {
      const init = initOf(at, values, n);
      if (at.scope !== 0) bindValue(at, text(at, name), type, init);
      else if (text(at, name) !== "_") {
        const symbol = defineName(at, { name, kind: "variable", node: specs.length === 1 ? node : spec });
        Object.assign(at.reading.symbols[symbol] ?? {}, { scope: 0 }, type && { type }, !type && init && { init });
        declare(at, homeOf(at), text(at, name), ["symbol", symbol]);
      }
    });
    visit(at, part(spec, "type"));
    visitAll(at, values);
  }
}

/** What the nth of several names is made of: the nth value, or the nth result of the only one. */
function initOf(at: At, values: readonly SyntaxNode[], n: number, isAlone = false): ExpressionFact | null {
  if (values.length !== 1 || isAlone) return expressionOf(at, values[n]);
  const value = expressionOf(at, values[0]);
  if (n === 0 && values[0]?.type !== "call_expression") return value;
  return memberOf(value, String(n));
}

/** Binds what stands to the left of `:=` to what stands to its right. */
function bindAll(at: At, node: SyntaxNode, made: (right: ExpressionFact, n: number) => ExpressionFact | null): void {
  const [left, right] = [part(node, "left"), part(node, "right")];
  const names = left?.children ?? [];
  const values = right?.type === "expression_list" ? right.children : right ? [right] : [];
  visitAll(at, values);
  names.forEach((name, n) => {
    // What is named again is what it was.
    if (name.type !== "identifier" || scopeAt(at).names.has(text(at, name))) return;
    const init = node.type === "range_clause" ? expressionOf(at, values[0]) : initOf(at, values, n, names.length === 1);
    bindValue(at, text(at, name), null, init && made(init, n));
  });
}

function readTypeSwitch(at: At, node: SyntaxNode): void {
  const outer = inside(at);
  const [alias] = part(node, "alias")?.children ?? [];
  const value = part(node, "value");
  visit(outer, part(node, "initializer"));
  visit(outer, value);
  for (const one of children(node, "type_case", "default_case")) {
    const inner = inside(outer);
    const types = parts(one, "type");
    const type = types.length === 1 ? typeOf(at, types[0]) : null;
    if (alias) bindValue(inner, text(at, alias), type, expressionOf(at, value));
    visitAll(inner, one.children);
  }
}
