import type { SecretFinding } from "./secret-finding.js";

/**
 * Finds in the lines of a text on which a hint (with the flag `g`) stands, each with the line break before it and so many
 * lines behind it, and says where in the whole text that is. What holds a hint on its first line and goes on for no more
 * lines than that is found as it would be in the whole. Of source these lines are a twentieth: with them, 2.4 MB take the
 * patterns of commands and speech 53 ms instead of 98 (2026-11).
 */
export function findInHintedLines(
  text: string,
  hint: RegExp,
  linesBehind: number,
  find: (lines: string) => SecretFinding[],
): SecretFinding[] {
  const stretches = hintedStretches(text, hint, linesBehind);
  const findings = find(stretches.map(({ start, end }) => text.slice(start, end)).join("\n"));
  return findings.map(({ start, end, kind }) => {
    const moved = (stretchAt(stretches, start)?.moved ?? 0) + start;
    return { start: moved, end: moved + end - start, kind };
  });
}

/** Lines in a row that stand in the excerpt. */
interface Stretch {
  start: number;
  end: number;
  /** How far it is from its place in the excerpt to that in the whole text. */
  moved: number;
}

function hintedStretches(text: string, hint: RegExp, linesBehind: number): Stretch[] {
  const stretches: Stretch[] = [];
  hint.lastIndex = 0;
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const start = Math.max(0, text.lastIndexOf("\n", found.index - 1));
    const lineEnd = endOfLine(text, found.index);
    let end = lineEnd;
    for (let line = 0; line < linesBehind && end < text.length; line += 1) end = endOfLine(text, end + 1);
    const last = stretches.at(-1);
    if (last === undefined) stretches.push({ start, end, moved: start });
    else if (start <= last.end) last.end = Math.max(last.end, end);
    // One line break stands between two of them.
    else stretches.push({ start, end, moved: last.moved + start - last.end - 1 });
    hint.lastIndex = Math.max(hint.lastIndex, lineEnd);
  }
  return stretches;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** The last one that begins at or before a place of the excerpt. */
function stretchAt(stretches: readonly Stretch[], place: number): Stretch | undefined {
  let [from, to] = [0, stretches.length];
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    const { start, moved } = stretches[middle] as Stretch;
    if (start - moved <= place) from = middle;
    else to = middle;
  }
  return stretches[from];
}
