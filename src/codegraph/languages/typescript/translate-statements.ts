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

/** How statements and declarations become those of ESTree. Classes, imports and exports have rules of their own. */
export const statementRules: Rules = {
  expression_statement: (from, to) => {
    const [inner] = parts(from);
    // A namespace is an expression to the grammar.
    if (inner?.type === "internal_module") return { ...to.node(inner), start: from.start, end: inner.end };
    return make(from, "ExpressionStatement", { expression: translated(to, inner) });
  },
  lexical_declaration: translateVariables,
  variable_declaration: translateVariables,
  variable_declarator: (from, to) => {
    const name = translated(to, part(from, "name"));
    const type = translated(to, part(from, "type"));
    return make(from, "VariableDeclarator", {
      id: name && { ...name, ...(type && { typeAnnotation: type }) },
      init: translated(to, part(from, "value")),
    });
  },
  statement_block: (from, to) => make(from, "BlockStatement", { body: translateAll(to, from) }),
  if_statement: (from, to) =>
    make(from, "IfStatement", {
      test: translated(to, part(from, "condition")),
      consequent: translated(to, part(from, "consequence")),
      alternate: translated(to, parts(part(from, "alternative"))[0]),
    }),
  switch_statement: (from, to) =>
    make(from, "SwitchStatement", {
      discriminant: translated(to, part(from, "value")),
      cases: translateAll(to, part(from, "body")),
    }),
  switch_case: translateCase,
  switch_default: translateCase,
  for_statement: (from, to) =>
    make(from, "ForStatement", {
      init: stated(to, part(from, "initializer")),
      test: stated(to, part(from, "condition")),
      update: translated(to, part(from, "increment")),
      body: translated(to, part(from, "body")),
    }),
  for_in_statement: translateForIn,
  while_statement: (from, to) =>
    make(from, "WhileStatement", {
      test: translated(to, part(from, "condition")),
      body: translated(to, part(from, "body")),
    }),
  do_statement: (from, to) =>
    make(from, "DoWhileStatement", {
      test: translated(to, part(from, "condition")),
      body: translated(to, part(from, "body")),
    }),
  with_statement: (from, to) =>
    make(from, "WithStatement", {
      object: translated(to, part(from, "object")),
      body: translated(to, part(from, "body")),
    }),
  labeled_statement: (from, to) => make(from, "LabeledStatement", { body: translated(to, part(from, "body")) }),
  try_statement: (from, to) =>
    make(from, "TryStatement", {
      block: translated(to, part(from, "body")),
      handler: translated(to, part(from, "handler")),
      finalizer: translated(to, part(part(from, "finalizer"), "body")),
    }),
  catch_clause: (from, to) => {
    const param = translated(to, part(from, "parameter"));
    const type = translated(to, part(from, "type"));
    return make(from, "CatchClause", {
      param: param && { ...param, ...(type && { typeAnnotation: type }) },
      body: translated(to, part(from, "body")),
    });
  },
  return_statement: (from, to) => make(from, "ReturnStatement", { argument: translateAll(to, from)[0] }),
  throw_statement: (from, to) => make(from, "ThrowStatement", { argument: translateAll(to, from)[0] }),
  break_statement: (from) => make(from, "BreakStatement"),
  continue_statement: (from) => make(from, "ContinueStatement"),
  empty_statement: (from) => make(from, "EmptyStatement"),
  debugger_statement: (from) => make(from, "DebuggerStatement"),
  function_declaration: translateFunction,
  generator_function_declaration: translateFunction,
  function_signature: translateFunction,
  interface_declaration: (from, to) =>
    make(from, "TSInterfaceDeclaration", {
      id: named(from, to),
      typeParameters: translated(to, part(from, "type_parameters")),
      extends: parts(ofType(from, "extends_type_clause")).map((one) => heritage(one, to)),
      body: interfaceBody(part(from, "body"), to),
    }),
  type_alias_declaration: (from, to) =>
    make(from, "TSTypeAliasDeclaration", {
      id: named(from, to),
      typeParameters: translated(to, part(from, "type_parameters")),
      typeAnnotation: typeOf(part(from, "value"), to),
    }),
  enum_declaration: (from, to) => {
    const body = part(from, "body");
    const entries = parts(body).map((one) => {
      const name = part(one, "name") ?? one;
      return make(one, "TSEnumMember", { id: to.node(name), initializer: translated(to, part(one, "value")) });
    });
    return make(from, "TSEnumDeclaration", {
      id: named(from, to),
      body: body && make(body, "TSEnumBody", { members: entries }),
    });
  },
  module: translateModule,
  internal_module: translateModule,
  ambient_declaration: (from, to) => {
    const [inner] = parts(from);
    if (inner?.type === "statement_block") {
      const id = make(from, "Identifier", { name: "global" });
      return make(from, "TSModuleDeclaration", { kind: "global", id, body: to.node(inner) });
    }
    return inner ? { ...to.node(inner), start: from.start } : make(from, "EmptyStatement");
  },
  class_declaration: translateClass,
  abstract_class_declaration: translateClass,
  class: translateClass,
  class_static_block: (from, to) => make(from, "StaticBlock", { body: translateAll(to, part(from, "body")) }),
  method_definition: translateMethod,
  abstract_method_signature: translateMethod,
  public_field_definition: translateField,
  field_definition: translateField,
};

function translateVariables(from: SyntaxNode, to: Translation): Node {
  const kind = /^\w+/.exec(to.source.slice(from.start, from.start + 8))?.[0] ?? "let";
  const declarations = parts(from).filter(({ type }) => type === "variable_declarator");
  return make(from, "VariableDeclaration", { kind, declarations: declarations.map((one) => to.node(one)) });
}

