import type { Json } from "../../base/base.js";
import { idFrom } from "../../base/ids/ids.js";
import { isContextKey } from "../../memory/record/record.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { defaultConfidence, defaultExpiry } from "../../memory/prepare/prepare.js";
import * as shapes from "../formats/field-shapes.js";
import { importRefused, type IncomingMemory } from "../formats/incoming.js";
import { readField, recordFields, withDefaults, writtenFields, type FieldName } from "../formats/record-fields.js";
import type { Entry, MetadataValue, NewEntry } from "./chroma-server.js";
import { flatten, unflatten } from "./flat-metadata.js";
import { isEvent } from "./turn-place.js";

const version = 1;
const mark = "tacit_version";

/**
 * What goes there and comes back beside text, type, time and metadata. Not uses, which change with every question, and not
 * what people decided here: whoever can write to a collection could claim it.
 */
const travelling: readonly FieldName[] = [
  ...(["name", "aliases", "data", "tags", "relatedFiles", "relatedModules", "confidence", "scope", "source"] as const),
  ...(["sessionId", "agent", "commit", "branch", "provenanceSessionIds", "relations", "halfLifeDays"] as const),
  ...(["expiresAt", "validFrom", "validUntil", "supersededBy", "review", "trustFlags", "workUnit"] as const),
  ...(["methodology", "chunk", "storedAt", "updatedAt", "forgottenAt", "forgottenReason"] as const),
];

/** A memory as an entry of a collection, without its vector. Its own metadata never hide its type or its time. */
export function toEntry(record: MemoryRecord): Omit<NewEntry, "embedding"> {
  const { id, content, type, metadata, createdAt } = record;
  const free = Object.fromEntries(Object.entries(flatten(metadata)).filter(([key]) => !isReserved(key)));
  const own = writtenFields(record).flatMap(([field, value]): [string, MetadataValue][] =>
    travelling.includes(field) ? [[keyOf(field), typeof value === "object" ? JSON.stringify(value) : value]] : [],
  );
  return {
    id,
    document: content,
    metadata: {
      ...free,
      ...Object.fromEntries(own),
      // Where the flat form does not say everything, such as null or a name of ours.
      ...(!isSame(unflatten(free), metadata) && { tacit_metadata: JSON.stringify(metadata) }),
      [mark]: version,
      tacit_type: type,
      type: kindOf(record),
      // Without a zone, in UTC: Python's datetime.utcnow() writes it so, and cannot compare it with anything else.
      created_at: createdAt.replace("Z", ""),
    },
  };
}

/** For how long its readers keep it: turns 30 days, context of a session that day, the rest for good. */
function kindOf({ type, scope }: MemoryRecord): string {
  if (type === "conversation") return "conversation";
  return type === "context" && scope === "session" ? "context" : "fact";
}

/** The server drops what begins with `chroma:`. */
function isReserved(key: string): boolean {
  return key === "type" || key === "created_at" || key.startsWith("tacit_") || key.startsWith("chroma:");
}

