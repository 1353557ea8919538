import { applyEdits, lineOf, revertEdits, type Edit } from "./text-edit.js";

/** What changed from some line on: the lines that go and those that come. */
export interface Hunk {
  /** The line where it begins, in the text after the change. */
  line: number;
  removed: string[];
  added: string[];
}

/**
 * What these edits change, without a line around it: what else a configuration says is often a secret, and has no business
 * on a screen or in a log. Where only a part of a line changes, dots stand for the rest of it. A mere comma is not told, and of
 * what is somebody else's and replaced (`foreign`) only that it is.
 */
export function shownDifference(before: string, edits: readonly Edit[], foreign: readonly string[] = []): Hunk[] {
  const after = applyEdits(before, edits);
  return composed(before, edits)
    .filter(({ removed, inserted }) => inserted !== "," && (removed + inserted).trim() !== "")
    .map(({ offset, removed, inserted }) => {
      const begin = offset + (/^,?\s*\n/.exec(inserted)?.[0].length ?? 0);
      const isForeign =
        removed.trim() !== "" && foreign.some((text) => text.includes(removed) || removed.includes(text));
      return {
        line: lineOf(after, begin),
        removed: isForeign ? [replacedEntry] : linesOf(removed),
        added: linesOf(inserted),
      };
    });
}

const replacedEntry = "(an entry called tacit, which is not shown, and which tacit uninstall puts back)";

/** The same edits as pieces of the text before and the text after, in their order; one inside another is part of it. */
function composed(before: string, edits: readonly Edit[]): Edit[] {
  let now = before;
  let pieces: Edit[] = [];
  for (const edit of edits) {
    const end = edit.offset + edit.removed.length;
    const touched = pieces.filter((piece) => piece.offset <= end && edit.offset <= endOf(piece));
    const from = Math.min(edit.offset, ...touched.map(({ offset }) => offset));
    const to = Math.max(end, ...touched.map(endOf));
    const inner = touched.map((piece) => ({ ...piece, offset: piece.offset - from }));
    const whole: Edit = {
      offset: from,
      removed: revertEdits(now.slice(from, to), inner) ?? "",
      inserted: now.slice(from, edit.offset) + edit.inserted + now.slice(end, to),
    };
    const moved = edit.inserted.length - edit.removed.length;
    pieces = [
      ...pieces.filter((piece) => !touched.includes(piece) && piece.offset < from),
      whole,
      ...pieces
        .filter((piece) => !touched.includes(piece) && piece.offset > from)
        .map((piece) => ({ ...piece, offset: piece.offset + moved })),
    ];
    now = applyEdits(now, [edit]);
  }
  return pieces;
}

function endOf({ offset, inserted }: Edit): number {
  return offset + inserted.length;
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
