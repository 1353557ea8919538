/** One change of a text. Offsets are those of the text as it is when the edit is made. */
export interface Edit {
  offset: number;
  removed: string;
  inserted: string;
}

/** The text with these edits made one after the other. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((now, edit) => replaceAt(now, edit.offset, edit.removed.length, edit.inserted), text);
}

/** The text before these edits; undefined where what they inserted does not stand where they put it. */
export function revertEdits(text: string, edits: readonly Edit[]): string | undefined {
  let now = text;
  for (const { offset, removed, inserted } of edits.toReversed()) {
    if (!now.startsWith(inserted, offset)) return undefined;
    now = replaceAt(now, offset, inserted.length, removed);
  }
  return now;
}

/** The edit that takes out what stands from one offset to another. */
export function takeOut(text: string, begin: number, end: number): Edit {
  return { offset: begin, removed: text.slice(begin, end), inserted: "" };
}

/** Takes a piece out: with its line where nothing else stands on it, and never so that two gaps become one wide one. */
export function cutOut(text: string, begin: number, end: number): Edit {
  const before = lineBefore(text, begin);
  const [blanks = "", lineEnd] = /^[ \t]*(\r\n?|\n|$)?/.exec(text.slice(end)) ?? [];
  if (lineEnd === undefined) return takeOut(text, begin, /[^ \t{[]$/.test(before) ? end : end + blanks.length);
  if (isBlank(before)) return takeOut(text, begin - before.length, end + blanks.length);
  return takeOut(text, begin - before.length + before.trimEnd().length, end + blanks.length - lineEnd.length);
}

export function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}

export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lineBefore(text, offset))?.[0] ?? "";
}

/** The line end that a text is written with; a new one gets "\n". */
export function lineEndOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? "\n";
}

export function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

/** The number of the line in which an offset lies, from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function replaceAt(text: string, offset: number, length: number, inserted: string): string {
  return text.slice(0, offset) + inserted + text.slice(offset + length);
}
