let segmenter: Intl.Segmenter | undefined;
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|.\uFE0F|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}])/u;
const invisible = /^[\p{Mark}\u200B-\u200D\uFEFF]+$/u;

/** How many columns a text takes on a terminal, roughly: wide characters count two, combining ones nothing. */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { segment } of charactersOf(text)) width += widthOfCharacter(segment);
  return width;
}

/** Fills up with spaces to a width in columns. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/**
 * Breaks a text into lines of at most `width` columns, at spaces where there are any. What does not fit into
 * `maxLines` is left out and marked with an ellipsis.
 */
export function fold(text: string, width: number, maxLines: number = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let rest = text.replaceAll(/\s+/g, " ").trim();
  let head = headOf(rest, width);
  while (head.length < rest.length && lines.length < maxLines - 1) {
    const space = rest[head.length] === " " ? head.length : head.lastIndexOf(" ");
    const end = space > head.length / 2 ? space : head.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
    head = headOf(rest, width);
  }
  lines.push(head.length < rest.length ? `${headOf(rest, width - 1).trimEnd()}…` : rest);
  return lines;
}

/** As much of the beginning as fits, at least one character. Looks no further, so that a long text costs no more. */
function headOf(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  const columns = Math.max(width, 1);
  if (isPlain(text.slice(0, columns + 1))) return text.slice(0, columns);
  let used = 0;
  let end = 0;
  for (const { segment, index } of charactersOf(text)) {
    used += widthOfCharacter(segment);
    if (used > width && end > 0) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Characters as a person counts them. Made on first use, because it takes 8 ms and most text is plain. */
function charactersOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** Latin text and its punctuation, where each code unit takes one column. */
function isPlain(text: string): boolean {
  return /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027]*$/.test(text);
}

function widthOfCharacter(character: string): number {
  if (invisible.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
