import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { assign, maybe, variableNow } from "../assign.js";
import { defineFunction, type Parameter } from "../define.js";
import { eitherOf, memberOf, ofNamed } from "../facts-of.js";
import {
  bindName,
  bindValue,
  child,
  children,
  declare,
  expressionOf,
  importFile,
  inside,
  isLocal,
  mention,
  openSpace,
  part,
  scopeAt,
  text,
  use,
  visit,
  visitAll,
  type At,
  type Rules,
} from "../reading.js";
import { isRequire, pathRequired } from "./required-path.js";
import {
  addMethod,
  addParent,
  addProperty,
  instancesOf,
  isOfClass,
  readAlias,
  readClass,
  readConstant,
  selfAt,
} from "./types.js";
import { rubyWords } from "./words.js";

const conditions = `if unless while until case case_match if_modifier unless_modifier while_modifier until_modifier
  rescue_modifier conditional`.split(/\s+/);

export const rubyRules: Rules = {
  grammar: "ruby",
  begin(at) {
    scopeAt(at).home = "ruby:";
    openSpace(at, "ruby:");
  },
  blocks: [],
  visit: {
    class: readClass,
    module: readClass,
    singleton_class(at, node) {
      const inner = inside(at);
      bindName(inner, "self", ["value", null, null]);
      visit(inner, part(node, "body"));
    },
    method: readMethod,
    singleton_method: readMethod,
    alias: (at, node) => readAlias(at, [part(node, "name"), part(node, "alias")], node),
    undef: () => undefined,
    block: readBlock,
    do_block: readBlock,
    lambda: readBlock,
    assignment(at, node) {
      const [left, right] = [part(node, "left"), part(node, "right")];
      if (left?.type === "constant") readConstant(at, node, left, right);
      else {
        visit(at, right);
        readTarget(at, left, expressionOf(at, right));
      }
    },
    operator_assignment(at, node) {
      const [left, right] = [part(node, "left"), part(node, "right")];
      visit(at, right);
      if (left?.type === "constant") readConstant(at, node, left, right);
      else readTarget({ ...at, isMaybe: true }, left, expressionOf(at, right));
    },
    ...Object.fromEntries(conditions.map((type) => [type, maybe])),
    for(at, node) {
      visit(at, part(node, "value"));
      readTarget(at, part(node, "pattern"), null);
      visit({ ...at, isMaybe: true }, part(node, "body"));
    },
    rescue(at, node) {
      const [caught, variable] = [part(node, "exceptions"), part(node, "variable")];
      visit(at, caught);
      const kinds = (caught?.children ?? []).map((one): ExpressionFact | null => {
        const what = expressionOf(at, one);
        return what && ["new", what];
      });
      readTarget(at, variable?.children[0], eitherOf(kinds));
      visit({ ...at, isMaybe: true }, part(node, "body"));
    },
    return(at, node) {
      const list = child(node, "argument_list");
      if (list?.children.length === 1) addReturned(at, list.children[0]);
      visitAll(at, node.children);
    },
    call: readCall,
    element_reference(at, node) {
      useCall(at, memberOf(expressionOf(at, part(node, "object")), "[]"), node, "");
      visitAll(at, node.children);
    },
    super: (at, node) => useCall(at, calleeOf(at, node), node, ""),
    identifier(at, node) {
      const name = text(at, node);
      if (isLocal(at, name)) return;
      if (name === "new") useNew(at, calleeOf(at, node), node);
      else useCall(at, calleeOf(at, node), node, missedAs(name));
    },
    constant: (at, node) => mention(at, ["name", text(at, node)], node),
    scope_resolution(at, node) {
      const what = expressionOf(at, node);
      if (what) mention(at, what, node);
      else visit(at, part(node, "scope"));
    },
  },
  expressions: {
    self: (at) => selfOf(at),
    identifier: (at, node) => (isLocal(at, text(at, node)) ? variableNow(at, text(at, node)) : callOf(at, node)),
    constant: (at, node) => ["name", text(at, node)],
    scope_resolution(at, node) {
      const [scope, name] = [part(node, "scope"), part(node, "name")];
      if (!name) return null;
      if (scope) return memberOf(expressionOf(at, scope), text(at, name));
      const absolute = `::${text(at, name)}`;
      bindName({ ...at, scope: 0 }, absolute, ["space", "ruby:", text(at, name)]);
      return ["name", absolute];
    },
    instance_variable: (at, node) => memberOf(selfOf(at), text(at, node)),
    class_variable: (at, node) => (selfAt(at) ? ["member", ["name", "class"], text(at, node)] : null),
    call: callOf,
    element_reference(at, node) {
      const object = expressionOf(at, part(node, "object"));
      return object && ["call", ["member", object, "[]"]];
    },
    assignment: (at, node) => expressionOf(at, part(node, "right")),
    operator_assignment: (at, node) => expressionOf(at, part(node, "left")),
    parenthesized_statements: (at, node) => expressionOf(at, node.children.at(-1)),
    conditional: (at, node) =>
      eitherOf([part(node, "consequence"), part(node, "alternative")].map((one) => expressionOf(at, one))),
    binary(at, node) {
      const [left, right] = [part(node, "left"), part(node, "right")];
      const isElse = left && right && /^\s*(?:\|\||or)\s/.test(at.reading.source.slice(left.end, right.start));
      return isElse ? eitherOf([expressionOf(at, left), expressionOf(at, right)]) : null;
    },
    ...Object.fromEntries(
      Object.entries({
        string: "String",
        heredoc_beginning: "String",
        chained_string: "String",
        simple_symbol: "Symbol",
        integer: "Integer",
        float: "Float",
        regex: "Regexp",
        array: "Array",
        string_array: "Array",
        symbol_array: "Array",
        hash: "Hash",
        range: "Range",
        lambda: "Proc",
      }).map(([node, name]) => [node, () => ofNamed(name)]),
    ),
  },
  types: {},
  outline: {
    class: "class",
    module: "class",
    singleton_class: "class",
    method: "function",
    singleton_method: "function",
  },
};

