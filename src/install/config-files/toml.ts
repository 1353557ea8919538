import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { invalidAt } from "./jsonc-tree.js";
import type { ConfigPart, Put, Taking } from "./config-part.js";
import { applyEdits, isBlank, lineBefore, lineEndOf, takeOut, type Edit } from "./text-edit.js";
import { scanToml, type TomlSpan, type TomlStatement } from "./toml-scan.js";

/** What a TOML file says. Throws with file and line. */
export function readToml(file: string, text: string): Record<string, unknown> {
  try {
    return parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [said = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n", 1);
    throw new MemoryError(
      "config-invalid",
      `${file}:${error.line}: this is no TOML: ${said.slice(0, 80)}.`,
      "Nothing was changed there. Correct it, then run the same again.",
      error,
    );
  }
}

/** Puts a table into a TOML file, and says by which edits: as a table of its own, or where its parent is one line, there. */
export function putInToml(file: string, text: string, part: ConfigPart, { mayReplace }: { mayReplace: boolean }): Put {
  const found = valueAt(file, text, part);
  if (found === undefined) {
    return { kind: "put", isNew: true, edits: [addTable(file, text, part)], made: madeFor(text, part) };
  }
  if (part.isOurs(found, undefined)) {
    const wanted = part.renew(found);
    if (isDeepStrictEqual(found, wanted)) return { kind: "there", isOurs: true };
    return { kind: "put", isNew: false, edits: renewTable(file, text, part.at, found, wanted), made: [] };
  }
  if (!mayReplace) return { kind: "foreign" };
  const taken = takeSpans(file, text, part.at);
  const added = addTable(file, applyEdits(text, taken), part);
  const replaced = taken.map(({ removed }) => removed).join("");
  return { kind: "put", isNew: true, edits: [...taken, added], made: [], replaced };
}

/** The text without the table of ours, whatever others have changed around it; undefined where none of ours is there. */
export function removeFromToml(file: string, text: string, part: ConfigPart, { replaced }: Taking): string | undefined {
  if (!part.isOurs(valueAt(file, text, part), undefined)) return undefined;
  const spans = takeSpans(file, text, part.at);
  const without = applyEdits(text, spans);
  if (replaced === undefined) return without;
  // It may have been anything but a table of its own; then it stands where a table may always stand.
  return `${without}${without === "" || without.endsWith("\n") ? "" : lineEndOf(text)}${replaced}`;
}

type JsonObject = { [key: string]: Json };

function valueAt(file: string, text: string, { at }: ConfigPart): Json | undefined {
  let value: unknown = readToml(file, text);
  for (const [depth, key] of at.entries()) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      const begin = scanToml(text).find(({ path }) => path[0] === at[0])?.begin ?? 0;
      throw invalidAt(file, text, begin, `${at.slice(0, depth).join(".")} must be a table.`);
    }
    value = (value as Record<string, unknown>)[key];
    if (value === undefined) return undefined;
  }
  // The parser's objects have no prototype, so that none would equal one of ours.
  return JSON.parse(
    JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? String(each) : each)),
  ) as Json;
}

function addTable(file: string, text: string, part: ConfigPart): Edit {
  const parents = part.at.slice(0, -1);
  const name = part.at.at(-1) ?? "";
  const inline = scanToml(text).find(({ kind, path }) => kind === "pair" && isDeepStrictEqual(path, parents))?.value;
  if (inline) return addMember(text, inline, `${keyOf(name)} = ${inlineOf(part.value as Json)}`);

  const lineEnd = lineEndOf(text);
  const lines = [`[${part.at.map(keyOf).join(".")}]`, ...pairsOf(part.value as JsonObject)];
  const gap = text.replace(/^\uFEFF/, "") === "" ? "" : text.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
  const edit = { offset: text.length, removed: "", inserted: `${gap}${lines.join(lineEnd)}${lineEnd}` };
  readToml(file, applyEdits(text, [edit]));
  return edit;
}

function addMember(text: string, { begin, end, members = [] }: TomlSpan, written: string): Edit {
  const last = members.at(-1);
  if (last) return { offset: last.value.end, removed: "", inserted: `, ${written}` };
  return { offset: begin + 1, removed: text.slice(begin + 1, end - 1), inserted: ` ${written} ` };
}

/** Only what differs changes, so that neither a person's keys nor what is noted beside them is touched. */
function renewTable(file: string, text: string, at: readonly string[], found: Json, wanted?: Json): Edit[] {
  const edits: Edit[] = [];
  const renew = (path: readonly string[], old?: Json, value?: Json): void => {
    if (isDeepStrictEqual(old, value)) return;
    if (isTable(old) && isTable(value)) {
      const keys = new Set([...Object.keys(old), ...Object.keys(value)]);
      for (const key of keys) renew([...path, key], old[key], value[key]);
      return;
    }
    const now = applyEdits(text, edits);
    if (value === undefined) edits.push(...takeSpans(file, now, path));
    else edits.push(setPair(file, now, path, value));
  };
  renew(at, found, wanted);
  return edits;
}

