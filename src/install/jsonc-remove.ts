import type { Node } from "jsonc-parser";
import { findComma, spanOf } from "./jsonc-add.js";
import { cutOut, isBlank } from "./text-edit.js";

/** The text without one property or item, and without the comma that belonged to it; every comment stays. */
export function removeChild(text: string, parent: Node, child: Node): string {
  const { begin, end } = spanOf(child);
  const siblings = parent.children ?? [];
  const index = siblings.indexOf(siblings.find(({ offset }) => offset === child.offset) ?? child);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const comma = findComma(text, end, next ? next.offset : spanOf(parent).end - 1);
  if (comma !== undefined) {
    if (isBlank(text.slice(end, comma))) return cutOut(text, begin, comma + 1);
    return cutOut(without(text, comma), begin, end);
  }
  const commaBefore = previous && findComma(text, spanOf(previous).end, begin);
  if (commaBefore === undefined) return cutOut(text, begin, end);
  if (isBlank(text.slice(commaBefore + 1, begin))) return cutOut(text, commaBefore, end);
  return without(cutOut(text, begin, end), commaBefore);
}

function without(text: string, offset: number): string {
  return text.slice(0, offset) + text.slice(offset + 1);
}
