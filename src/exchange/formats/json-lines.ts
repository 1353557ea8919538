import type { ChangeVerb, StoredChange } from "../../memory/history/history.js";
import type { MemoryRecord } from "../../memory/memory.js";
import * as shapes from "./field-shapes.js";
import { importRefused, type IncomingMemory } from "./incoming.js";
import { fieldNames, isField, readField, withDefaults, writtenFields } from "./record-fields.js";
import { splitLines } from "./split-lines.js";

const format = "tacit-memories";
const version = 1;

/** The first line of an export, without its line end. */
export function renderHeader(): string {
  return JSON.stringify({ format, version });
}

/** A memory with its history in one line, without its line end. The same memory always gives the same line. */
export function renderLine(record: MemoryRecord, history: readonly StoredChange[] = []): string {
  const fields = Object.fromEntries(writtenFields(record));
  return JSON.stringify(history.length > 0 ? { ...fields, history: history.map(writtenChange) } : fields);
}

function writtenChange({ number, verb, at, operation, fields }: StoredChange): StoredChange {
  return { number, verb, at, operation, fields };
}

/**
 * The memories of a file, one after the other; nothing is held but the line at hand. Blank lines, CRLF, a byte order
 * mark, a missing header and a missing last line end do no harm. The first line that is wrong is refused by its number.
 *
 * @example
 * for await (const { record } of parseJsonLines(createReadStream("memories.jsonl"), "memories.jsonl")) …
 */
export async function* parseJsonLines(
  chunks: AsyncIterable<string | Uint8Array>,
  file: string,
): AsyncGenerator<IncomingMemory, void, undefined> {
  for await (const { line, number } of splitLines(chunks, file)) {
    if (line.trim() === "") continue;
    const parsed = parseLine(line, `${file}:${number}`);
    if (parsed !== "header") yield parsed;
  }
}

/** One line: a memory, or the header. `origin` is its file and number. */
export function parseLine(line: string, origin: string): IncomingMemory | "header" {
  const fields = parseObject(line, origin);
  if (Object.hasOwn(fields, "format")) return checkHeader(fields, origin);
  const record: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (key === "history") continue;
    if (!isField(key)) {
      throw importRefused(
        origin,
        `a memory has no field ${JSON.stringify(key.slice(0, 60))}.`,
        `Its fields are ${fieldNames.join(", ")}, history; what is free goes into metadata.`,
      );
    }
    record[key] = readField(key, value, origin);
  }
  if (record["content"] === undefined) {
    throw importRefused(origin, "content is missing.", 'At least: {"content": "what is worth knowing"}');
  }
  return {
    record: withDefaults(record as Partial<MemoryRecord> & { content: string }),
    ...(fields["history"] !== undefined && { history: readHistory(fields["history"], origin) }),
    origin,
  };
}

function parseObject(line: string, origin: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Without the cause: its message quotes the text, which may hold a secret.
    throw importRefused(origin, "this line is not valid JSON.", "Each line is one JSON object, from { to }.");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw importRefused(origin, "this line is not a JSON object.", 'At least: {"content": "what is worth knowing"}');
}

function checkHeader(header: Record<string, unknown>, origin: string): "header" {
  if (header["format"] !== format || typeof header["version"] !== "number") {
    throw importRefused(origin, "this header is of another format.", `It would be ${renderHeader()}`);
  }
  if (header["version"] === version) return "header";
  throw importRefused(
    origin,
    `the file is of version ${header["version"]} of its format, and this Tacit reads version ${version}.`,
    "Update Tacit: npm install -g tacit-memory",
  );
}

const verbs: Record<ChangeVerb, true> = {
  remembered: true,
  merged: true,
  edited: true,
  renamed: true,
  aliased: true,
  unaliased: true,
  related: true,
  unrelated: true,
  superseded: true,
  contradicted: true,
  pinned: true,
  unpinned: true,
  verified: true,
  settled: true,
  doubted: true,
  flagged: true,
  forgotten: true,
  restored: true,
  faded: true,
  evicted: true,
  imported: true,
  shared: true,
  moved: true,
  undone: true,
};

const changes = shapes.listOf(
  shapes.objectOf({
    number: shapes.count,
    verb: shapes.oneOf(Object.keys(verbs)),
    at: shapes.time,
    operation: shapes.id,
    // Two more: the field, and the pair of what was and what became.
    fields: shapes.object(34),
  }),
);

function readHistory(value: unknown, origin: string): StoredChange[] {
  const read = changes.read(value) as StoredChange[] | undefined;
  const isPair = (entry: unknown) => Array.isArray(entry) && entry.length === 2;
  if (read?.every(({ fields }) => Object.values(fields).every(isPair))) return read;
  throw importRefused(
    origin,
    "history must be a list of { number, verb, at, operation, fields }, each field a pair of before and after.",
    "Leave history out, or take the line as `tacit export` wrote it.",
  );
}
