/** The lines of a text, and how much is on them. */
export interface MeasuredLines {
  texts: readonly string[];
  /** Characters that are not white on these lines, from 0 and both included. */
  size(start: number, end: number): number;
}

/** A line break at the end of a text begins no further line; a text of nothing has none. */
export function measureLines(text: string): MeasuredLines {
  const texts = linesOf(text);
  const sums = new Float64Array(texts.length + 1);
  texts.forEach((line, at) => (sums[at + 1] = (sums[at] ?? 0) + countVisible(line)));
  return { texts, size: (start, end) => (sums[end + 1] ?? 0) - (sums[start] ?? 0) };
}

/** As editors count them. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function countVisible(line: string): number {
  let count = 0;
  for (let at = 0; at < line.length; at += 1) if (line.charCodeAt(at) > 32) count += 1;
  return count;
}
