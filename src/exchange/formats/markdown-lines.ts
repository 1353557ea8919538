/** A line of a Markdown text. */
export interface MarkdownLine {
  text: string;
  /** From 1. */
  number: number;
  /** It opens fenced code, or lies within, its closing fence included. */
  code?: "opens" | "within";
}

const fence = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;

/** The lines of a text, with HTML comments left out, except within code. Line ends are \n already. */
export function markdownLines(text: string): MarkdownLine[] {
  const lines = text.split("\n");
  const lastCommentEnd = lines.findLastIndex((line) => line.includes("-->"));
  let closing: RegExp | undefined;
  let commented = false;

  return lines.map((line, index): MarkdownLine => {
    const number = index + 1;
    if (closing) {
      if (closing.test(line)) closing = undefined;
      return { text: line, number, code: "within" };
    }
    const [, ticks] = (commented ? undefined : fence.exec(line)) ?? [];
    if (ticks !== undefined) {
      closing = new RegExp(`^\\s*${ticks.charAt(0)}{${ticks.length},}\\s*$`);
      return { text: line, number, code: "opens" };
    }
    const cut = withoutComments(line, commented, index < lastCommentEnd);
    ({ commented } = cut);
    return { text: cut.text, number };
  });
}

/** `mayContinue`: a comment that this line leaves open ends in a later one. One that never ends is no comment. */
function withoutComments(line: string, commented: boolean, mayContinue: boolean): { text: string; commented: boolean } {
  const start = commented ? line.indexOf("-->") : 0;
  if (start === -1) return { text: "", commented };
  let open = false;
  const text = line
    .slice(commented ? start + 3 : 0)
    .replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|<!--.*?(?:-->|$)/gs, (found) => {
      if (!found.startsWith("<!--")) return found;
      if (found.endsWith("-->")) return "";
      open = mayContinue;
      return mayContinue ? "" : found;
    });
  return { text, commented: open };
}
