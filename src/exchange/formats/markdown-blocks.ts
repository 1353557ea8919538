import { markdownLines } from "./markdown-lines.js";

/** A piece of a Markdown text. `break` is a line that was drawn. */
export interface Block {
  kind: "heading" | "item" | "paragraph" | "code" | "break";
  /** Where it begins, from 1. */
  line: number;
  /** Without the marker of a heading or an item, and without the indentation that came with it. */
  text: string;
  /** As it stands in the file. */
  raw: string;
  /** Of a heading, 1 to 6. */
  level?: number;
  /** Of an item: its list is numbered. */
  ordered?: boolean;
}

interface OpenBlock extends Omit<Block, "text" | "raw"> {
  texts: string[];
  raws: string[];
  /** The columns at which its marker and its text begin. */
  indent: number;
  textIndent: number;
}

const heading = /^ {0,3}(#{1,6})(?:\s(.*))?$/s;
const underline = /^ {0,3}(?:=+|-+)\s*$/;
const drawnLine = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const marker = /^\s*([-*+]|\d{1,9}[.)])(?:(\s+)(.*))?$/s;

/**
 * Cuts a Markdown text into headings, list items, paragraphs and code. An item holds its nested items, and an item or a
 * paragraph the code that follows it. HTML comments are left out, except within code. Line ends are \n already.
 */
export function cutBlocks(text: string): Block[] {
  const blocks: OpenBlock[] = [];
  /** The block that the next line may belong to, and how far code within it is indented. */
  let open: OpenBlock | undefined;
  let codeIndent = 0;
  let afterBlank = false;

  const begin = (kind: Block["kind"], line: number, raw: string, of: Partial<OpenBlock> = {}): OpenBlock => {
    const block = { kind, line, texts: [raw], raws: [raw], indent: widthOf(raw), textIndent: 0, ...of };
    blocks.push(block);
    afterBlank = false;
    return block;
  };
  const append = (to: OpenBlock, raw: string, indent: number): void => {
    const between = afterBlank ? [""] : [];
    to.texts.push(...between, dedent(raw, indent));
    to.raws.push(...between, raw);
    afterBlank = false;
  };

  for (const { text: line, number, code } of markdownLines(text)) {
    const indent = widthOf(line);
    const belongs = open?.kind === "item" && indent >= open.indent + 2;
    const marked = marker.exec(line);
    const [, hashes, title = ""] = heading.exec(line) ?? [];
    if (open && code === "within") {
      append(open, line, codeIndent);
    } else if (open && open.kind !== "code" && code === "opens") {
      codeIndent = Math.min(indent, open.textIndent);
      append(open, line, codeIndent);
    } else if (code) {
      codeIndent = indent;
      open = begin("code", number, line, { texts: [dedent(line, indent)] });
    } else if (line.trim() === "") {
      afterBlank = true;
    } else if (hashes !== undefined) {
      begin("heading", number, line, { texts: [title.trimEnd().replace(/(?:^|\s)#+$/, "")], level: hashes.length });
      open = undefined;
    } else if (open?.kind === "paragraph" && !afterBlank && open.texts.length === 1 && underline.test(line)) {
      Object.assign(open, { kind: "heading", level: line.includes("=") ? 1 : 2 });
      open = undefined;
    } else if (drawnLine.test(line)) {
      begin("break", number, line);
      open = undefined;
    } else if (marked && !belongs) {
      const [, sign = "", gap = " ", rest = ""] = marked;
      const textIndent = indent + sign.length + (gap.length > 4 ? 1 : gap.length);
      open = begin("item", number, line, { texts: [rest], textIndent, ordered: /\d/.test(sign) });
    } else if (open && open.kind !== "code" && (belongs || !afterBlank)) {
      append(open, line, open.textIndent);
    } else {
      open = begin("paragraph", number, line);
    }
  }
  return blocks.map(({ kind, line, level, ordered, texts, raws }) => ({
    kind,
    line,
    text: texts.join("\n").trim(),
    raw: raws.join("\n").trimEnd(),
    ...(level !== undefined && { level }),
    ...(ordered !== undefined && { ordered }),
  }));
}

/** How many columns a line is indented; a tab counts four. */
function widthOf(line: string): number {
  const [blanks = ""] = /^[ \t]*/.exec(line) ?? [];
  return blanks.replaceAll("\t", "    ").length;
}

/** The line without that many columns of its indentation, or as many as it has. */
function dedent(line: string, columns: number): string {
  let left = columns;
  let start = 0;
  for (; left > 0 && /[ \t]/.test(line.charAt(start)); start += 1) left -= line.charAt(start) === "\t" ? 4 : 1;
  return line.slice(start);
}