function translateCase(from: SyntaxNode, to: Translation): Node {
  const body = parts(from).filter(({ field }) => field === "body");
  return make(from, "SwitchCase", {
    test: translated(to, part(from, "value")),
    consequent: body.map((one) => to.node(one)),
  });
}

/** The parts of a `for`: expressions, though the grammar makes statements of them. */
function stated(to: Translation, from: SyntaxNode | undefined): Node | undefined {
  if (!from || from.type === "empty_statement") return undefined;
  return from.type === "expression_statement" ? translateAll(to, from)[0] : to.node(from);
}

function translateForIn(from: SyntaxNode, to: Translation): Node {
  const [left, right] = [part(from, "left"), part(from, "right")];
  const kind = /\b(var|let|const|using)\s*$/.exec(headOf(to, from, left))?.[1];
  const between = to.source.slice(left?.end ?? from.start, right?.start ?? from.end);
  const target = translated(to, left);
  const declarator = left && make(left, "VariableDeclarator", { id: target });
  return make(from, /\bof\b/.test(between) ? "ForOfStatement" : "ForInStatement", {
    left: kind && left ? make(left, "VariableDeclaration", { kind, declarations: [declarator] }) : target,
    right: translated(to, right),
    body: translated(to, part(from, "body")),
  });
}

function named(from: SyntaxNode, to: Translation): Node | undefined {
  const name = part(from, "name");
  return name && (name.type === "string" ? to.node(name) : identifier(to, name));
}

function translateFunction(from: SyntaxNode, to: Translation): Node {
  const type = part(from, "body") ? "FunctionDeclaration" : "TSDeclareFunction";
  return make(from, type, { id: named(from, to), ...signature(to, from) });
}

/** A parent: its name, or an expression, with type arguments. */
function heritage(from: SyntaxNode, to: Translation): Node {
  const type = to.node(from);
  const isType = type.type === "TSTypeReference";
  return make(from, "TSInterfaceHeritage", {
    expression: isType ? type.typeName : type,
    typeArguments: type.typeArguments,
  });
}

function interfaceBody(from: SyntaxNode | undefined, to: Translation): Node | undefined {
  return from && make(from, "TSInterfaceBody", { body: translateAll(to, from) });
}

function typeOf(from: SyntaxNode | undefined, to: Translation): unknown {
  // The annotation's rule knows what the grammar takes for expressions.
  return from && to.node({ ...from, type: "type_annotation", children: [from] }).typeAnnotation;
}

function translateModule(from: SyntaxNode, to: Translation): Node {
  const name = part(from, "name");
  const id = name && (name.type === "nested_identifier" ? qualified(name, to) : named(from, to));
  return make(from, "TSModuleDeclaration", { kind: "namespace", id, body: translated(to, part(from, "body")) });
}

function qualified(from: SyntaxNode, to: Translation): Node {
  const [object, property] = [part(from, "object"), part(from, "property")];
  if (!object || !property) return identifier(to, from);
  return make(from, "TSQualifiedName", { left: qualified(object, to), right: identifier(to, property) });
}

function translateClass(from: SyntaxNode, to: Translation): Node {
  const clause = ofType(from, "class_heritage");
  const extended = ofType(clause, "extends_clause");
  const superClass = extended
    ? part(extended, "value")
    : parts(clause).find(({ type }) => type !== "implements_clause");
  const body = part(from, "body");
  return make(from, from.type === "class" ? "ClassExpression" : "ClassDeclaration", {
    id: named(from, to),
    decorators: decorators(to, from.children),
    typeParameters: translated(to, part(from, "type_parameters")),
    superClass: translated(to, superClass),
    superTypeArguments: translated(to, part(extended, "type_arguments")),
    implements: parts(ofType(clause, "implements_clause")).map((one) => heritage(one, to)),
    body: body && make(body, "ClassBody", { body: members(body, to) }),
  });
}

/** The grammar puts decorators before the members they belong to. */
function members(body: SyntaxNode, to: Translation): Node[] {
  const found: Node[] = [];
  let waiting: SyntaxNode[] = [];
  for (const member of parts(body)) {
    if (member.type === "decorator") {
      waiting.push(member);
      continue;
    }
    const isSignature = member.type === "method_signature";
    const node = isSignature ? translateMethod(member, to) : to.node(member);
    found.push({ ...node, decorators: decorators(to, [...waiting, ...member.children]) });
    waiting = [];
  }
  return found;
}

function translateMethod(from: SyntaxNode, to: Translation): Node {
  const name = part(from, "name");
  const head = headOf(to, from, name);
  const key = name && textOf(to, name);
  const isStatic = /\bstatic\b/.test(head);
  const accessor = /\b(get|set)\s*$/.exec(head)?.[1];
  const kind = accessor ?? (key === "constructor" && !isStatic ? "constructor" : "method");
  const value = make(from, "FunctionExpression", signature(to, from));
  return make(from, "MethodDefinition", { ...keyed(to, name), kind, static: isStatic, value });
}

function translateField(from: SyntaxNode, to: Translation): Node {
  const name = part(from, "name") ?? part(from, "property");
  return make(from, "PropertyDefinition", {
    ...keyed(to, name),
    static: /\bstatic\b/.test(headOf(to, from, name)),
    typeAnnotation: translated(to, part(from, "type")),
    value: translated(to, part(from, "value")),
  });
}
