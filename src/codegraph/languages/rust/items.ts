import type { TypeFact } from "../../facts/facts.js";
import { joinPath, folderOf } from "../../tree/paths.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { addMember, define, defineName, defineType } from "../define.js";
import {
  bindName,
  bindType,
  children,
  declare,
  enterSpace,
  importSpace,
  inside,
  openSpace,
  part,
  parts,
  scopeAt,
  text,
  typeOf,
  visit,
  visitAll,
  type At,
  type Rules,
} from "../reading.js";
import {
  attributeText,
  emptyNode,
  noteAttributes,
  readFunction,
  variablesOf,
  visitTypes,
  wholeOf,
} from "./functions.js";
import { readImpl } from "./read-impl.js";
import { enterModule, moduleAt, nameOf, setSelf, spaceHere } from "./names.js";
import { fileModule } from "./spaces.js";
import { readUse } from "./read-use.js";

/** What defines something, in a module or in a block. */
export const items: Rules["visit"] = {
  use_declaration: once(readUse),
  extern_crate_declaration: once(readUse),
  mod_item: readModule,
  struct_item: once(readStruct),
  union_item: once(readStruct),
  enum_item: once(readEnum),
  trait_item: once(readTrait),
  type_item: once(readAlias),
  impl_item: readImpl,
  macro_definition: once(readMacroRules),
  function_item: readPlainFunction,
  function_signature_item: readPlainFunction,
  const_item: readConstant,
  static_item: readConstant,
};

/** A file: outermost, the names of crates are known, which count only where no other is. */
export function beginFile(at: At, root: SyntaxNode): void {
  const { space, outer, name, folder, root: crate = "rust:crate" } = fileModule(at.reading.path);
  openSpace(at, `${crate}!`);
  at.scope = inside(at).scope;
  if (outer !== undefined) declare(at, outer, name, ["space", space, "*"]);
  beginModule(at, root.children, { space, root: crate, outer, folder });
}

type Start = Parameters<typeof enterModule>[1];

function beginModule(at: At, nodes: readonly SyntaxNode[], start: Start): void {
  enterModule(at, start);
  enterSpace(at, start.space, false);
  openSpace(at, start.space);
  noteAttributes(nodes);
  const inner = nodes.filter(({ type }) => type === "mod_item");
  for (const node of inner) if (!part(node, "body")) nameFile(at, node);
  for (const node of inner) if (part(node, "body")) nameModule(at, node);
  // Any may stand below what needs it.
  for (const early of [/^macro_definition$/, /^(?:use|extern_crate)_decl/, /^(?:struct|enum|union|trait|type)_item$/])
    for (const node of nodes) if (early.test(node.type)) visit(at, node);
}

/** `mod name;` is a file. */
function nameFile(at: At, node: SyntaxNode): void {
  const [name, module] = [part(node, "name"), moduleAt(at)];
  if (!name) return;
  const called = nameOf(at, name);
  const stated = /\bpath\s*=\s*"([^"]+)"/.exec(attributeText(at, node))?.[1];
  const path =
    stated === undefined ? joinPath(module.folder, `${called}.rs`) : joinPath(folderOf(at.reading.path), stated);
  const { space } = fileModule(path ?? "");
  module.modules.set(called, space);
  declare(at, module.space, called, ["space", space, "*"]);
  importSpace(at, module.space, called, node);
}

const standIns = new WeakSet<SyntaxNode>();

/** One that only stands in for another, as `cfg` says, is no second half of it. */
function nameModule(at: At, node: SyntaxNode): void {
  const [name, module] = [part(node, "name"), moduleAt(at)];
  if (!name) return;
  const space = `${module.space}.${nameOf(at, name)}`;
  if (module.modules.has(nameOf(at, name))) {
    standIns.add(node);
    return;
  }
  module.modules.set(nameOf(at, name), space);
  declare(at, module.space, nameOf(at, name), ["space", space, "*"]);
}

const done = new WeakSet<SyntaxNode>();

function once(read: (at: At, node: SyntaxNode) => void): (at: At, node: SyntaxNode) => void {
  return (at, node) => {
    if (done.has(node)) return;
    done.add(node);
    read(at, node);
  };
}

function readModule(at: At, node: SyntaxNode): void {
  const [name, body, module] = [part(node, "name"), part(node, "body"), moduleAt(at)];
  if (!name || !body) return;
  const called = nameOf(at, name);
  const symbol = define(at, { name, kind: "namespace", node: wholeOf(node) });
  const inner = inside(at, { symbol });
  // It knows nothing of what is around it.
  scopeAt(inner).parent = 0;
  beginModule(inner, body.children, {
    space: `${module.space}.${called}${standIns.has(node) ? "~" : ""}`,
    root: module.root,
    outer: module.space,
    folder: joinPath(module.folder, called) ?? "",
  });
  visitAll(inner, body.children);
}

function readStruct(at: At, node: SyntaxNode): void {
  const [name, body] = [part(node, "name"), part(node, "body")];
  if (!name) return;
  const {
    at: inner,
    symbol,
    shape,
  } = defineType(at, {
    node: wholeOf(node),
    name,
    kind: "class",
    variables: variablesOf(at, node),
    space: spaceHere(at),
    isOpen: true,
    isCallable: false,
  });
  setSelf(inner, ["name", nameOf(at, name)]);
  const fact = at.reading.symbols[symbol];
  if (body?.type === "ordered_field_declaration_list") {
    const types = parts(body, "type").map((one) => typeOf(inner, one));
    types.forEach((type, n) => addMember(at.reading, shape, String(n), type ? { type } : {}));
    if (fact) fact.parameters = types;
  } else {
    readFields(inner, body, (called, member) => addMember(at.reading, shape, called, member));
  }
  visitTypes(inner, node);
}

