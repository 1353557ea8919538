import type { Entry, ParsedConfig } from "./parse-config.js";
import type { SettingValue } from "./setting.js";

// The parsers' own editing is not used. jsonc-parser's drops the comments around a key that it removes, and hands the
// one behind the last key to the new one; yaml's drops comments too, and lays the whole file out anew.

/**
 * The text of a file with one setting set, or taken away for `undefined`, and everything else as it is: comments,
 * order, blanks. Only a comment between a key that goes and its value goes with them.
 */
export function editConfig(config: ParsedConfig, name: string, value: SettingValue | undefined): string {
  const entry = config.entries.find((each) => each.name === name);
  if (value === undefined) return entry ? removeEntry(config, entry) : config.text;
  if (entry) return replaceValue(config, entry, value);
  const written = `${config.syntax === "json" ? JSON.stringify(name) : name}: ${JSON.stringify(value)}`;
  return config.braces ? addInBraces(config, config.braces, written) : addLine(config, written);
}

function replaceValue({ text }: ParsedConfig, { valueBegin, end }: Entry, value: SettingValue): string {
  const head = text.slice(0, valueBegin);
  if (valueBegin < end) return `${head}${JSON.stringify(value)}${text.slice(end)}`;
  // `maxEntries:` alone is null in YAML.
  const colon = head.trimEnd().length;
  return `${head.slice(0, colon)} ${JSON.stringify(value)}${text.slice(colon)}`;
}

function removeEntry({ text, syntax, braces, entries }: ParsedConfig, { begin, end }: Entry): string {
  if (!braces) return cut(text, begin, end);
  const next = entries.find((each) => each.begin > begin);
  const comma = findComma(text, end, next?.begin ?? braces.end, syntax);
  if (comma !== undefined) {
    if (isBlank(text.slice(end, comma))) return cut(text, begin, comma + 1);
    return cut(without(text, comma), begin, end);
  }
  const previous = entries.findLast((each) => each.begin < begin);
  const commaBefore = previous && findComma(text, previous.end, begin, syntax);
  if (commaBefore === undefined) return cut(text, begin, end);
  if (isBlank(text.slice(commaBefore + 1, begin))) return cut(text, commaBefore, end);
  return without(cut(text, begin, end), commaBefore);
}

function addInBraces(
  { text, syntax, entries }: ParsedConfig,
  braces: { begin: number; end: number },
  written: string,
): string {
  const lineEnd = lineEndOf(text);
  const outer = indentAt(text, braces.begin);
  const inner = outer + (/^[ \t]+(?=\S)/m.exec(text)?.[0] ?? "  ");
  const last = entries.at(-1);
  if (!last) {
    const head = text.slice(0, braces.end - 1).trimEnd();
    return `${head}${lineEnd}${inner}${written}${lineEnd}${outer}${text.slice(braces.end - 1)}`;
  }
  const comma = findComma(text, last.end, braces.end, syntax);
  const behind = comma === undefined ? last.end : comma + 1;
  const [remarks, lineComment] = remarksOnLine[syntax].exec(text.slice(behind)) ?? [""];
  const isOnOwnLine = isBlank(lineBefore(text, last.begin));
  const newLine = `${lineEnd}${isOnOwnLine ? indentAt(text, last.begin) : inner}`;
  return [
    text.slice(0, last.end),
    comma === undefined ? "," : text.slice(last.end, behind),
    remarks,
    isOnOwnLine || lineComment !== undefined ? newLine : " ",
    written,
    // A comma behind the last one is a habit to keep.
    comma === undefined ? "" : ",",
    text.slice(behind + remarks.length),
  ].join("");
}

function addLine({ text, entries }: ParsedConfig, written: string): string {
  const lineEnd = lineEndOf(text);
  const last = entries.at(-1);
  if (!last) return `${text}${/[^\r\n]$/.test(text) ? lineEnd : ""}${written}${lineEnd}`;
  const end = last.end + text.slice(last.end).search(/[\r\n]|$/);
  return `${text.slice(0, end)}${lineEnd}${indentAt(text, last.begin)}${written}${text.slice(end)}`;
}

/** Cuts a piece out: with its line when nothing else stands on it, and never so that two gaps become one wide one. */
function cut(text: string, begin: number, end: number): string {
  const before = lineBefore(text, begin);
  const rest = text.slice(end).replace(/^[ \t]+/, "");
  const lineEnd = /^(?:\r\n?|\n|$)/.exec(rest)?.[0];
  const head = text.slice(0, begin - before.length);
  if (lineEnd !== undefined && isBlank(before)) return head + rest.slice(lineEnd.length);
  if (lineEnd !== undefined) return head + before.trimEnd() + rest;
  return head + before + (/[^ \t{]$/.test(before) ? text.slice(end) : rest);
}

function without(text: string, offset: number): string {
  return text.slice(0, offset) + text.slice(offset + 1);
}

const commasAndComments = { json: /,|\/\/[^\r\n]*|\/\*[^]*?\*\//g, yaml: /,|#[^\r\n]*/g };

function findComma(text: string, begin: number, end: number, syntax: ParsedConfig["syntax"]): number | undefined {
  for (const { 0: found, index } of text.slice(begin, end).matchAll(commasAndComments[syntax])) {
    if (found === ",") return begin + index;
  }
  return undefined;
}

/** The comments behind a value that begin on its line; the last of them, if the line ends with it, by itself. */
const remarksOnLine = { json: /^(?:[ \t]*\/\*[^]*?\*\/)*([ \t]*\/\/[^\r\n]*)?/, yaml: /^([ \t]*#[^\r\n]*)?/ };

function lineBefore(text: string, offset: number): string {
  return /[^\r\n]*$/.exec(text.slice(0, offset))?.[0] ?? "";
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lineBefore(text, offset))?.[0] ?? "";
}

function lineEndOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? "\n";
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}
