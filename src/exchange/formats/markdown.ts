import { shortId } from "../../base/ids/ids.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { parseFrontMatter, renderFrontMatter, splitFrontMatter, type FrontMatterValue } from "./front-matter.js";
import { importRefused, type IncomingMemory } from "./incoming.js";
import { fieldOfKey, profiles, type Profile } from "./markdown-keys.js";
import { readField, recordFields, type FieldName } from "./record-fields.js";

/**
 * A memory as one Markdown file: front matter, a blank line, the content exactly as it is, and one line end. `whole`
 * holds every field, `shared` what colleagues need and what does not change by use. The same memory always gives the
 * same bytes.
 */
export function renderMarkdown(record: MemoryRecord, profile: Profile): string {
  return `${renderFrontMatter(profiles[profile].written(record))}\n${record.content}\n`;
}

/**
 * The memory of a Markdown file. What a file does not say has the default of its profile; a key outside the profile is
 * refused. A file without front matter is a memory that says what the file says; front matter of another program is
 * kept as metadata. `file` is its path, for messages.
 *
 * One line end after the content belongs to the file, not to the content. A file whose first line ends in CRLF was
 * converted as a whole, and is converted back.
 */
export async function parseMarkdown(text: string, file: string, profile: Profile = "whole"): Promise<IncomingMemory> {
  const unmarked = text.replace(/^\uFEFF/, "");
  const converted = /^[^\n]*\r\n/.test(unmarked) ? unmarked.replaceAll("\r\n", "\n") : unmarked;
  const { yaml, body } = splitFrontMatter(converted, file);
  const fields = yaml === undefined ? {} : readFields(await parseFrontMatter(yaml, file), file, profile);
  const content = yaml === undefined ? withoutBlankLinesAround(body) : body.replace(/^\n/, "").replace(/\n$/, "");
  if (content.trim() === "") {
    throw importRefused(file, "there is no text.", "What is worth knowing stands below the front matter.");
  }
  return {
    record: profiles[profile].withDefaults({ ...fields, content: readField("content", content, file) as string }),
    origin: file,
  };
}

/** A name that every file system takes, and that no other memory has: its name or type, and its short id. */
export function fileNameOf(record: Pick<MemoryRecord, "id" | "name" | "type">): string {
  const slug = slugOf(record.name ?? "") || slugOf(record.type) || "memory";
  return `${slug}-${shortId(record.id)}.md`;
}

function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
}

function withoutBlankLinesAround(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

function readFields(values: Map<string, FrontMatterValue>, file: string, profile: Profile): Partial<MemoryRecord> {
  const fields: Partial<Record<FieldName, unknown>> = {};
  const others = new Map<string, unknown>();
  for (const [key, entry] of values) {
    const field = fieldOfKey(key, profile);
    if (field !== undefined) {
      if (entry.value !== null) fields[field] = readValue(field, key, entry, `${file}:${entry.line}`);
    } else if (profile === "shared" || values.has("id")) {
      // In a file of ours, another key is a mistake that would otherwise go unnoticed.
      throw importRefused(
        `${file}:${entry.line}`,
        `a ${profile === "shared" ? "shared " : ""}memory has no key ${JSON.stringify(key.slice(0, 60))}.`,
        `Its keys are ${profiles[profile].keys.join(", ")}; what is free goes into metadata.`,
      );
    } else {
      others.set(key, entry.value);
    }
  }
  if (others.size > 0) {
    const kept = { ...Object.fromEntries(others), ...(fields.metadata as object | undefined) };
    fields.metadata = readField("metadata", kept, file, "the front matter");
  }
  return fields as Partial<MemoryRecord>;
}

/** A list of one may be written without its brackets. */
function readValue(field: FieldName, key: string, { value, asTexts }: FrontMatterValue, at: string): unknown {
  const fitting = [value, asTexts, [asTexts]].find(
    (candidate) => recordFields[field].shape.read(candidate) !== undefined,
  );
  return readField(field, fitting ?? value, at, key);
}