function keyOf(field: FieldName): string {
  return `tacit_${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * An entry as a memory: one of ours as it was, any other by what its type and its time say; in any case one for which nobody
 * vouches, since anybody may have written it.
 */
export function fromEntry({ id, document, metadata }: Entry & { document: string }, at: EntryOrigin): IncomingMemory {
  const origin = `${at.collection}: ${JSON.stringify(id.slice(0, 60))}`;
  const read = metadata[mark] === undefined ? readForeign(metadata, id, at) : readOwn(metadata, origin);
  const known = shapes.id.read(id) as string | undefined;
  const free = known === undefined ? { ...read.metadata, importedId: id } : read.metadata;
  const record: Partial<MemoryRecord> & { content: string } = {
    ...read,
    id: read.id ?? known ?? idFrom("chroma", at.collectionId, id),
    content: readField("content", document, origin) as string,
    metadata: readField("metadata", free, origin) as Record<string, Json>,
  };
  return { record: withDefaults(unvouched(record, at)), origin };
}

/** It takes the place of nothing, and no turn is replaced by another: both are what somebody here says or hears. */
function unvouched<T extends Partial<MemoryRecord>>(record: T, { collection }: EntryOrigin): T {
  const { confidence = defaultConfidence, trustFlags = [], review, relations = [] } = record;
  const { updatedAt: _updatedAt, ...event } = record;
  return {
    ...(isEvent(record) ? event : record),
    source: "agent_explicit",
    confidence: Math.min(confidence, defaultConfidence),
    relations: relations.filter(({ kind }) => kind !== "supersedes"),
    trustFlags: [...new Set([...trustFlags, "unverified"])].toSorted(),
    review:
      review?.state === "flagged"
        ? review
        : { state: "pending", reason: `It comes from the collection ${collection} of a Chroma server.` },
  } as T;
}

/** Where an entry stands, and when it is read. */
export interface EntryOrigin {
  collection: string;
  collectionId: string;
  now: Date;
}

type Read = Omit<Partial<MemoryRecord>, "metadata"> & { metadata: Record<string, unknown> };

function readOwn(stated: Record<string, unknown>, origin: string): Read {
  if (stated[mark] !== version) {
    throw importRefused(
      origin,
      `it is of version ${JSON.stringify(stated[mark])} of its format, and this Tacit reads version ${version}.`,
      "Update Tacit: npm install -g tacit-memory",
    );
  }
  const fields = travelling.flatMap((field) => {
    const value = stated[keyOf(field)];
    return value === undefined || value === null ? [] : [[field, readStated(field, value, origin)] as const];
  });
  const whole = parseJson(stated["tacit_metadata"]);
  const free = Object.fromEntries(Object.entries(stated).filter(([key]) => !isReserved(key)));
  return {
    ...(Object.fromEntries(fields) as Partial<MemoryRecord>),
    ...(stated["tacit_type"] !== undefined && { type: readField("type", stated["tacit_type"], origin) as string }),
    ...timeOf(stated["created_at"]),
    metadata: isObject(whole) ? whole : unflatten(free as Record<string, Json>),
  };
}

/** What is no text, number or yes-or-no is written as JSON. */
function readStated(field: FieldName, value: unknown, origin: string): unknown {
  const plain = recordFields[field].shape.read(value);
  return plain ?? readField(field, parseJson(value) ?? value, origin, keyOf(field));
}

// What the six types of the first such collections became.
const formerTypes: Readonly<Record<string, string>> = {
  observation: "conversation",
  preference: "fact",
  event: "context",
  task: "context",
};

function readForeign(stated: Record<string, unknown>, entryId: string, { collectionId, now }: EntryOrigin): Read {
  const { type: given, created_at: since, ...others } = stated;
  const type = typeOf(given);
  const metadata = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
  const time = timeOf(since);
  const born = new Date(Math.min(Date.parse(time.createdAt ?? now.toISOString()), now.getTime()));
  const scope = type === "context" ? "session" : "global";
  // There talk was for 30 days and context for its day only: the user's day. What is over has expired when it arrives.
  const expiresAt = defaultExpiry(type, scope, born);
  return {
    ...time,
    type,
    scope,
    metadata: given === undefined || given === type ? metadata : { ...metadata, importedType: given },
    ...(expiresAt !== null && { expiresAt }),
    // One value for a key: by an id of our own it is known for that, and the newest stays.
    ...(type === "context" &&
      isContextKey(metadata["context_key"]) && {
        id: idFrom("chroma", collectionId, entryId),
        updatedAt: born.toISOString(),
      }),
  };
}

/** There, what says nothing is a fact; a type that is none of ours stays what it is. */
function typeOf(given: unknown): string {
  if (given === undefined || given === null) return "fact";
  const name = (typeof given === "string" ? given : "")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const type = Object.hasOwn(formerTypes, name) ? formerTypes[name] : name;
  return (shapes.typeName.read(type) as string | undefined) ?? "note";
}

/** Nothing for what is no time: it became known when it arrives. */
function timeOf(given: unknown): { createdAt?: string } {
  if (typeof given !== "string") return {};
  const zoned = /T\d{2}:\d{2}[\d:.]*$/i.test(given.trim().replace(" ", "T")) ? `${given.trim()}Z` : given;
  const createdAt = shapes.time.read(zoned) as string | undefined;
  return createdAt === undefined ? {} : { createdAt };
}

function parseJson(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
