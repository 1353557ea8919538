import type { Named, SymbolFact, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import {
  declaredBy,
  everywhere,
  isHeader,
  isInFunction,
  lastOf,
  nameIn,
  parametersOf,
  share,
  typeDeclared,
} from "./declarators.js";
import { addMethod, readFunction, type Variables } from "./functions.js";
import { dotted, isCast, namedType } from "./names.js";
import { argumentsOf, cRules, visitCallee } from "./c-rules.js";
import { addMember, define, defineName, defineType } from "../define.js";
import { elementOf, indexOf, memberOf, ofType, valueOf } from "../facts-of.js";
import {
  bindName,
  bindType,
  bindValue,
  child,
  declare,
  enterSpace,
  expressionOf,
  homeOf,
  inside,
  isLocal,
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

/** C++: as C, with namespaces, which are spaces, and classes, whose methods may be written elsewhere. */
export const cppRules: Rules = {
  ...cRules,
  grammar: "cpp",
  visit: {
    ...cRules.visit,
    namespace_definition: readNamespace,
    namespace_alias_definition(at, node) {
      const [name, path] = [part(node, "name"), node.children.at(-1)];
      if (name && path && path !== name)
        bindName(at, text(at, name), ["space", `${everywhere}.${dotted(at, path)}`, "*"]);
    },
    using_declaration: readUsing,
    alias_declaration: (at, node) => readAlias(at, node),
    template_declaration: (at, node) => readTemplate(at, node, [], node),
    class_specifier: (at, node) => readClass(at, node),
    struct_specifier: (at, node) => readClass(at, node),
    union_specifier: (at, node) => readClass(at, node),
    friend_declaration: () => undefined,
    field_declaration: readMembers,
    function_definition: (at, node) => readFunction(at, node),
    field_initializer: (at, node) => visitAll(at, node.children.slice(1)),
    for_range_loop(at, node) {
      const [inner, type, right] = [inside(at), part(node, "type"), part(node, "right")];
      const declared = declaredBy(part(node, "declarator"));
      visitAll(inner, [part(node, "initializer"), type, right]);
      if (declared?.name.type === "identifier")
        bindValue(inner, text(at, declared.name), typeOf(at, type), elementOf(expressionOf(inner, right)));
      visit(inner, part(node, "body"));
    },
    catch_clause: (at, node) => readWithParameters(inside(at), part(node, "parameters"), part(node, "body")),
    lambda_expression(at, node) {
      const taken = part(node, "declarator");
      readWithParameters(inside(at), taken && part(taken, "parameters"), part(node, "body"));
    },
    call_expression(at, node) {
      const callee = part(node, "function");
      const what = isCast(at, callee) ? null : expressionOf(at, callee);
      if (what) use(at, "call", what, node, { given: argumentsOf(at, node) });
      visitNamed(at, callee);
      visit(at, part(node, "arguments"));
    },
    new_expression(at, node) {
      const what = valueOf(typeOf(at, part(node, "type")));
      if (what) use(at, "new", what, node, { given: argumentsOf(at, node) });
      visitAll(at, node.children.slice(1));
    },
    qualified_identifier(at, node) {
      const what = expressionOf(at, node);
      if (what) mention(at, what, node);
    },
    optional_parameter_declaration: (at, node) => visitAll(at, [part(node, "type"), part(node, "default_value")]),
    template_type(at, node) {
      useType(at, typeOf(at, node), node);
    },
  },
  expressions: {
    ...cRules.expressions,
    // What `operator[]` gives is not known.
    subscript_expression: (at, node) => indexOf(expressionOf(at, part(node, "argument"))),
    this: (at) => (isLocal(at, "this") ? ["name", "this"] : ["this"]),
    qualified_identifier(at, node) {
      const what = valueOf(namedType(at, node));
      // `::open` is that of no namespace and no class.
      return what && !part(node, "scope") ? ["in", 0, what] : what;
    },
    template_function(at, node) {
      const name = part(node, "name");
      return name ? ["name", text(at, name)] : null;
    },
    field_expression(at, node) {
      const field = lastOf(part(node, "field"));
      const name = field?.type === "template_method" ? part(field, "name") : field;
      return name ? memberOf(expressionOf(at, part(node, "argument")), text(at, name)) : null;
    },
    call_expression(at, node) {
      const callee = part(node, "function");
      if (isCast(at, callee)) return ofType(typeOf(at, child(callee, "template_argument_list")?.children[0]));
      const called = expressionOf(at, callee);
      return called && ["call", called];
    },
    new_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
  },
  types: {
    ...cRules.types,
    class_specifier: (at, node) => typeOf(at, part(node, "name")),
    qualified_identifier: namedType,
    template_type: namedType,
    dependent_type: (at, node) => typeOf(at, node.children[0]),
    placeholder_type_specifier: () => null,
  },
  outline: { ...cRules.outline, namespace_definition: "class", class_specifier: "class" },
};

function visitNamed(at: At, callee: SyntaxNode | undefined): void {
  const last = lastOf(callee);
  if (callee?.type === "qualified_identifier" || callee?.type === "template_function")
    visit(at, last && part(last, "arguments"));
  else visitCallee(at, callee);
}

function readWithParameters(at: At, taken: SyntaxNode | undefined, body: SyntaxNode | undefined): void {
  for (const { name, type } of parametersOf(at, taken)) if (name !== undefined) bindValue(at, name, type);
  visit(at, taken);
  visit(at, body);
}

/** A namespace. What stands in one without a name belongs to the file. */
function readNamespace(at: At, node: SyntaxNode): void {
  const [name, body, here] = [part(node, "name"), part(node, "body"), scopeAt(at)];
  if (!name) {
    const { home } = here;
    here.home = "";
    visitAll(at, body?.children ?? []);
    if (home === undefined) delete here.home;
    else here.home = home;
    return;
  }
  const path = name.type === "nested_namespace_specifier" ? dotted(at, name) : text(at, name);
  const isFirst = !at.reading.paths.has(text(at, name));
  if (isFirst) define(at, { name, kind: "namespace", node });
  const inner = inside(at);
  const outer = homeOf(at);
  if (outer !== "") {
    enterSpace(inner, `${outer}.${path}`, true);
    openSpace(inner, `${outer}.${path}`);
    if (/^inline\b/.test(text(at, node))) declare(at, outer, "<passes>", ["space", `${outer}.${path}`, "*"]);
  }
  visitAll(inner, body?.children ?? []);
}

function readUsing(at: At, node: SyntaxNode): void {
  const named = node.children.at(-1);
  if (!named || scopeAt(at).isBody) return;
  const path = dotted(at, named);
  const end = path.lastIndexOf(".");
  const home = homeOf(at);
  if (/^using\s+namespace\b/.test(text(at, node))) {
    openSpace(at, `${everywhere}.${path}`);
    if (home !== "" && home !== everywhere) openSpace(at, `${home}.${path}`);
  } else if (end > 0) {
    bindName(at, path.slice(end + 1), ["space", `${everywhere}.${path.slice(0, end)}`, path.slice(end + 1)]);
  }
}

function readAlias(at: At, node: SyntaxNode, whole = node): void {
  const [name, type] = [part(node, "name"), part(node, "type")];
  if (!name) return;
  const symbol = defineName(at, { name, kind: "type", node: whole });
  bindType(at, text(at, name), ["alias", typeOf(at, type), symbol]);
  if (scopeAt(at).isBody) addMember(at.reading, scopeAt(at).shape, text(at, name), { symbol }, true);
  else if (isHeader(at)) share(at, text(at, name), ["symbol", symbol]);
  visit(at, type);
}

function readTemplate(at: At, node: SyntaxNode, outer: Variables, whole: SyntaxNode): void {
  const names = (part(node, "parameters")?.children ?? []).flatMap((one) => child(one, "type_identifier") ?? []);
  const variables = [...outer, ...names.map((name): Named<TypeFact | null> => [text(at, name), null])];
  const inner = node.children.at(-1);
  if (inner?.type === "template_declaration") readTemplate(at, inner, variables, whole);
  else if (inner?.type === "function_definition") readFunction(at, inner, variables, whole);
  else if (inner?.type === "alias_declaration") readAlias(at, inner, whole);
  else if (/^(?:class|struct|union)_specifier$/.test(inner?.type ?? ""))
    readClass(at, inner as SyntaxNode, variables, whole);
  else if (inner?.type === "field_declaration") readMembers(at, inner);
}

/** A class, struct or union. Its members are known by their bare names in it, and by `Store::` outside of it. */
function readClass(at: At, node: SyntaxNode, variables: Variables = [], whole = node): void {
  const [written, body] = [nameIn(node), part(node, "body")];
  if (!body) {
    useType(at, written ? typeOf(at, written) : null, node);
    return;
  }
  if (!written) {
    visitAll(at, body.children);
    return;
  }
  // One that a template is for some type goes by the name of the template, which means another.
  const last = lastOf(written) ?? written;
  const isSpecial = last.type === "template_type";
  const name = isSpecial ? (part(last, "name") ?? last) : last;
  // `class Store::Reader { … };`
  const owner = dotted(at, written).split(".").slice(0, -1).join(".");
  const bases = child(node, "base_class_clause")?.children ?? [];
  const outer = scopeAt(at).isBody ? at.reading.shapes[scopeAt(at).shape]?.space : homeOf(at);
  const target = isSpecial ? inside(at) : at;
  const made = defineType(target, {
    node: whole,
    name,
    kind: "class",
    ...(owner !== "" && { owner }),
    variables,
    extends: bases.filter(({ type }) => /identifier$|_type$/.test(type)).map((one) => typeOf(at, one)),
    isBody: true,
  });
  if (isSpecial) [scopeAt(target).names, scopeAt(target).types].forEach((all) => all.delete(text(at, name)));
  const shape = at.reading.shapes[made.shape];
  if (!isSpecial && shape && outer !== undefined && outer !== "" && !isInFunction(at))
    shape.space = `${outer}.${dotted(at, written)}`;
  if (!isSpecial && isHeader(at) && !scopeAt(at).isBody) share(at, text(at, name), ["symbol", made.symbol]);
  visitAll(
    at,
    bases.filter(({ type }) => type === "template_type").map((one) => part(one, "arguments")),
  );
  visitAll(made.at, body.children);
}

/** Fields and methods. Only a method that has no body anywhere is defined where it is declared. */
function readMembers(at: At, node: SyntaxNode): void {
  const type = part(node, "type");
  const { shape } = scopeAt(at);
  const declarators = parts(node, "declarator");
  for (const one of declarators) {
    const declared = declaredBy(one);
    if (!declared) continue;
    const { name, parameters } = declared;
    const whole = declarators.length === 1 ? node : one;
    if (parameters && /=\s*0\s*;?\s*$/.test(text(at, node))) addMethod(at, node, declared);
    else if (parameters) {
      const returned: TypeFact = [
        "function",
        typeOf(at, type),
        parametersOf(at, parameters).map((taken) => taken.type),
      ];
      if (name.type.endsWith("identifier")) addMember(at.reading, shape, text(at, name), { type: returned }, true);
      visit(at, parameters);
    } else {
      const symbol = define(at, { name, kind: "property", node: whole });
      const stated = typeDeclared(typeOf(at, type), declared);
      Object.assign(at.reading.symbols[symbol] as SymbolFact, { scope: at.scope }, stated && { type: stated });
      addMember(at.reading, shape, text(at, name), { symbol, ...(stated && { type: stated }) }, true);
      visit(inside(at, { symbol }), part(node, "default_value"));
    }
  }
  visit(at, type);
}
