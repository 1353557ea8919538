import type { SymbolKind } from "../../codegraph.js";
import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { typeOf } from "./annotations.js";
import { declareLambda } from "./declare-definition.js";
import { expressionOf, positional, stringValue } from "./expressions.js";
import { fingerprintOf } from "../../syntax/fingerprint-of.js";
import { scopeContext, type StatementContext } from "./statement-context.js";
import {
  addSymbol,
  bindingIn,
  declaringScope,
  findBinding,
  lastLineOf,
  lineAt,
  part,
  pathIn,
  scopeAt,
  textOf,
  type Binding,
} from "./reading.js";

interface TargetOptions {
  /** Where it is an assignment: the whole of it. What else binds names defines no symbol. */
  statement?: SyntaxNode;
  type?: SyntaxNode;
  /** The type that the name stands for. */
  alias?: SyntaxNode;
  lambda?: SyntaxNode;
}

/** `a = value`, `a, self.b = value`, `a: type = value`, `a = b = value`. */
export function declareAssignment(place: StatementContext, node: SyntaxNode): void {
  const { reading } = place;
  const [left, type] = [part(node, "left"), part(node, "type")];
  let right = part(node, "right");
  while (right?.type === "assignment") right = part(right, "right");
  if (!left) return;
  const at = scopeContext(place);
  const value = () => expressionOf(at, right);
  const [targets, values] = [left, right].map((side) => (isList(side) ? side.children : []));
  if (targets && values && targets.length > 1 && targets.length === values.length && !values.some(isSplat)) {
    // `a, b = b, a`: each gets its own.
    for (const [index, each] of targets.entries()) {
      bindTarget(place, each, () => expressionOf(at, values[index]), { statement: node });
    }
    return;
  }
  if (left.type === "identifier" && textOf(reading, left) === "__all__" && place.scope === 0) listNames(place, right);
  const alias = right && left.type === "identifier" && isTypeLike(place, left, right, type) ? right : undefined;
  bindTarget(place, left, value, {
    statement: node,
    ...(type && { type }),
    ...(alias && { alias }),
    ...(right?.type === "lambda" && { lambda: right }),
  });
}

function isList(node: SyntaxNode | undefined): node is SyntaxNode {
  return node !== undefined && /^(pattern_list|tuple_pattern|expression_list|tuple)$/.test(node.type);
}

function isSplat({ type }: SyntaxNode): boolean {
  return type.includes("splat");
}

/** Binds the names of a target to a value, each to its part of it. */
export function bindTarget(
  place: StatementContext,
  target: SyntaxNode,
  value: () => ExpressionFact | null,
  options: TargetOptions = {},
): void {
  switch (target.type) {
    case "identifier":
      return bindName(place, target, value, options);
    case "attribute":
      return assignMember(place, target, value, options);
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "tuple":
    case "list":
      for (const [index, each] of target.children.entries()) {
        bindTarget(
          place,
          each,
          () => itemOf(value(), index),
          options.statement ? { statement: options.statement } : {},
        );
      }
      return;
    case "subscript":
      return grow(place, part(target, "value"), value);
    case "list_splat_pattern":
    case "splat_pattern":
    case "parenthesized_expression":
    case "as_pattern_target": {
      const [only] = target.children;
      if (only) bindTarget(place, only, target.type.includes("splat") ? () => null : value);
      return;
    }
    default:
  }
}

/** What is put into a container tells what the container holds: `xs.append(value)`, `xs += [value]`. */
export function declareGrowth(place: StatementContext, node: SyntaxNode): void {
  const at = scopeContext(place);
  if (node.type === "augmented_assignment") {
    const [left, right] = [part(node, "left"), part(node, "right")];
    const isAll = left && textOf(place.reading, left) === "__all__" && place.scope === 0;
    if (isAll) listNames(place, right);
    return;
  }
  const callee = part(node, "function");
  const attribute = callee?.type === "attribute" ? part(callee, "attribute") : undefined;
  const method = attribute && textOf(place.reading, attribute);
  const given = positional(node);
  const object = callee && part(callee, "object");
  if (object && textOf(place.reading, object) === "__all__" && place.scope === 0) place.reading.isListedInPart = true;
  if (callee && (method === "append" || method === "add" || method === "appendleft") && given.length === 1) {
    grow(place, part(callee, "object"), () => expressionOf(at, given[0]));
  }
}

