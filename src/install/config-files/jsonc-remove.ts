import type { Node } from "jsonc-parser";
import { findComma, spanOf } from "./jsonc-add.js";
import { applyEdits, cutOut, isBlank, takeOut, type Edit } from "./text-edit.js";

/** The edits that take out one property or item, and the comma that belonged to it; every comment stays. */
export function removeChild(text: string, parent: Node, child: Node): Edit[] {
  const { begin, end } = spanOf(child);
  const siblings = parent.children ?? [];
  const index = siblings.indexOf(siblings.find(({ offset }) => offset === child.offset) ?? child);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const commaBefore = previous && findComma(text, spanOf(previous).end, begin);
  const comma = findComma(text, end, next ? next.offset : spanOf(parent).end - 1);
  if (comma !== undefined) {
    const isLastOfLine =
      next === undefined && commaBefore !== undefined && /^[ \t]*$/.test(text.slice(commaBefore + 1, begin));
    // The gap before it came with it: the comma of the one before is the last now, and stands at the bracket as this one did.
    if (isLastOfLine && isBlank(text.slice(end, comma))) return [takeOut(text, commaBefore + 1, comma + 1)];
    if (isBlank(text.slice(end, comma))) return [cutOut(text, begin, comma + 1)];
    const alone = takeOut(text, comma, comma + 1);
    return [alone, cutOut(applyEdits(text, [alone]), begin, end)];
  }
  if (commaBefore === undefined) return [cutOut(text, begin, end)];
  if (isBlank(text.slice(commaBefore + 1, begin))) return [cutOut(text, commaBefore, end)];
  return [cutOut(text, begin, end), takeOut(text, commaBefore, commaBefore + 1)];
}
