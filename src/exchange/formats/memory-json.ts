import { visit } from "jsonc-parser";
import { idFrom } from "../../base/ids/ids.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { importRefused, type IncomingMemory } from "./incoming.js";
import { readField, withDefaults, type FieldName } from "./record-fields.js";

/**
 * The memories of an opencode `memory.json`: `{ version, updatedAt, memories: [{ id, type, content, metadata, … }] }`.
 * Its ids become UUIDs that are the same each time, so that importing again finds the same memories; the original stays
 * in `metadata.importedId`. Of entries with the same id the last counts, as it did there.
 */
export function parseMemoryJson(text: string, file: string): IncomingMemory[] {
  const { memories } = asObject(parseJson(text, file)) ?? {};
  if (!Array.isArray(memories)) {
    throw importRefused(
      file,
      "it holds no list of memories.",
      'A memory.json looks like {"version": 1, "memories": []}',
    );
  }
  const parsed = memories.map((entry, index) => parseEntry(entry, `${file}: memories[${index}]`));
  return [...new Map(parsed.map((memory) => [memory.record.id ?? memory, memory])).values()];
}

function parseJson(text: string, file: string): unknown {
  const unmarked = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(unmarked);
  } catch {
    const line = unmarked.slice(0, placeOfError(unmarked)).trimEnd().split("\n").length;
    throw importRefused(
      `${file}:${line}`,
      "the JSON is damaged or cut off here.",
      "Mend the file; nothing was imported.",
    );
  }
}

/** JSON.parse does not always tell the place, and quotes the text, which may hold a secret. */
function placeOfError(text: string): number | undefined {
  let place: number | undefined;
  let deepest: number | undefined;
  let depth = 0;
  const begin = (offset: number) => {
    depth += 1;
    if (depth === maxLevels) deepest ??= offset;
  };
  const end = () => {
    depth -= 1;
  };
  const onError = (_code: unknown, offset: number) => {
    place ??= offset;
  };
  const visitor = { onObjectBegin: begin, onArrayBegin: begin, onObjectEnd: end, onArrayEnd: end, onError };
  try {
    visit(text, visitor, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // It is nested deeper than there is room to look.
    place ??= deepest;
  }
  return place;
}

// No memory.json has as many; the call stack ends some thousands further on.
const maxLevels = 1000;

function parseEntry(entry: unknown, origin: string): IncomingMemory {
  const { metadata: described, ...stated } = asObject(entry) ?? {};
  const metadata = asObject(described) ?? {};
  const { scope, tags, confidence, source, expiresAt, sessionId, ...free } = metadata;
  const importedId = stated["id"];
  if (importedId !== undefined && typeof importedId !== "string") {
    throw importRefused(origin, "id must be a text.", "Correct it there, and import again.");
  }
  if (scope !== undefined && scope !== "project" && scope !== "session" && scope !== "global") {
    throw importRefused(
      origin,
      "scope must be one of project, session, global.",
      "Correct it there, and import again.",
    );
  }
  const values: Partial<Record<FieldName, unknown>> = {
    content: stated["content"] ?? null,
    type: stated["type"],
    id: importedId === undefined ? undefined : idFrom("memory.json", importedId),
    tags,
    confidence,
    agent: source,
    scope: scope === "session" ? "session" : "global",
    sessionId,
    provenanceSessionIds: sessionId === undefined || sessionId === null ? undefined : [sessionId],
    expiresAt: stated["expiresAt"] ?? expiresAt,
    accessCount: stated["accessCount"],
    lastAccessedAt: stated["lastAccessed"],
    createdAt: stated["createdAt"],
    updatedAt: stated["updatedAt"],
    metadata: { ...free, ...(importedId !== undefined && { importedId }) },
  };
  const record = Object.entries(values)
    .filter(([field, value]) => field === "content" || (value !== undefined && value !== null))
    .map(([field, value]) => [field, readField(field as FieldName, value, origin)]);
  return {
    record: withDefaults(Object.fromEntries(record) as Partial<MemoryRecord> & { content: string }),
    origin,
    ...(scope === "global" && { project: "user" as const }),
  };
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
