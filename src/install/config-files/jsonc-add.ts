import type { Node } from "jsonc-parser";
import type { Json } from "../../base/base.js";
import { indentAt, isBlank, lineBefore, lineEndOf, type Edit } from "./text-edit.js";

// jsonc-parser's own `modify` is not used: it hands the comment behind the last entry to the new one, and forgets a trailing comma.

/** The edit that makes a document of a text that has none: an empty file, or nothing but comments. */
export function newDocument(text: string, value: Json): Edit {
  const lineEnd = lineEndOf(text);
  const written = write(value, "  ", lineEnd, "");
  const begin = text.startsWith("\uFEFF") ? 1 : 0;
  if (isBlank(text.slice(begin))) return { offset: begin, removed: "", inserted: written + lineEnd };
  return { offset: text.length, removed: "", inserted: `${/[^\n]$/.test(text) ? lineEnd : ""}${written}${lineEnd}` };
}

/** The edits that add a property, or an item where there is no key, at the end of an object or a list. */
export function addChild(text: string, root: Node, parent: Node, value: Json, key?: string): Edit[] {
  const style = styleOf(text, root);
  const { begin, end } = spanOf(parent);
  const last = parent.children?.at(-1);
  const isInline = !text.slice(begin, end).includes("\n") && (last !== undefined || style.isOneLine);
  const outer = indentAt(text, begin);
  const inner = outer + style.indent;
  const writeAt = (indent: string) => writeChild(value, key, style, isInline, indent);

  if (!last) {
    const inside = text.slice(begin + 1, end - 1);
    if (isBlank(inside)) {
      const pad = isInline && inside !== "" ? " " : "";
      const inserted = isInline
        ? `${pad}${writeAt(inner)}${pad}`
        : `${style.lineEnd}${inner}${writeAt(inner)}${style.lineEnd}${outer}`;
      return [{ offset: begin + 1, removed: inside, inserted }];
    }
    const kept = inside.trimEnd();
    const closes = inside.slice(kept.length).includes("\n") ? "" : `${style.lineEnd}${outer}`;
    const inserted = `${style.lineEnd}${inner}${writeAt(inner)}${closes}`;
    return [{ offset: begin + 1 + kept.length, removed: "", inserted }];
  }

  const { begin: lastBegin, end: lastEnd } = spanOf(last);
  const comma = findComma(text, lastEnd, end - 1);
  const behind = comma === undefined ? lastEnd : comma + 1;
  const [remarks = "", lineComment] = remarksOnLine.exec(text.slice(behind)) ?? [];
  const isOnOwnLine = isBlank(lineBefore(text, lastBegin)) && !isInline;
  const indent = isOnOwnLine ? indentAt(text, lastBegin) : inner;
  const gap = isOnOwnLine || lineComment !== undefined ? style.lineEnd + indent : style.gap;
  // A comma behind the last one is a habit to keep.
  const added = gap + writeAt(indent) + (comma === undefined ? "" : ",");
  if (comma !== undefined) return [{ offset: behind + remarks.length, removed: "", inserted: added }];
  if (remarks === "") return [{ offset: behind, removed: "", inserted: `,${added}` }];
  return [
    { offset: behind + remarks.length, removed: "", inserted: added },
    { offset: behind, removed: "", inserted: "," },
  ];
}

/** The edit that gives a value another one, laid out as its surroundings are. */
export function replaceNode(text: string, root: Node, node: Node, value: Json): Edit {
  const style = styleOf(text, root);
  const { begin, end } = spanOf(node);
  const removed = text.slice(begin, end);
  const isInline = !removed.includes("\n") && (style.isOneLine || isContainer(node));
  const inserted = isInline
    ? writeInline(value, style)
    : write(value, style.indent, style.lineEnd, indentAt(text, begin));
  return { offset: begin, removed, inserted };
}

export function findComma(text: string, begin: number, end: number): number | undefined {
  for (const { 0: found, index } of text.slice(begin, end).matchAll(/,|\/\/[^\r\n]*|\/\*[^]*?\*\//g)) {
    if (found === ",") return begin + index;
  }
  return undefined;
}

export function spanOf({ offset, length }: Node): { begin: number; end: number } {
  return { begin: offset, end: offset + length };
}

/** The comments behind a value that begin on its line; the last of them, if the line ends with it, by itself. */
const remarksOnLine = /^(?:[ \t]*\/\*[^]*?\*\/)*([ \t]*\/\/[^\r\n]*)?/;

interface Style {
  lineEnd: string;
  /** What one step in is. */
  indent: string;
  /** True where the whole document stands on one line. */
  isOneLine: boolean;
  /** What follows a comma and a colon on one line. */
  gap: string;
  colon: string;
}

function styleOf(text: string, root: Node): Style {
  const { begin, end } = spanOf(root);
  const first = root.children?.[0];
  const inFirst = first && isBlank(lineBefore(text, first.offset)) ? indentAt(text, first.offset) : "";
  const inRoot = indentAt(text, begin);
  const indent = inFirst.startsWith(inRoot) ? inFirst.slice(inRoot.length) : inFirst;
  const written = text.slice(begin, end);
  const isTight = /":\S/.test(written) && !/": /.test(written);
  return {
    lineEnd: lineEndOf(text),
    indent: indent === "" ? "  " : indent,
    isOneLine: first !== undefined && !written.includes("\n"),
    gap: isTight ? "" : " ",
    colon: isTight ? ":" : ": ",
  };
}

function writeChild(value: Json, key: string | undefined, style: Style, isInline: boolean, indent: string): string {
  const written = isInline ? writeInline(value, style) : write(value, style.indent, style.lineEnd, indent);
  return key === undefined ? written : `${JSON.stringify(key)}${isInline ? style.colon : ": "}${written}`;
}

/** JSON over several lines, of which all but the first begin with the indent given. */
function write(value: Json, step: string, lineEnd: string, indent: string): string {
  const lines = JSON.stringify(value, null, "\t").split("\n");
  return lines
    .map((line, index) => {
      const depth = /^\t*/.exec(line)?.[0].length ?? 0;
      return index === 0 ? line : indent + step.repeat(depth) + line.slice(depth);
    })
    .join(lineEnd);
}

function writeInline(value: Json, style: Style): string {
  const join = (parts: string[]) => parts.join(`,${style.gap}`);
  if (Array.isArray(value)) return `[${join(value.map((item) => writeInline(item, style)))}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}${style.colon}${writeInline(each, style)}`,
  );
  return entries.length === 0 ? "{}" : `{${style.gap}${join(entries)}${style.gap}}`;
}

function isContainer({ type }: Node): boolean {
  return type === "object" || type === "array";
}
