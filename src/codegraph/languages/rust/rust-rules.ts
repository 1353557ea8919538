import type { ExpressionFact, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { tupleOf } from "../define.js";
import {
  children,
  expressionOf,
  inside,
  mention,
  part,
  text,
  typeOf,
  use,
  useType,
  visit,
  visitAll,
  type At,
  type Rules,
} from "../reading.js";
import { noteAttributes } from "./functions.js";
import { beginFile, items } from "./items.js";
import { callOf, closureAt, isPlainHolder, readClosure } from "./calls.js";
import { bindLocal, calledHere, scopeOf, isVariable, nameOf, namesIn, pathOf, rootedPath, selfAt } from "./names.js";
import { bindPattern } from "./patterns.js";
import { readTokens, takesExpressions } from "./tokens.js";

const skip = () => undefined;
const innermost = (at: At, node: SyntaxNode) => expressionOf(at, part(node, "value") ?? node.children.at(-1));

export const rustRules: Rules = {
  grammar: "rust",
  begin: beginFile,
  blocks: ["while_expression"],
  visit: {
    ...items,
    attribute_item: skip,
    inner_attribute_item: skip,
    visibility_modifier: skip,
    lifetime: skip,
    block(at, node) {
      noteAttributes(node.children);
      visitAll(scopeOf(at, node), node.children);
    },
    let_declaration(at, node) {
      const [pattern, stated, value] = [part(node, "pattern"), part(node, "type"), part(node, "value")];
      visit(at, stated);
      visit(at, value);
      visit(at, part(node, "alternative"));
      const isOpen = stated && /\b_\b/.test(text(at, stated));
      const type = stated && !isOpen ? typeOf(at, stated) : null;
      const init = isOpen && !isPlainHolder(text(at, stated)) ? null : expressionOf(at, value);
      if (pattern?.type === "identifier") bindLocal(at, nameOf(at, pattern), type, init);
      else bindPattern(at, pattern, type ? ["type", type] : init);
    },
    let_condition(at, node) {
      visit(at, part(node, "value"));
      bindPattern(at, part(node, "pattern"), expressionOf(at, part(node, "value")));
    },
    if_expression(at, node) {
      const inner = scopeOf(at, node);
      visit(inner, part(node, "condition"));
      visit(inner, part(node, "consequence"));
      visit(at, part(node, "alternative"));
    },
    for_expression(at, node) {
      const [value, inner] = [part(node, "value"), inside(at)];
      visit(at, value);
      const all = expressionOf(at, value);
      bindPattern(inner, part(node, "pattern"), all && ["element", all]);
      visit(inner, part(node, "body"));
    },
    match_expression(at, node) {
      const value = part(node, "value");
      visit(at, value);
      const subject = expressionOf(at, value);
      for (const arm of armsOf(node)) {
        const inner = scopeOf(at, arm);
        const pattern = part(arm, "pattern");
        bindPattern(inner, pattern, subject);
        visit(inner, pattern && part(pattern, "condition"));
        visit(inner, part(arm, "value"));
      }
    },
    closure_expression: readClosure,
    call_expression: readCall,
    macro_invocation: readMacro,
    token_tree: skip,
    field_expression: (at, node) => visit(at, part(node, "value")),
    field_initializer: (at, node) => visit(at, part(node, "value")),
    identifier(at, node) {
      const name = nameOf(at, node);
      if (!isVariable(at, name)) mention(at, ["name", name], node);
    },
    scoped_identifier(at, node) {
      const path = pathOf(at, node);
      if (path) mention(at, path, node);
      const outer = part(node, "path");
      if (outer && !namesIn(at, outer)) visit(at, outer);
    },
    type_identifier: (at, node) =>
      text(at, node) === "Self" ? undefined : useType(at, ["name", text(at, node)], node),
    scoped_type_identifier(at, node) {
      if (namesIn(at, node)) useType(at, typeOf(at, node), node);
      else visitAll(at, node.children);
    },
  },
  expressions: {
    identifier: (at, node) =>
      text(at, node) === "Self" ? ["type", selfAt(at) ?? unknown] : ["name", calledHere(at, nameOf(at, node))],
    self: () => ["name", "self"],
    scoped_identifier: pathOf,
    field_expression(at, node) {
      const [object, field] = [expressionOf(at, part(node, "value")), part(node, "field")];
      return object && field ? ["member", object, nameOf(at, field)] : null;
    },
    call_expression: callOf,
    generic_function: (at, node) => expressionOf(at, part(node, "function")),
    index_expression(at, node) {
      const object = expressionOf(at, node.children[0]);
      return node.children[1]?.type === "range_expression" ? object : object && ["element", object];
    },
    try_expression(at, node) {
      const inner = expressionOf(at, node.children[0]);
      return inner && ["element", inner];
    },
    await_expression: innermost,
    reference_expression: innermost,
    parenthesized_expression: innermost,
    unary_expression: (at, node) => (text(at, node).startsWith("*") ? innermost(at, node) : null),
    type_cast_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
    struct_expression: (at, node) => ofType(typeOf(at, part(node, "name"))),
    block(at, node) {
      const last = node.children.at(-1);
      return last && !/_(?:statement|declaration|item)$/.test(last.type) ? expressionOf(scopeOf(at, node), last) : null;
    },
    unsafe_block: innermost,
    async_block: innermost,
    else_clause: innermost,
    if_expression: (at, node) =>
      either([expressionOf(at, part(node, "consequence")), expressionOf(at, part(node, "alternative"))]),
    match_expression: (at, node) =>
      either(armsOf(node).map((arm) => expressionOf(scopeOf(at, arm), part(arm, "value")))),
    closure_expression(at, node) {
      const inner = closureAt(at, node);
      const result = expressionOf(inner, part(node, "body"));
      return ["type", ["function", result && ["of", result], []]];
    },
    tuple_expression(at, node) {
      const types = node.children.map((one): TypeFact | null => {
        const value = expressionOf(at, one);
        return value && ["of", value];
      });
      return ["type", tupleOf(at, types)];
    },
    array_expression(at, node) {
      const first = expressionOf(at, node.children[0]);
      return first && ["type", ["name", "std.Vec", [["of", first]]]];
    },
  },
  types: {
    type_identifier: (at, node) => (text(at, node) === "Self" ? (selfAt(at) ?? unknown) : ["name", text(at, node)]),
    // In paths, `Self` and the parameters of types are no types to the grammar.
    identifier: (at, node) => (text(at, node) === "Self" ? (selfAt(at) ?? unknown) : ["name", text(at, node)]),
    primitive_type: (at, node) => ["name", text(at, node)],
    scoped_type_identifier: scopedType,
    scoped_identifier: scopedType,
    generic_type: genericType,
    generic_type_with_turbofish: genericType,
    reference_type: (at, node) => typeOf(at, part(node, "type")),
    pointer_type: (at, node) => typeOf(at, part(node, "type")),
    array_type: (at, node) => ["name", "std.Vec", [typeOf(at, part(node, "element")) ?? unknown]],
    tuple_type: (at, node) =>
      tupleOf(
        at,
        node.children.map((one) => typeOf(at, one)),
      ),
    unit_type: () => ["name", "()"],
    never_type: () => ["name", "!"],
    dynamic_type: (at, node) => typeOf(at, part(node, "trait")),
    abstract_type: (at, node) => typeOf(at, part(node, "trait")),
    higher_ranked_trait_bound: (at, node) => typeOf(at, part(node, "type")),
    qualified_type: (at, node) => typeOf(at, part(node, "type")),
    bounded_type: (at, node) => boundsOf(at, node),
    trait_bounds: (at, node) => boundsOf(at, node),
    function_type(at, node) {
      const taken = part(node, "parameters")?.children ?? [];
      const types = taken.map((one) => typeOf(at, one.type === "parameter" ? part(one, "type") : one) ?? unknown);
      return ["function", typeOf(at, part(node, "return_type")), types];
    },
  },
  outline: {
    use_declaration: "import",
    function_item: "function",
    macro_definition: "function",
    struct_item: "class",
    enum_item: "class",
    union_item: "class",
    trait_item: "class",
    impl_item: "class",
    mod_item: "class",
  },
};

// Stands for a type that leads nowhere, so that those after it keep their places.
const unknown: TypeFact = ["name", "any"];

function ofType(type: TypeFact | null): ExpressionFact | null {
  return type && ["type", type];
}

function either(all: readonly (ExpressionFact | null)[]): ExpressionFact | null {
  const known = all.filter((one) => one !== null);
  return known.length > 1 ? ["either", known] : (known[0] ?? null);
}

function armsOf(node: SyntaxNode): SyntaxNode[] {
  return children(part(node, "body") ?? node, "match_arm");
}

function boundsOf(at: At, node: SyntaxNode): TypeFact | null {
  const types = node.children.map((one) => typeOf(at, one)).filter((type) => type !== null);
  return types.length > 1 ? ["either", types] : (types[0] ?? null);
}

function scopedType(at: At, node: SyntaxNode): TypeFact | null {
  const names = namesIn(at, node);
  if (!names) return unknown;
  if (names[0] !== "Self") return ["name", rootedPath(at, names).join(".")];
  if (names.length === 2) return ["name", `Self::${names[1]}`];
  return unknown;
}

function genericType(at: At, node: SyntaxNode): TypeFact | null {
  const type = typeOf(at, part(node, "type"));
  const given = part(node, "type_arguments")?.children ?? [];
  const bound = given.filter((one) => one.type === "type_binding").map((one) => typeOf(at, part(one, "type")));
  // What a future will be is what it is; of an iterator, what it goes through.
  if (type?.[0] === "name" && /(?:^|\.)Future$/.test(type[1])) return bound[0] ?? unknown;
  const written = given.filter((one) => !/^(?:lifetime|type_binding|.*comment)$/.test(one.type));
  const all = [...written.map((one) => typeOf(at, one) ?? unknown), ...bound.map((one) => one ?? unknown)];
  return type?.[0] === "name" ? ["name", type[1], all] : type;
}

function readCall(at: At, node: SyntaxNode): void {
  const whole = part(node, "function");
  const callee = whole?.type === "generic_function" ? part(whole, "function") : whole;
  if (whole && whole !== callee) visit(at, part(whole, "type_arguments"));
  if (callee?.type === "field_expression") {
    const [object, field] = [part(callee, "value"), part(callee, "field")];
    const what = expressionOf(at, callee);
    const isPlain = object && /literal|macro|binary|range/.test(object.type);
    if (field && (what || !isPlain)) use(at, "call", what, field, what ? {} : { name: nameOf(at, field) });
    visit(at, object);
  } else if (callee?.type === "identifier") {
    const name = nameOf(at, callee);
    // What a variable holds is a closure in most cases, and that was read where it stands.
    if (name !== "Self" && !isVariable(at, name)) use(at, "call", ["name", name], callee);
  } else if (callee?.type === "scoped_identifier") {
    use(at, "call", pathOf(at, callee), part(callee, "name") ?? callee);
    const outer = part(callee, "path");
    if (outer && !namesIn(at, outer)) visit(at, outer);
  } else {
    visit(at, callee);
  }
  const given = part(node, "arguments")?.children ?? [];
  for (const one of given) if (one.type === "closure_expression") closureAt(at, one, node);
  visitAll(at, given);
}

/** `name!(…)`: a macro goes by its name and a mark, so that a function may have the same. */
function readMacro(at: At, node: SyntaxNode): void {
  const names = namesIn(at, part(node, "macro")) ?? [];
  const name = names.at(-1);
  if (name === undefined) return;
  const [first = "", ...rest] = rootedPath(at, [...names.slice(0, -1), `${name}!`]);
  let what: ExpressionFact = ["name", first];
  for (const one of rest) what = ["member", what, one];
  if (names.length === 1) bindMacro(at, name);
  use(at, "call", what, node, { name });
  if (takesExpressions.test(name)) for (const tree of children(node, "token_tree")) readTokens(at, tree);
}

/** `use a::name` takes the macro of that name, too. */
function bindMacro(at: At, name: string): void {
  for (let { scope } = at; scope >= 0; scope = at.reading.scopes[scope]?.parent ?? -1) {
    const names = at.reading.scopes[scope]?.names;
    const bound = names?.get(name);
    if (!names || bound?.[0] !== "space" || bound[2] === "*" || names.has(`${name}!`)) continue;
    names.set(`${name}!`, ["space", bound[1], `${bound[2]}!`]);
    return;
  }
}