function grow(place: StatementContext, container: SyntaxNode | undefined, value: () => ExpressionFact | null): void {
  const { reading, scope } = place;
  const held = (): ExpressionFact | null => {
    const item = value();
    return item && ["type", ["array", ["of", item]]];
  };
  if (container?.type === "attribute") assignMember(place, container, held, {});
  if (container?.type !== "identifier") return;
  // Only where it is a container made here: a parameter, or what came from elsewhere, says itself what it is.
  const found = findBinding(reading, scope, textOf(reading, container));
  if (found && found.scope === declaringScope(reading, scope, "") && !found.binding.isParameter) {
    found.binding.values.push(held);
  }
}

/** What unpacking a value gives at a place: that of a tuple, or any of a list. */
function itemOf(value: ExpressionFact | null, index: number): ExpressionFact | null {
  return (
    value && [
      "either",
      [
        ["member", value, String(index)],
        ["element", value],
      ],
    ]
  );
}

function bindName(
  place: StatementContext,
  target: SyntaxNode,
  value: Binding["values"][0],
  options: TargetOptions,
): void {
  const { reading, shape } = place;
  const name = textOf(reading, target);
  const owner = scopeAt(reading, declaringScope(reading, place.scope, name));
  const binding = bindingIn(reading, place.scope, name);
  const isKept =
    options.statement && (owner.kind === "module" || owner.kind === "class") && owner.symbol === place.symbol;
  if (options.type) binding.type ??= options.type;
  if (options.lambda && options.statement && binding.symbol === undefined) {
    declareLambda(place, options.lambda, { named: { name: target, statement: options.statement } });
    return;
  }
  binding.values.push(value);
  if (!isKept || !options.statement) return;
  const kind: SymbolKind =
    options.alias && owner.kind === "module" ? "type" : owner.kind === "module" ? "variable" : "property";
  const isNew = binding.variable === undefined && binding.symbol === undefined && binding.imports.length === 0;
  if (isNew) {
    const fingerprint = fingerprintOf(reading, options.statement, target);
    binding.variable = addSymbol(reading, {
      path: pathIn(reading, place.symbol, name),
      name,
      kind,
      start: lineAt(reading, options.statement.start),
      end: lastLineOf(reading, options.statement),
      parent: place.symbol,
      ...(fingerprint !== undefined && { fingerprint }),
    });
  }
  const { alias } = options;
  if (alias && isNew) {
    const { variable = -1 } = binding;
    const { scope } = place;
    reading.later.push(() => owner.types.set(name, ["alias", typeOf(reading, alias, scope), variable]));
  }
  if (shape >= 0 && binding.variable !== undefined) declareAttribute(place, name, binding);
}

/** `x: type = value` in the body of a class. */
function declareAttribute({ reading, shape: index, scope }: StatementContext, name: string, binding: Binding): void {
  const shape = reading.shapes[index];
  if (!shape || shape.members.has(name)) return;
  const member = { symbol: binding.variable ?? -1, scope };
  shape.members.set(name, member);
  reading.later.push(() => {
    const type = shape.isEnum ? (["shape", index] as const) : binding.type && typeOf(reading, binding.type, scope);
    const init = binding.values[0]?.();
    Object.assign(member, type && { type: [...type] }, init && { init });
  });
}

/** `self.x = value` in a method. */
function assignMember(
  place: StatementContext,
  target: SyntaxNode,
  value: Binding["values"][0],
  { type }: TargetOptions,
): void {
  const { reading, self, scope } = place;
  const [object, attribute] = [part(target, "object"), part(target, "attribute")];
  if (!self || !attribute || object?.type !== "identifier" || textOf(reading, object) !== self.name) return;
  reading.shapes[self.shape]?.assigned.push({
    name: textOf(reading, attribute),
    scope,
    value,
    isFirst: self.isFirst,
    ...(type && { type }),
  });
}

/** `Alias = Union[A, B]`, `Id: TypeAlias = …`, `T = TypeVar("T", bound=Base)`: a name for a type, and not only a value. */
function isTypeLike(
  place: StatementContext,
  left: SyntaxNode,
  right: SyntaxNode,
  type: SyntaxNode | undefined,
): boolean {
  const { reading } = place;
  if (type) return /(^|\.)TypeAlias$/.test(textOf(reading, type));
  const isNamedSo = /^_?[A-Z]\w*[a-z]/.test(textOf(reading, left));
  return isNamedSo && /^(subscript|attribute|identifier|binary_operator)$/.test(right.type);
}

/** The names in `__all__ = ["a", "b"]`. */
function listNames({ reading }: StatementContext, value: SyntaxNode | undefined): void {
  if (!value) return;
  const items = value.children.filter(({ type }) => type !== "comment");
  const texts = items.flatMap((item) => stringValue(reading, item) ?? []);
  const isWhole = /^(list|tuple)$/.test(value.type) && texts.length === items.length;
  if (!isWhole) reading.isListedInPart = true;
  reading.listed = [...(reading.listed ?? []), ...texts];
}