/** The fields of a struct or of a variant. */
function readFields(
  at: At,
  body: SyntaxNode | undefined,
  add: (name: string, member: { symbol?: number; type?: TypeFact }) => void,
): void {
  noteAttributes(body?.children ?? []);
  for (const field of children(body ?? emptyNode, "field_declaration")) {
    const name = part(field, "name");
    const type = typeOf(at, part(field, "type"));
    if (!name) continue;
    const symbol = define(at, { name, kind: "property", node: wholeOf(field) });
    add(nameOf(at, name), { symbol, ...(type && { type }) });
  }
}

function readEnum(at: At, node: SyntaxNode): void {
  const [name, body] = [part(node, "name"), part(node, "body")];
  if (!name) return;
  const { at: inner, shape } = defineType(at, {
    node: wholeOf(node),
    name,
    kind: "enum",
    variables: variablesOf(at, node),
    space: spaceHere(at),
    isOpen: true,
  });
  const self: TypeFact = ["name", nameOf(at, name)];
  setSelf(inner, self);
  noteAttributes(body?.children ?? []);
  for (const variant of children(body ?? emptyNode, "enum_variant")) {
    const [title, parameters] = [part(variant, "name"), part(variant, "body")];
    if (!title) continue;
    const symbol = define(inner, { name: title, kind: "property", node: wholeOf(variant) });
    const called = nameOf(at, title);
    const isTuple = parameters?.type === "ordered_field_declaration_list";
    const taken = isTuple ? parts(parameters, "type").map((one) => typeOf(inner, one)) : [];
    addMember(at.reading, shape, called, { symbol, type: isTuple ? ["function", self, taken] : self });
    if (!isTuple) {
      const within = inside(inner, { symbol });
      readFields(within, parameters, (field, member) => addMember(at.reading, shape, `${called}.${field}`, member));
    }
  }
  visitTypes(inner, node);
}

function readTrait(at: At, node: SyntaxNode): void {
  const [name, body, bounds] = [part(node, "name"), part(node, "body"), part(node, "bounds")];
  if (!name) return;
  const { at: inner, shape } = defineType(at, {
    node: wholeOf(node),
    name,
    kind: "interface",
    variables: variablesOf(at, node),
    extends: (bounds?.children ?? []).map((one) => typeOf(at, one)),
    space: spaceHere(at),
    isOpen: true,
  });
  setSelf(inner, ["name", "this"]);
  visitTypes(inner, node);
  noteAttributes(body?.children ?? []);
  for (const one of body?.children ?? []) {
    const title = part(one, "name");
    if (!title) continue;
    if (one.type === "associated_type") {
      bindType(inner, `Self::${nameOf(at, title)}`, ["alias", typeOf(inner, part(one, "bounds")), -1]);
      visit(inner, part(one, "bounds"));
    } else if (one.type === "const_item") {
      const type = typeOf(inner, part(one, "type"));
      const symbol = define(inner, { name: title, kind: "property", node: wholeOf(one) });
      addMember(at.reading, shape, nameOf(at, title), { symbol, ...(type && { type }) });
      visitAll(inner, one.children.slice(1));
    } else if (one.type.startsWith("function")) {
      const symbol = readFunction(inner, one, { kind: "method", name: title });
      addMember(at.reading, shape, nameOf(at, title), { symbol });
    }
  }
}

function readAlias(at: At, node: SyntaxNode): void {
  const [name, written] = [part(node, "name"), part(node, "type")];
  if (!name) return;
  const symbol = defineName(at, { name, kind: "type", node: wholeOf(node) });
  const inner = inside(at, { symbol });
  for (const [variable, bound] of variablesOf(at, node)) bindType(inner, variable, ["variable", bound]);
  const type = typeOf(inner, written);
  Object.assign(at.reading.symbols[symbol] ?? {}, { scope: inner.scope }, type && { type });
  bindType(at, nameOf(at, name), ["alias", type, symbol]);
  declare(at, spaceHere(at), nameOf(at, name), ["symbol", symbol]);
  visit(inner, written);
}

/** `macro_rules!`: known in the whole crate, as if it stood before everything; at its root, where it is exported. */
function readMacroRules(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  if (!name) return;
  const called = nameOf(at, name);
  const symbol = define(at, { name, kind: "function", node: wholeOf(node), isCallable: true });
  const { root } = moduleAt(at);
  bindName(at, `${called}!`, ["symbol", symbol]);
  declare(at, `${root}!`, `${called}!`, ["symbol", symbol]);
  if (!/macro_export/.test(attributeText(at, node))) return;
  declare(at, root, `${called}!`, ["symbol", symbol]);
  declare(at, root, called, ["symbol", symbol]);
}

function readPlainFunction(at: At, node: SyntaxNode): void {
  const name = part(node, "name");
  if (!name) return;
  const symbol = readFunction(at, node, { kind: "function", name });
  bindName(at, nameOf(at, name), ["symbol", symbol]);
  declare(at, spaceHere(at), nameOf(at, name), ["symbol", symbol]);
}

/** A constant or a static: those of a module are symbols, others belong to the function that they are in. */
function readConstant(at: At, node: SyntaxNode): void {
  const [name, stated] = [part(node, "name"), part(node, "type")];
  const type = typeOf(at, stated);
  if (name && text(at, name) !== "_") {
    const symbol = defineName(at, { name, kind: "variable", node: wholeOf(node) });
    Object.assign(at.reading.symbols[symbol] ?? {}, { scope: at.scope }, type && { type });
    declare(at, spaceHere(at), nameOf(at, name), ["symbol", symbol]);
  }
  visit(at, stated);
  visit(at, part(node, "value"));
}
