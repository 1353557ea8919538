import type { Json } from "../../base/base.js";
import {
  scopes,
  sources,
  visibilities,
  type ForgottenReason,
  type MemoryRecord,
  type Relation,
  type Review,
  type TrustFlag,
} from "../../memory/memory.js";
import * as shapes from "./field-shapes.js";
import type { Shape } from "./field-shapes.js";
import { importRefused } from "./incoming.js";
import { relations, sortRelations } from "./relation-shape.js";

interface Field {
  shape: Shape;
  /** Left out when written, restored when read. A field without one is always written when it is set. */
  byDefault?: Json;
}

const reviewStates: readonly Review["state"][] = ["none", "pending", "flagged"];
const trustFlags: readonly TrustFlag[] = [
  "secret-redacted",
  "private-removed",
  "invisible-removed",
  "tainted",
  "unverified",
];
const forgottenReasons: readonly ForgottenReason[] = ["faded", "evicted", "unshared", "imported", "unproved"];

/** Every field of a record: the order in which files hold them, what they must look like, what need not be written. */
export const recordFields: Readonly<Record<keyof MemoryRecord, Field>> = {
  id: { shape: shapes.id },
  type: { shape: shapes.typeName },
  name: { shape: shapes.name },
  aliases: { shape: shapes.names, byDefault: [] },
  content: { shape: shapes.content },
  data: { shape: shapes.object() },
  metadata: { shape: shapes.object(), byDefault: {} },
  tags: { shape: shapes.texts, byDefault: [] },
  relatedFiles: { shape: shapes.texts, byDefault: [] },
  relatedModules: { shape: shapes.texts, byDefault: [] },
  confidence: { shape: shapes.share },
  scope: { shape: shapes.oneOf(scopes), byDefault: "global" },
  visibility: { shape: shapes.oneOf(visibilities), byDefault: "personal" },
  source: { shape: shapes.oneOf(sources), byDefault: "agent_explicit" },
  sessionId: { shape: shapes.text },
  agent: { shape: shapes.text },
  commit: { shape: shapes.text },
  branch: { shape: shapes.text },
  // A session may be called anything, even nothing.
  provenanceSessionIds: { shape: shapes.listOf(shapes.text), byDefault: [] },
  graphNodes: { shape: shapes.texts, byDefault: [] },
  relations: { shape: relations, byDefault: [] },
  halfLifeDays: { shape: shapes.days },
  expiresAt: { shape: shapes.time },
  validFrom: { shape: shapes.time },
  validUntil: { shape: shapes.time },
  supersededBy: { shape: shapes.id },
  review: {
    shape: shapes.objectOf({ state: shapes.oneOf(reviewStates), "reason?": shapes.text }),
    byDefault: { state: "none" },
  },
  trustFlags: { shape: shapes.someOf(trustFlags), byDefault: [] },
  userVerified: { shape: shapes.yesOrNo, byDefault: false },
  pinned: { shape: shapes.yesOrNo, byDefault: false },
  citationText: { shape: shapes.text },
  workUnit: { shape: shapes.object() },
  methodology: { shape: shapes.text },
  chunk: { shape: shapes.object() },
  accessCount: { shape: shapes.count, byDefault: 0 },
  usesSinceCorrection: { shape: shapes.count, byDefault: 0 },
  lastAccessedAt: { shape: shapes.time },
  createdAt: { shape: shapes.time },
  storedAt: { shape: shapes.time },
  updatedAt: { shape: shapes.time },
  forgottenAt: { shape: shapes.time },
  forgottenReason: { shape: shapes.oneOf(forgottenReasons) },
  releasedNames: { shape: shapes.objectOf({ name: shapes.orNull(shapes.text), aliases: shapes.texts }) },
};

export type FieldName = keyof MemoryRecord;

export const fieldNames = Object.keys(recordFields) as FieldName[];

const defaults = fieldNames.flatMap((field) => {
  const { byDefault } = recordFields[field];
  return byDefault === undefined ? [] : [[field, byDefault] as const];
});
const defaultTexts = new Map<FieldName, string>(defaults.map(([field, value]) => [field, JSON.stringify(value)]));

export function isField(key: string): key is FieldName {
  return Object.hasOwn(recordFields, key);
}

/** A value of a file as its field stores it. One that does not fit is refused, under the name that the file calls it by. */
export function readField(field: FieldName, value: unknown, at: string, called: string = field): unknown {
  const { shape } = recordFields[field];
  const read = shape.read(value);
  if (read !== undefined) return read;
  throw importRefused(at, `${called} must be ${shape.expected}.`, `Correct ${called} there, and import again.`);
}

/** What a file holds of a record: its fields in their order, lists that have none sorted, defaults left out. */
export function writtenFields(record: MemoryRecord): [FieldName, Json][] {
  const fixed: Partial<Record<FieldName, unknown>> = {
    ...record,
    aliases: record.aliases.toSorted(),
    relations: sortRelations(record.relations).map(writtenRelation),
  };
  return fieldNames
    .filter((field) => fixed[field] !== undefined && !isDefault(field, fixed[field]))
    .map((field) => [field, fixed[field] as Json]);
}

function writtenRelation({ kind, memory, file, confidence, automatic }: Relation): unknown {
  return { kind, memory, file, confidence, ...(automatic && { automatic }) };
}

function isDefault(field: FieldName, value: unknown): boolean {
  return defaultTexts.has(field) && JSON.stringify(value) === defaultTexts.get(field);
}

/** Puts back what `writtenFields` left out. */
export function withDefaults(read: Partial<MemoryRecord> & { content: string }): typeof read {
  const whole: Partial<Record<FieldName, unknown>> = {};
  for (const [field, value] of defaults) whole[field] = copyOf(value);
  return Object.assign(whole, read);
}

/** So that whoever changes one record does not change the defaults of the next. */
function copyOf(value: Json): Json {
  if (Array.isArray(value)) return [...value];
  return typeof value === "object" ? { ...value } : value;
}
