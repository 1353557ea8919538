import { applyEdits, lineOf, type Edit } from "./text-edit.js";

/** What changed from some line on: the lines that go and those that come. */
export interface Hunk {
  /** The line where it begins, in the text after the change. */
  line: number;
  removed: string[];
  added: string[];
}

/**
 * What these edits change, without a line around it: what else a configuration says is often a secret, and has no business
 * on a screen or in a log. Where only a part of a line changes, dots stand for the rest of it. A mere comma is not told.
 */
export function shownDifference(before: string, edits: readonly Edit[]): Hunk[] {
  const after = applyEdits(before, edits);
  const pieces = edits
    .map((edit, index) => ({ ...edit, offset: offsetAfter(edit.offset, edits.slice(index + 1)) }))
    .filter(({ removed, inserted }) => inserted !== "," && (removed + inserted).trim() !== "")
    .toSorted((a, b) => a.offset - b.offset);
  const joined: Edit[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last && last.offset + last.inserted.length === piece.offset) {
      last.inserted += piece.inserted;
      last.removed += piece.removed;
    } else joined.push({ ...piece });
  }
  return joined.map(({ offset, removed, inserted }) => {
    const begin = offset + (/^,?\s*\n/.exec(inserted)?.[0].length ?? 0);
    return { line: lineOf(after, begin), removed: linesOf(removed), added: linesOf(inserted) };
  });
}

function linesOf(text: string): string[] {
  if (text.trim() === "") return [];
  const lines = text
    .replace(/^,?\s*\n/, "")
    .trimEnd()
    .split(/\r?\n/);
  const isPart = /^,?\s*\S/.test(text) && !text.includes("\n");
  return isPart ? lines.map((line) => `…${line}…`) : lines;
}

/** Where an offset has gone when the edits that follow are made. */
function offsetAfter(offset: number, edits: readonly Edit[]): number {
  return edits.reduce((at, edit) => (edit.offset <= at ? at + edit.inserted.length - edit.removed.length : at), offset);
}