function isTable(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where there is no such pair yet: below the header of its table, or into the table that is on one line. */
function setPair(file: string, text: string, path: readonly string[], value: Json): Edit {
  const statements = scanToml(text);
  const pairs = pairsIn(statements);
  const pair = pairs.find((each) => isDeepStrictEqual(each.path, path));
  if (pair) {
    const { begin, end } = pair.value;
    return { offset: begin, removed: text.slice(begin, end), inserted: inlineOf(value) };
  }
  const parents = path.slice(0, -1);
  const written = `${keyOf(path.at(-1) ?? "")} = ${inlineOf(value)}`;
  const above = statements.find((each) => each.kind === "table" && isDeepStrictEqual(each.path, parents));
  if (above) return { offset: above.end, removed: "", inserted: `${lineEndOf(text)}${written}` };
  const inline = pairs.find((each) => each.value.members && isDeepStrictEqual(each.path, parents));
  if (inline) return addMember(text, inline.value, written);
  throw cannotChange(file, text, statements, path);
}

/** Every pair, and those in tables on one line, with their whole paths. */
function pairsIn(statements: { path: string[]; value?: TomlSpan }[]): { path: string[]; value: TomlSpan }[] {
  return statements.flatMap(({ path, value }) => {
    if (!value) return [];
    const members = (value.members ?? []).map((member) => ({ path: [...path, ...member.path], value: member.value }));
    return [{ path, value }, ...pairsIn(members)];
  });
}

/** The edits that take out everything at a path and below it, last first, so that each offset is right when it is made. */
function takeSpans(file: string, text: string, at: readonly string[]): Edit[] {
  const statements = scanToml(text);
  const isBelow = ({ path }: TomlStatement) => at.every((key, index) => path[index] === key);
  const ours = statements.filter(isBelow);
  if (ours.length === 0) return [takeMember(file, text, statements, at)];
  const edits = ours.toReversed().map(({ begin, end }) => {
    const cut = cutLine(text, begin, end);
    return takeOut(text, cut.begin, cut.end);
  });
  return joined(text, edits);
}

/** Takes the comment behind it along, and the blank line before a header. */
function cutLine(text: string, begin: number, end: number): { begin: number; end: number } {
  const rest = /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.exec(text.slice(end))?.[0] ?? "";
  const from = begin - lineBefore(text, begin).length;
  const isHeader = text[begin] === "[";
  const blank = isHeader ? (/(?:^|(?<=\n))[ \t]*\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0) : 0;
  return { begin: from - blank, end: end + rest.length };
}

/** Neighbours become one edit, with the blanks between them. */
function joined(text: string, edits: Edit[]): Edit[] {
  const result: Edit[] = [];
  for (const edit of edits) {
    const later = result.at(-1);
    const end = edit.offset + edit.removed.length;
    if (later && end <= later.offset && isBlank(text.slice(end, later.offset))) {
      result[result.length - 1] = takeOut(text, edit.offset, later.offset + later.removed.length);
    } else result.push(edit);
  }
  return result;
}

function takeMember(file: string, text: string, statements: TomlStatement[], at: readonly string[]): Edit {
  const table = pairsIn(statements).find(({ path }) => isDeepStrictEqual(path, at.slice(0, -1)))?.value;
  const members = table?.members ?? [];
  const index = members.findIndex(({ path }) => path[0] === at.at(-1));
  const member = members[index];
  if (!member || !table) throw cannotChange(file, text, statements, at);
  const [previous, next] = [members[index - 1], members[index + 1]];
  const begin = previous ? previous.value.end : next ? member.begin : table.begin + 1;
  const end = previous ? member.value.end : next ? next.begin : table.end - 1;
  return takeOut(text, begin, end);
}

function cannotChange(file: string, text: string, statements: TomlStatement[], at: readonly string[]): MemoryError {
  const begin = statements.find(({ path }) => path[0] === at[0])?.begin ?? 0;
  return invalidAt(file, text, begin, `${at.join(".")} is written in a way that cannot be changed from here.`);
}

function madeFor(text: string, { at }: ConfigPart): string[][] {
  const isThere = scanToml(text).some(({ path }) => path[0] === at[0]);
  return isThere ? [] : [at.slice(0, -1)];
}

function pairsOf(value: JsonObject): string[] {
  return Object.entries(value).map(([key, each]) => `${keyOf(key)} = ${inlineOf(each)}`);
}

function keyOf(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** What JSON escapes, TOML reads alike. */
function inlineOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inlineOf).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pairs = pairsOf(value);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}