/** What `self` is: nothing outside of every class. */
function selfOf(at: At): ExpressionFact | null {
  const self = selfAt(at);
  if (self === undefined) return null;
  return self === "class" ? ["name", "self"] : ["this"];
}

/** A call; one without a name is not missed. */
function useCall(at: At, callee: ExpressionFact | null, node: SyntaxNode, name: string): void {
  if (callee || name !== "") use(at, "call", callee, node, { name });
}

/** What every object has is called everywhere, and none of it is missed. */
function missedAs(name: string): string {
  return rubyWords.has(name) ? "" : name;
}

function readMethod(at: At, node: SyntaxNode): void {
  const [name, taken, object] = [part(node, "name"), part(node, "parameters"), part(node, "object")];
  if (!name) return;
  const shape = at.reading.shapes[scopeAt(at).shape];
  const isOwn = node.type === "singleton_method" || (shape !== undefined && isOfClass(at));
  const body = part(node, "body");
  const { at: inner, symbol } = defineFunction(at, {
    node,
    name,
    kind: shape || object ? "method" : "function",
    parameters: parametersOf(at, taken),
    returns(within) {
      if (shape) bindName(within, "self", isOwn ? ["symbol", shape.symbol] : ["value", null, null]);
      return null;
    },
    body,
  });
  const fact = at.reading.symbols[symbol];
  if (fact) fact.isCallable = true;
  addReturned(inner, body?.type === "body_statement" ? body.children.at(-1) : body);
  visitAll(
    inner,
    (taken?.children ?? []).map((one) => part(one, "value")),
  );
  const called = text(at, name);
  if (!shape?.space) {
    if (!object) bindName(at, called, ["symbol", symbol]);
  } else if (object && object.type !== "self" && text(at, object) !== at.reading.symbols[shape.symbol]?.name) return;
  else {
    if (!isOwn) declare(at, instancesOf(shape.space), called, ["symbol", symbol]);
    if (isOwn || isLocal(at, "module_function")) declare(at, shape.space, called, ["symbol", symbol]);
  }
}

function addReturned(at: At, node: SyntaxNode | undefined): void {
  const fact = at.reading.symbols[scopeAt(at).symbol];
  const made = expressionOf(at, node);
  if (fact && made && /^(?:function|method)$/.test(fact.kind))
    fact.returned = [...(fact.returned ?? []), [made, at.scope]];
}

function parametersOf(at: At, list: SyntaxNode | undefined): Parameter[] {
  return (list?.children ?? []).flatMap((one): Parameter[] => {
    if (one.type === "destructured_parameter") return parametersOf(at, one);
    const name = one.type === "identifier" ? one : part(one, "name");
    const isRest = /splat|block|forward/.test(one.type);
    const isOptional = isRest || /optional|keyword/.test(one.type);
    return [{ ...(name && { name: text(at, name) }), type: null, isOptional, isRest }];
  });
}

/** A block knows the variables around it, and has parameters of its own. */
function readBlock(at: At, node: SyntaxNode): void {
  const inner = inside(at);
  const taken = part(node, "parameters");
  for (const { name } of parametersOf(at, taken)) if (name !== undefined) bindValue(inner, name, null);
  for (const one of taken?.children ?? []) visit(inner, part(one, "value"));
  visit(inner, part(node, "body"));
}

