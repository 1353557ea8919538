import type { Json } from "../../base/base.js";
import { importRefused } from "./incoming.js";

/**
 * Keys and values between two `---` lines. Written by hand and not by a YAML writer, so that the same values always
 * give the same bytes: one key a line, plain words plain, everything else as JSON, which every YAML reader reads.
 */
export function renderFrontMatter(entries: readonly (readonly [key: string, value: Json])[]): string {
  return `---\n${entries.map(([key, value]) => `${key}: ${flow(value)}\n`).join("")}---\n`;
}

function flow(value: Json): string {
  if (typeof value === "string") return isPlain(value) ? value : quoted(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .map(([key, entry]) => `${flow(key)}: ${flow(entry)}`)
    .join(", ")}}`;
}

const word = /^[A-Za-z][A-Za-z0-9_./-]*$/;
const idOrTime = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
/** What some YAML reader takes for a truth value or nothing. */
const meaning = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;

function isPlain(value: string): boolean {
  return (word.test(value) && !meaning.test(value)) || idOrTime.test(value);
}

/** JSON, with what YAML takes for a line end or does not allow written as an escape. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text in its two parts. `yaml` is absent where the text has no front matter. Line ends are \n already. */
export function splitFrontMatter(text: string, file: string): { yaml?: string; body: string } {
  if (!/^---[ \t]*\n/.test(text)) return { body: text };
  const start = text.indexOf("\n") + 1;
  const end = /^---[ \t]*(?:\n|$)/m.exec(text.slice(start));
  if (end) return { yaml: text.slice(start, start + end.index), body: text.slice(start + end.index + end[0].length) };
  // A line that a person drew at the top is none.
  if (!/^[\w-]+:/.test(text.slice(start))) return { body: text };
  throw importRefused(`${file}:1`, "the front matter has no end.", "Close it with a line of three dashes: ---");
}

/** The longest front matter that is read: room for 10,000 related files, and half a second of work. */
export const longestFrontMatter = 512 * 1024;
// A memory holds 32 levels. Thousands of open brackets take the YAML reader minutes.
const maxLevels = 64;

/** A value of the front matter. */
export interface FrontMatterValue {
  line: number;
  value: unknown;
  /** The same with each plain scalar as it was written, so that a name may be 007 and a commit 1234e56. */
  asTexts: unknown;
}

/** What stands between the `---` lines, by key. Malformed YAML is refused with its line, and so is what refers to itself. */
export async function parseFrontMatter(yaml: string, file: string): Promise<Map<string, FrontMatterValue>> {
  const { Lexer, LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  // The front matter begins in line 2 of its file.
  const lineOf = (offset: number) => lineCounter.linePos(offset).line + 1;
  const refuse = (offset: number, what: string, cause?: unknown) =>
    importRefused(`${file}:${lineOf(offset)}`, what, "Write one `key: value` a line, or mend the YAML.", cause);

  if (yaml.length > longestFrontMatter) {
    throw importRefused(`${file}:2`, "the front matter is longer than 512 KiB.", "Put the text below it.");
  }
  if (isTooDeep(new Lexer().lex(yaml)))
    throw importRefused(`${file}:2`, `the front matter has more than ${maxLevels} levels.`, "Use fewer.");
  // Its own look for keys that come twice compares each with each: 10 seconds for 250 KB.
  const document = parseDocument(yaml, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error) throw refuse(error.pos[0], `the front matter is not valid YAML: ${error.message}.`, error);
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return new Map();
  if (!isMap(contents)) throw refuse(0, "the front matter has no keys.");

  const check = (node: unknown): void => {
    if (isAlias(node))
      throw refuse(offsetOf(node), "the front matter refers to another place in it; write the value out.");
    if (isSeq(node)) for (const item of node.items) check(item);
    if (!isMap(node)) return;
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      check(key);
      check(value);
      if (!isScalar(key)) continue;
      const name = String(key.value);
      if (seen.has(name)) {
        throw refuse(offsetOf(key), "the front matter is not valid YAML: Map keys must be unique.");
      }
      seen.add(name);
    }
  };
  check(contents);

  const asTexts = (node: unknown): unknown => {
    if (isScalar(node)) return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
    return isSeq(node) ? node.items.map(asTexts) : undefined;
  };
  const values = new Map<string, FrontMatterValue>();
  for (const { key, value } of contents.items) {
    if (!isScalar(key)) throw refuse(offsetOf(key), "a key of the front matter is no word.");
    const node = value as { toJS?(of: typeof document): unknown } | null;
    values.set(String(asTexts(key)), {
      line: lineOf(offsetOf(key)),
      value: node?.toJS?.(document) ?? null,
      asTexts: asTexts(value),
    });
  }
  return values;
}

/** Whether so many brackets are open at once. */
function isTooDeep(lexemes: Iterable<string>): boolean {
  let levels = 0;
  for (const lexeme of lexemes) {
    if (lexeme === "[" || lexeme === "{") levels += 1;
    if (lexeme === "]" || lexeme === "}") levels -= 1;
    if (levels > maxLevels) return true;
  }
  return false;
}

function offsetOf(node: unknown): number {
  return (node as { range?: [number, number, number] }).range?.[0] ?? 0;
}
