import type { ExpressionFact, Named, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import {
  addMember,
  define,
  defineAnonymous,
  defineFunction,
  defineType,
  typeAround,
  type Parameter,
} from "../define.js";
import { listOf, unknownType, valueOf } from "../facts-of.js";
import { argumentsOf, calleeOf, expressions, squeezed } from "./expressions.js";
import {
  bindName,
  bindValue,
  child,
  children,
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

export const javaRules: Rules = {
  grammar: "java",
  begin(at, root) {
    const named = child(root, "package_declaration")?.children.find(({ type }) => type.endsWith("identifier"));
    const space = `java:${named ? squeezed(at, named) : ""}`;
    enterSpace(at, space, true);
    openSpace(at, space);
    visitAll(at, children(root, "import_declaration"));
    // So that `com.example.Store` is found in the middle of a program, too.
    openSpace(at, "java:");
  },
  blocks: [
    "block",
    "constructor_body",
    "for_statement",
    "if_statement",
    "switch_block_statement_group",
    "switch_rule",
    "try_with_resources_statement",
  ],
  visit: {
    package_declaration: () => undefined,
    import_declaration: (at, node) => (scopeAt(at).opens.includes("java:") ? undefined : readImport(at, node)),
    class_declaration: readType,
    interface_declaration: readType,
    enum_declaration: readType,
    record_declaration: readType,
    annotation_type_declaration: readType,
    enum_constant(at, node) {
      const [name, body, { shape }] = [part(node, "name"), part(node, "body"), scopeAt(at)];
      if (!name) return;
      const symbol = define(at, { name, kind: "property", node });
      const owner = typeAround(at);
      addMember(at.reading, shape, text(at, name), { symbol, ...(owner && { type: owner }) }, true);
      visit(at, part(node, "arguments"));
      if (body) visitAll(defineAnonymous(inside(at, { symbol }), owner), body.children);
    },
    field_declaration: readFields,
    constant_declaration: readFields,
    method_declaration: readMethod,
    annotation_type_element_declaration: readMethod,
    constructor_declaration: readMethod,
    compact_constructor_declaration: readMethod,
    local_variable_declaration(at, node) {
      const type = part(node, "type");
      for (const one of parts(node, "declarator")) {
        visit(at, part(one, "value"));
        const name = part(one, "name");
        if (name)
          bindValue(at, text(at, name), dimensioned(one, typeOf(at, type)), expressionOf(at, part(one, "value")));
      }
      visit(at, type);
    },
    enhanced_for_statement(at, node) {
      const [inner, name, value] = [inside(at), part(node, "name"), part(node, "value")];
      visitAll(
        at,
        [part(node, "type"), value].filter((one) => one !== undefined),
      );
      const list = expressionOf(at, value);
      if (name) bindValue(inner, text(at, name), typeOf(at, part(node, "type")), list && ["element", list]);
      visit(inner, part(node, "body"));
    },
    resource(at, node) {
      const [name, value] = [part(node, "name"), part(node, "value")];
      visitAll(at, node.children);
      if (name) bindValue(at, text(at, name), typeOf(at, part(node, "type")), expressionOf(at, value));
    },
    catch_clause(at, node) {
      const inner = inside(at);
      const caught = child(node, "catch_formal_parameter");
      const [types, name] = [caught && child(caught, "catch_type"), caught && part(caught, "name")];
      const all = types?.children.map((one) => typeOf(at, one)).filter((one) => one !== null) ?? [];
      if (name) bindValue(inner, text(at, name), all.length === 1 ? (all[0] as TypeFact) : ["either", all]);
      visit(at, types);
      visit(inner, part(node, "body"));
    },
    instanceof_expression(at, node) {
      visitAll(at, node.children);
      const name = part(node, "name");
      if (name) bindValue(at, text(at, name), typeOf(at, part(node, "right")));
    },
    type_pattern(at, node) {
      const [type, name] = node.children;
      if (type && name) bindValue(at, text(at, name), typeOf(at, type));
      visit(at, type);
    },
    lambda_expression: (at, node) => readLambda(at, node),
    method_invocation(at, node) {
      const name = part(node, "name");
      if (name) use(at, "call", calleeOf(at, node), node, { name: text(at, name), given: argumentsOf(at, node) });
      visit(at, part(node, "object"));
      visit(at, part(node, "type_arguments"));
      readArguments(at, node);
    },
    object_creation_expression(at, node) {
      const type = part(node, "type");
      const body = child(node, "class_body");
      use(at, "new", valueOf(typeOf(at, type)), node, { given: argumentsOf(at, node) });
      visit(at, type && child(type, "type_arguments"));
      readArguments(at, node);
      if (body) visitAll(defineAnonymous(inside(at), typeOf(at, type)), body.children);
    },
    explicit_constructor_invocation(at, node) {
      if (part(node, "constructor")?.type === "super")
        use(at, "call", ["super"], node, { given: argumentsOf(at, node) });
      readArguments(at, node);
    },
    method_reference(at, node) {
      const [object, name] = node.children;
      const owner = expressionOf(at, object) ?? valueOf(typeOf(at, object));
      if (owner) use(at, "reference", name ? ["member", owner, text(at, name)] : owner, node);
      visit(at, object);
    },
    field_access: (at, node) => visit(at, part(node, "object")),
    identifier: (at, node) => mention(at, ["name", text(at, node)], node),
    type_identifier: (at, node) => (text(at, node) === "var" ? undefined : useType(at, typeOf(at, node), node)),
    scoped_type_identifier: (at, node) => useType(at, typeOf(at, node), node),
    marker_annotation: readAnnotation,
    annotation: readAnnotation,
    labeled_statement: (at, node) => visitAll(at, node.children.slice(1)),
    break_statement: () => undefined,
    continue_statement: () => undefined,
  },
  expressions,
  types: {
    type_identifier: (at, node) => (text(at, node) === "var" ? null : ["name", text(at, node)]),
    scoped_type_identifier: (at, node) => ["name", squeezed(at, node)],
    generic_type(at, node) {
      const type = typeOf(at, node.children[0]);
      const given = child(node, "type_arguments")?.children.map((one) => typeOf(at, one) ?? unknownType) ?? [];
      return type?.[0] === "name" && given.length > 0 ? ["name", type[1], given] : type;
    },
    array_type: (at, node) => listOf(typeOf(at, part(node, "element"))),
    annotated_type: (at, node) => typeOf(at, node.children.at(-1)),
    wildcard: (at, node) => typeOf(at, node.children.at(-1)),
    integral_type: (at, node) => ["name", text(at, node)],
    floating_point_type: (at, node) => ["name", text(at, node)],
    boolean_type: () => ["name", "boolean"],
  },
  outline: {
    import_declaration: "import",
    class_declaration: "class",
    interface_declaration: "class",
    enum_declaration: "class",
    record_declaration: "class",
    annotation_type_declaration: "class",
    method_declaration: "function",
    constructor_declaration: "function",
  },
};

function readImport(at: At, node: SyntaxNode): void {
  const named = node.children.find(({ type }) => type.endsWith("identifier"));
  if (!named) return;
  const path = squeezed(at, named);
  const isOfType = /^import\s+static\s/.test(text(at, node));
  const isAll = child(node, "asterisk") !== undefined;
  if (isAll) openSpace(at, `java:${path}`);
  if (isAll && !isOfType) {
    importSpace(at, `java:${path}`, undefined, node);
    return;
  }
  const end = path.lastIndexOf(".");
  const [space, name] = [`java:${path.slice(0, Math.max(0, end))}`, path.slice(end + 1)];
  importSpace(at, space, name, node);
  if (!isAll) bindName(at, name, ["space", space, name]);
}

function readType(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  if (!name) return;
  const kind = /^(?:interface|annotation)/.test(node.type)
    ? "interface"
    : node.type.startsWith("enum")
      ? "enum"
      : "class";
  const above = [part(node, "superclass"), child(node, "extends_interfaces")];
  const promised = part(node, "interfaces");
  const { at: body, shape } = defineType(at, {
    node,
    name,
    kind,
    variables: variablesOf(at, part(node, "type_parameters")),
    extends: above.flatMap((one) => (one ? typesIn(one) : [])).map((one) => typeOf(at, one)),
    implements: (promised ? typesIn(promised) : []).map((one) => typeOf(at, one)),
    space: at.scope === 0 ? homeOf(at) : undefined,
    isBody: true,
  });
  const components = part(node, "parameters");
  for (const one of components?.children ?? []) {
    const [field, type] = [part(one, "name"), typeOf(at, part(one, "type"))];
    if (!field) continue;
    const symbol = define(body, { name: field, kind: "property", node: one });
    addMember(body.reading, shape, text(at, field), { symbol, ...(type && { type }) });
  }
  visit(at, child(node, "modifiers"));
  visit(body, components);
  visit(body, part(node, "body"));
}

/** The types that stand after `extends` or `implements`. */
function typesIn(node: SyntaxNode): SyntaxNode[] {
  return node.children.flatMap((one) => (one.type === "type_list" ? one.children : [one]));
}

function variablesOf(at: At, list: SyntaxNode | undefined): Named<TypeFact | null>[] {
  return children(list, "type_parameter").flatMap((one): Named<TypeFact | null>[] => {
    const [name, bound] = [child(one, "type_identifier"), child(one, "type_bound")];
    return name ? [[text(at, name), typeOf(at, bound?.children[0])]] : [];
  });
}

function isStatic(at: At, node: SyntaxNode): boolean {
  const modifiers = child(node, "modifiers");
  return modifiers !== undefined && /\bstatic\b/.test(text(at, modifiers));
}

/** `int a[]` is a list as well as `int[] a`. */
function dimensioned(declarator: SyntaxNode, type: TypeFact | null): TypeFact | null {
  return type && part(declarator, "dimensions") ? ["array", type] : type;
}

function readFields(at: At, node: SyntaxNode): void {
  const type = typeOf(at, part(node, "type"));
  const declarators = parts(node, "declarator");
  for (const one of declarators) {
    const name = part(one, "name");
    if (!name) continue;
    const symbol = define(at, { name, kind: "property", node: declarators.length === 1 ? node : one });
    const stated = dimensioned(one, type);
    addMember(
      at.reading,
      scopeAt(at).shape,
      text(at, name),
      { symbol, ...(stated && { type: stated }) },
      isStatic(at, node),
    );
    visit(inside(at, { symbol }), part(one, "value"));
  }
  visitAll(
    at,
    [child(node, "modifiers"), part(node, "type")].filter((one) => one !== undefined),
  );
}

function readMethod(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  if (!name) return;
  const [taken, result, body] = [part(node, "parameters"), part(node, "type"), part(node, "body")];
  const { at: inner, symbol } = defineFunction(at, {
    node,
    name,
    kind: "method",
    variables: variablesOf(at, part(node, "type_parameters")),
    parameters: parametersOf(at, taken),
    returns: (within) => typeOf(within, result),
    body,
  });
  const isMaking = node.type.endsWith("constructor_declaration");
  if (!isMaking) addMember(at.reading, scopeAt(at).shape, text(at, name), { symbol }, isStatic(at, node));
  const types = (taken?.children ?? []).flatMap((one) => one.children.filter(({ field }) => field !== "name"));
  visitAll(
    inner,
    [child(node, "modifiers"), result, child(node, "throws"), ...types].filter((one) => one !== undefined),
  );
}

function parametersOf(at: At, list: SyntaxNode | undefined): Parameter[] {
  return children(list, "formal_parameter", "spread_parameter").map((one) => {
    const isRest = one.type === "spread_parameter";
    const name = part(isRest ? (child(one, "variable_declarator") ?? one) : one, "name");
    const type = isRest ? one.children.find(({ type: kind }) => at.reading.rules.types[kind]) : part(one, "type");
    return { ...(name && { name: text(at, name) }), type: dimensioned(one, typeOf(at, type)), isRest };
  });
}

function readArguments(at: At, node: SyntaxNode): void {
  const callee = node.type === "method_invocation" ? calleeOf(at, node) : null;
  (part(node, "arguments")?.children ?? []).forEach((one, n) => {
    if (one.type === "lambda_expression") readLambda(at, one, callee && ((m) => ["given", callee, n, m]));
    else visit(at, one);
  });
}

/** A lambda; where it is handed to a method, its parameters are what that gives it. */
function readLambda(at: At, node: SyntaxNode, given?: ((parameter: number) => ExpressionFact) | null): void {
  const inner = inside(at);
  const taken = part(node, "parameters");
  const names = taken?.type === "identifier" ? [taken] : (taken?.children ?? []);
  names.forEach((one, m) => {
    const name = one.type === "identifier" ? one : part(one, "name");
    if (name)
      bindValue(inner, text(at, name), typeOf(at, part(one, "type")), given ? ["in", at.scope, given(m)] : null);
  });
  visit(inner, part(node, "body"));
}

function readAnnotation(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  if (name) useType(at, ["name", squeezed(at, name)], node);
  visit(at, part(node, "arguments"));
}