/** What is assigned to. */
function readTarget(at: At, node: SyntaxNode | undefined, made: ExpressionFact | null): void {
  if (!node) return;
  switch (node.type) {
    case "identifier":
      assign(at, text(at, node), made);
      return;
    case "instance_variable":
    case "class_variable":
      if (made) holdVariable(at, node, made);
      return;
    case "left_assignment_list":
    case "destructured_left_assignment":
    case "rest_assignment":
      for (const one of node.children) readTarget(at, one, null);
      return;
    case "call": {
      const [receiver, method] = [part(node, "receiver"), part(node, "method")];
      const what = method && memberOf(expressionOf(at, receiver), `${text(at, method)}=`);
      useCall(at, what ?? null, node, "");
      visitAll(at, [receiver, part(node, "arguments")]);
      return;
    }
    default:
      visit(at, node);
  }
}

/** `@item = …`: in its class it is what it is first made of. */
function holdVariable(at: At, node: SyntaxNode, made: ExpressionFact): void {
  const space = at.reading.shapes[scopeAt(at).shape]?.space;
  if (space === undefined) return;
  const isOwn = node.type === "class_variable" || selfAt(at) === "class";
  const home = isOwn ? space : instancesOf(space);
  const name = text(at, node);
  if (at.reading.spaces.get(home)?.some(([known]) => known === name)) return;
  declare(at, home, name, ["value", null, made]);
}

function readCall(at: At, node: SyntaxNode): void {
  const [receiver, method, list, block] = ["receiver", "method", "arguments", "block"].map((one) => part(node, one));
  const given = list?.children ?? [];
  const name = method ? text(at, method) : "call";
  const path = isRequire(at, node) ? pathRequired(at, name, given) : undefined;
  if (path !== undefined) importFile(at, path, node);
  if (!receiver && readWord(at, node, name, given)) return;
  const callee = calleeOf(at, node);
  if (name === "new") useNew(at, callee, node);
  else useCall(at, callee, node, method?.type === "super" ? "" : missedAs(name));
  visitAll(at, [receiver, list, block]);
}

/** `Store.new`, and `new` in a method of the class. */
function useNew(at: At, callee: ExpressionFact | null, node: SyntaxNode): void {
  if (callee?.[0] === "member")
    use(at, "new", callee[1], node, { name: callee[1][0] === "name" ? callee[1][1] : "new" });
}

/** Words that define something in the body of a class. */
function readWord(at: At, node: SyntaxNode, name: string, given: readonly SyntaxNode[]): boolean {
  const { shape, symbol } = scopeAt(at);
  switch (at.reading.shapes[shape]?.symbol === symbol ? name : "") {
    case "include":
    case "prepend":
    case "extend":
      for (const one of given) {
        const parent = one.type === "self" ? null : expressionOf(at, one);
        addParent(at, parent, name === "extend" || isOfClass(at));
      }
      return given.every(({ type }) => /^(?:self|constant|scope_resolution)$/.test(type));
    case "attr":
    case "attr_reader":
    case "attr_writer":
    case "attr_accessor":
      for (const one of given) addProperty(at, one, given.length === 1 ? node : one, /writer|accessor/.test(name));
      return true;
    case "alias_method":
      readAlias(at, given, node);
      return true;
    case "def_delegator":
      addMethod(at, given.at(-1), node);
      return true;
    case "def_delegators":
      for (const one of given.slice(1)) addMethod(at, one, one);
      return true;
    case "define_method": {
      const inner = addMethod(at, given[0], node);
      visit(inner ?? at, part(node, "block"));
      visitAll(at, given.slice(1));
      return inner !== undefined;
    }
    default:
      return false;
  }
}

/** What is called: a method of what stands before the dot, else one of `self`. */
function calleeOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const isCall = node.type === "call";
  const [receiver, method] = isCall ? [part(node, "receiver"), part(node, "method")] : [undefined, node];
  if (method?.type === "super") {
    const around = at.reading.symbols[scopeAt(at).symbol];
    return around?.kind === "method" && selfAt(at) === "instance" ? ["member", ["super"], around.name] : null;
  }
  const name = method ? text(at, method) : "call";
  if (receiver) return memberOf(expressionOf(at, receiver), name);
  const self = selfOf(at);
  return self ? ["member", self, name] : ["name", name];
}

const givesItself = new Set(["freeze", "dup", "clone", "tap", "itself"]);

function callOf(at: At, node: SyntaxNode): ExpressionFact | null {
  const callee = calleeOf(at, node);
  if (callee?.[0] !== "member") return callee && ["call", callee];
  const [, object, name] = callee;
  if (name === "new") return ["new", object];
  if (name === "class") return object[0] === "this" ? ["name", "class"] : null;
  return givesItself.has(name) && children(node, "argument_list").length === 0 ? object : ["call", callee];
}
