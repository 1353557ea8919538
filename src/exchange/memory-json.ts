import { createHash } from "node:crypto";
import { parse, type ParseError } from "jsonc-parser";
import type { MemoryRecord } from "../memory/memory-record.js";
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
    // JSON.parse does not always tell the place, and quotes the text, which may hold a secret.
    const errors: ParseError[] = [];
    parse(unmarked, errors, { disallowComments: true });
    const line = unmarked.slice(0, errors[0]?.offset).trimEnd().split("\n").length;
    throw importRefused(
      `${file}:${line}`,
      "the JSON is damaged or cut off here.",
      "Mend the file; nothing was imported.",
    );
  }
}

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
    id: importedId === undefined ? undefined : uuidOf(importedId),
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

/** A UUID of version 8, which is the one for ids of one's own making. */
function uuidOf(importedId: string): string {
  const hex = createHash("sha256").update(`memory.json ${importedId}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
