import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { child, children, mention, part, typeOf, visit, type At } from "../reading.js";
import { bindLocal, nameOf, namesIn, pathOf, pathOfNames } from "./names.js";

/** Binds the names of a pattern to the parts of what it is held against. */
export function bindPattern(at: At, node: SyntaxNode | undefined, value: ExpressionFact | null): void {
  if (!node) return;
  switch (node.type) {
    case "identifier":
    case "shorthand_field_identifier": {
      const name = nameOf(at, node);
      // A constant or a variant is compared, everything else is a new variable.
      if (/^[A-Z]/.test(name)) mention(at, ["name", name], node);
      else bindLocal(at, name, null, value);
      return;
    }
    case "tuple_pattern":
      for (const { one, n } of numbered(at, node, node.children))
        bindPattern(at, one, value && ["member", value, String(n)]);
      return;
    case "tuple_struct_pattern":
      return bindParts(at, node, value);
    case "struct_pattern":
      return bindFields(at, node);
    case "slice_pattern":
      for (const one of node.children) bindPattern(at, one, value && ["element", value]);
      return;
    case "captured_pattern":
    case "match_pattern":
    case "mut_pattern":
    case "ref_pattern":
    case "reference_pattern":
    case "or_pattern":
      for (const one of node.children) if (one.field !== "condition") bindPattern(at, one, value);
      return;
    case "scoped_identifier":
      return visit(at, node);
    default:
  }
}

/** The parts of a list with their numbers: `_` is no node, so the commas count. */
export function numbered(at: At, list: SyntaxNode, nodes: readonly SyntaxNode[]): { one: SyntaxNode; n: number }[] {
  let [n, from] = [0, list.start];
  return nodes.flatMap((one) => {
    n += at.reading.source.slice(from, one.start).split(",").length - 1;
    from = one.end;
    return /comment/.test(one.type) ? [] : [{ one, n }];
  });
}

/** `Some(x)` gives what is held, `Kind::Pair(a, b)` what the variant takes. */
function bindParts(at: At, node: SyntaxNode, value: ExpressionFact | null): void {
  const type = part(node, "type");
  const name = namesIn(at, type)?.at(-1) ?? "";
  const isHolder = name === "Some" || name === "Ok";
  const path = isHolder || name === "Err" ? null : pathOf(at, type);
  if (path && type) mention(at, path, type);
  const inner = node.children.filter((one) => one !== type);
  for (const { one, n } of numbered(at, { ...node, start: type?.end ?? node.start }, inner))
    bindPattern(at, one, isHolder ? value && ["element", value] : path && ["taken", path, n]);
}

/** The fields of a struct, or those of a variant, which the enum has by both names. */
function bindFields(at: At, node: SyntaxNode): void {
  const type = part(node, "type");
  const names = namesIn(at, type) ?? [];
  const struct = typeOf(at, type);
  visit(at, type);
  for (const field of children(node, "field_pattern")) {
    const name = part(field, "name");
    if (!name) continue;
    const called = nameOf(at, name);
    const all: ExpressionFact[] = struct ? [["member", ["type", struct], called]] : [];
    if (names.length > 1) all.push(["member", pathOfNames(at, names.slice(0, -1)), `${names.at(-1)}.${called}`]);
    bindPattern(at, part(field, "pattern") ?? child(field, "shorthand_field_identifier"), ["either", all]);
  }
}
