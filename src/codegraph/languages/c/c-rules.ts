import type { ExpressionFact, SymbolFact, TypeFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import {
  declaredBy,
  everywhere,
  isHeader,
  isInFunction,
  nameIn,
  parametersOf,
  share,
  typeDeclared,
  type Declared,
} from "./declarators.js";
import { withoutMacros } from "./without-macros.js";
import { addMember, define, defineFunction, defineName, defineType } from "../define.js";
import { eitherOf, indexOf, memberOf, ofNamed, ofType, valueOf } from "../facts-of.js";
import {
  bindName,
  bindType,
  bindValue,
  child,
  children,
  declare,
  enterSpace,
  expressionOf,
  importFile,
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
  type Reading,
  type Rules,
} from "../reading.js";

/** What C and C++ have in common, and all of C. */
export const cRules: Rules = {
  grammar: "c",
  prepare: withoutMacros,
  begin(at, root) {
    enterSpace(at, everywhere, false);
    openSpace(at, everywhere);
    const names = children(root, "function_definition").map((one) => declaredBy(part(one, "declarator"))?.name);
    functions.set(at.reading, new Set(names.map((name) => (name ? text(at, name) : ""))));
  },
  blocks: ["compound_statement", "for_statement", "if_statement", "switch_statement", "while_statement"],
  visit: {
    preproc_include(at, node) {
      const path = part(node, "path");
      const written = path ? text(at, path) : "";
      if (!/^(?:"[^"]+"|<[^>]+>)$/.test(written)) return;
      const specifier = written.startsWith("<") ? written : written.slice(1, -1);
      importFile(at, specifier, node);
      at.reading.passedOn.push(specifier);
    },
    preproc_def: readMacro,
    preproc_function_def: readMacro,
    function_definition: readFunction,
    declaration: readVariables,
    type_definition: readTypedef,
    struct_specifier: (at, node) => readRecord(at, node),
    union_specifier: (at, node) => readRecord(at, node),
    enum_specifier: (at, node) => readEnum(at, node),
    field_declaration: readField,
    call_expression(at, node) {
      const callee = part(node, "function");
      use(at, "call", expressionOf(at, callee), node);
      visitCallee(at, callee);
      visit(at, part(node, "arguments"));
    },
    field_expression: (at, node) => visit(at, part(node, "argument")),
    identifier: (at, node) => mention(at, ["name", text(at, node)], node),
    type_identifier: (at, node) => useType(at, ["name", text(at, node)], node),
    // What a parameter of a type is called.
    parameter_declaration: (at, node) => visit(at, part(node, "type")),
    field_designator: () => undefined,
  },
  expressions: {
    identifier: (at, node) => ["name", text(at, node)],
    field_expression(at, node) {
      const field = part(node, "field");
      return field ? memberOf(expressionOf(at, part(node, "argument")), text(at, field)) : null;
    },
    call_expression(at, node) {
      const callee = expressionOf(at, part(node, "function"));
      return callee && ["call", callee];
    },
    // A pointer can be indexed as well as a list.
    subscript_expression(at, node) {
      const list = expressionOf(at, part(node, "argument"));
      return eitherOf([indexOf(list), list]);
    },
    pointer_expression: (at, node) => expressionOf(at, part(node, "argument")),
    parenthesized_expression: (at, node) => expressionOf(at, node.children.at(-1)),
    assignment_expression: (at, node) => expressionOf(at, part(node, "right")),
    cast_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
    compound_literal_expression: (at, node) => ofType(typeOf(at, part(node, "type"))),
    conditional_expression: (at, node) =>
      eitherOf([part(node, "consequence"), part(node, "alternative")].map((one) => expressionOf(at, one))),
    string_literal: () => ofNamed("char"),
  },
  types: {
    type_identifier: (at, node) => ["name", text(at, node)],
    primitive_type: (at, node) => ["name", text(at, node)],
    sized_type_specifier: () => ["name", "long"],
    struct_specifier: taggedType,
    union_specifier: taggedType,
    enum_specifier: taggedType,
    type_descriptor: (at, node) => typeOf(at, part(node, "type")),
  },
  outline: {
    preproc_include: "import",
    function_definition: "function",
    struct_specifier: "class",
    union_specifier: "class",
    enum_specifier: "class",
    linkage_specification: "class",
  },
  nameOf: (node) => declaredBy(part(node, "declarator"))?.name,
};

/** The functions of a file. One can be declared like a variable, by what it is: `static Curl_recv sftp_recv;`. */
const functions = new WeakMap<Reading, ReadonlySet<string>>();

function taggedType(at: At, node: SyntaxNode): TypeFact | null {
  return typeOf(at, nameIn(node));
}

/** What is called is not mentioned besides; what it hangs on is. */
export function visitCallee(at: At, callee: SyntaxNode | undefined): void {
  if (callee?.type === "field_expression") visit(at, part(callee, "argument"));
  else if (callee?.type !== "identifier") visit(at, callee);
}

// The longest macro of curl and Lua has 7,205 characters; what is longer was written by a program.
const longest = 10_000;
// Guards say only that a header was read.
const guard = /_(?:H|HH|HPP|HXX|INCLUDED)_*$/i;

/** A macro is known in the whole file, and whoever includes that. It runs what it calls. */
function readMacro(at: At, node: SyntaxNode): void {
  const [name, taken, value] = [part(node, "name"), part(node, "parameters"), part(node, "value")];
  if (!name || (!value && guard.test(text(at, name)))) return;
  const top = { reading: at.reading, scope: 0 };
  const kind = taken ? "function" : "variable";
  const symbol = defineName(top, { name, kind, node, isCallable: taken !== undefined });
  if (isHeader(at)) declare(top, everywhere, text(at, name), ["symbol", symbol]);
  if (!taken || !value) return;
  const inner = inside(top, { symbol });
  for (const one of taken.children) bindValue(inner, text(at, one), null);
  for (const [, called = ""] of text(at, value)
    .slice(0, longest)
    .matchAll(/(?<![\w.>:#]\s*)\b((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)[ \t]*\(/g)) {
    // What goes by its own name in it is no macro there.
    if (/^(?:if|for|while|switch|sizeof|return|defined)$/.test(called) || called === text(at, name)) continue;
    use(inner, "call", valueOf(["name", called.replaceAll("::", ".")]), node);
  }
}

function readFunction(at: At, node: SyntaxNode): void {
  const declared = declaredBy(part(node, "declarator"));
  // A macro with a block is written like a function, too, and stands where none can.
  if (declared?.name.type !== "identifier" || isInFunction(at)) {
    visitAll(at, [declared?.parameters, part(node, "body")]);
    return;
  }
  const symbol = addFunction(at, node, declared);
  if (!isStatic(at, node) || isHeader(at)) share(at, text(at, declared.name), ["symbol", symbol]);
}

/** Adds a function under its name, here. */
function addFunction(at: At, node: SyntaxNode, { name, parameters }: Declared): number {
  const { at: inner, symbol } = defineFunction(at, {
    node,
    name,
    kind: "function",
    parameters: parametersOf(at, parameters),
    returns: (within) => typeOf(within, part(node, "type")),
    body: part(node, "body"),
  });
  bindName(at, text(at, name), ["symbol", symbol]);
  visit(at, part(node, "type"));
  visit(inner, parameters);
  return symbol;
}

export function isStatic(at: At, node: SyntaxNode): boolean {
  return children(node, "storage_class_specifier").some((one) => text(at, one) === "static");
}

/** Variables: those of the file are symbols, unless they are only said to be somewhere; others belong to their function. */
function readVariables(at: At, node: SyntaxNode): void {
  const type = part(node, "type");
  const isApart = children(node, "storage_class_specifier").some((one) => text(at, one) === "extern");
  const declarators = parts(node, "declarator");
  for (const one of declarators) {
    const declared = declaredBy(one);
    const value = part(one, "value");
    visit(at, declared?.parameters);
    if (declared?.name.type === "identifier") {
      const name = text(at, declared.name);
      const stated = typeDeclared(typeOf(at, type), declared);
      // `Store store(path)` is written like a function of C++, and is none there.
      const isFunction = declared.parameters !== undefined && at.reading.rules.grammar === "c";
      if (isInFunction(at)) {
        if (!isFunction) bindValue(at, name, stated, expressionOf(at, value));
      } else if (!declared.parameters && !functions.get(at.reading)?.has(name) && (!isApart || value))
        addVariable(at, declared.name, declarators.length === 1 ? node : one, isStatic(at, node), (symbol) =>
          isNameless(type) ? shapeOf(at, type, symbol) : stated,
        );
    }
    visit(at, value);
  }
  if (!isNameless(type)) visit(at, type);
}

function addVariable(
  at: At,
  name: SyntaxNode,
  node: SyntaxNode,
  isKept: boolean,
  typed: (symbol: number) => TypeFact | null,
): void {
  const symbol = defineName(at, { name, kind: "variable", node });
  const type = typed(symbol);
  Object.assign(at.reading.symbols[symbol] as SymbolFact, { scope: at.scope }, type && { type });
  if (!isKept || isHeader(at)) share(at, text(at, name), ["symbol", symbol]);
}

function isNameless(type: SyntaxNode | undefined): type is SyntaxNode {
  return /^(?:struct|union)_specifier$/.test(type?.type ?? "") && !nameIn(type as SyntaxNode);
}

/** The shape of what is written out where it is used: `struct { int a; } pair;`. */
function shapeOf(at: At, type: SyntaxNode, symbol: number): TypeFact {
  const { reading, scope } = at;
  const shape = reading.shapes.push({ symbol: -1, kind: "object", scope, members: new Map(), statics: new Map() }) - 1;
  visit(inside(at, { symbol, shape }), part(type, "body"));
  return ["shape", shape];
}

function readTypedef(at: At, node: SyntaxNode): void {
  const type = part(node, "type");
  const tag = type && nameIn(type);
  const declarators = parts(node, "declarator").flatMap((one) => declaredBy(one) ?? []);
  const plain = declarators.find(({ name }) => parts(node, "declarator").includes(name));
  const isWritten = type !== undefined && part(type, "body") !== undefined;
  const given = isWritten && !tag ? plain?.name : tag;
  if (type && isWritten) readTagged(at, type, given, node);
  else visit(at, type);
  const called = given ? text(at, given) : undefined;
  for (const one of declarators) {
    const name = text(at, one.name);
    // `typedef struct store store;` says nothing new.
    if (name === called) continue;
    const symbol = defineName(at, { name: one.name, kind: "type", node });
    const stated = called !== undefined && isWritten ? (["name", called] as TypeFact) : type ? typeOf(at, type) : null;
    bindType(at, name, ["alias", typeDeclared(stated, one), symbol]);
    if (isHeader(at)) share(at, name, ["symbol", symbol]);
    visit(at, one.parameters);
  }
}

function readTagged(at: At, type: SyntaxNode, name: SyntaxNode | undefined, whole: SyntaxNode): void {
  if (type.type === "enum_specifier") readEnum(at, type, name, whole);
  else if (/^(?:struct|union)_specifier$/.test(type.type)) readRecord(at, type, name, whole);
  else visit(at, type);
}

/** A struct or union. One without a name has its fields where it stands. */
function readRecord(at: At, node: SyntaxNode, given = nameIn(node), whole = node): void {
  const body = part(node, "body");
  if (!body) {
    visitAll(at, given ? [given] : []);
    return;
  }
  if (!given) {
    visitAll(at, body.children);
    return;
  }
  const name = text(at, given);
  // Tags and functions may share a name. One that is written in another is known everywhere.
  const top = isInFunction(at) ? at : { reading: at.reading, scope: 0 };
  const before = scopeAt(top).names.get(name);
  const made = defineType(at, { node: whole, name: given, kind: "class", isCallable: false });
  bindType(top, name, ["shape", made.shape, made.symbol]);
  bindName(top, name, before ?? ["symbol", made.symbol]);
  if (isHeader(at) && !isInFunction(at)) declare(top, everywhere, name, ["symbol", made.symbol]);
  visitAll(made.at, body.children);
}

function readField(at: At, node: SyntaxNode): void {
  const type = part(node, "type");
  const declarators = parts(node, "declarator");
  for (const one of declarators) {
    const declared = declaredBy(one);
    if (!declared || scopeAt(at).shape < 0) continue;
    const symbol = define(at, { name: declared.name, kind: "property", node: declarators.length === 1 ? node : one });
    const stated = isNameless(type) ? shapeOf(at, type, symbol) : typeDeclared(typeOf(at, type), declared);
    addMember(at.reading, scopeAt(at).shape, text(at, declared.name), { symbol, ...(stated && { type: stated }) });
    visit(at, declared.parameters);
  }
  // The fields of a nameless one without a name for it are those of what it stands in.
  if (!isNameless(type) || declarators.length === 0) visit(at, type);
}

/** An enum, whose members are names of what it stands in. */
export function readEnum(at: At, node: SyntaxNode, given = nameIn(node), whole = node): void {
  const body = part(node, "body");
  if (!body) {
    visit(at, given);
    return;
  }
  const made = given && defineType(at, { node: whole, name: given, kind: "enum", isCallable: false });
  if (given && made && isHeader(at)) share(at, text(at, given), ["symbol", made.symbol]);
  const isApart = /^enum\s+(?:class|struct)\b/.test(text(at, node));
  for (const one of children(body, "enumerator")) {
    const name = part(one, "name");
    if (!name) continue;
    const symbol = define(made?.at ?? at, { name, kind: made ? "property" : "variable", node: one });
    const type = given && { type: ["name", text(at, given)] as TypeFact };
    if (made) addMember(at.reading, made.shape, text(at, name), { symbol, ...type }, true);
    visit(at, part(one, "value"));
    if (isApart) continue;
    bindName(at, text(at, name), ["symbol", symbol]);
    if (isHeader(at)) share(at, text(at, name), ["symbol", symbol]);
  }
}

/** Something given by its place among others. */
export function argumentsOf(at: At, node: SyntaxNode | undefined): (ExpressionFact | null)[] {
  return (child(node, "argument_list")?.children ?? []).map((one) => expressionOf(at, one));
}
