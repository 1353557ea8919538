import type { Json } from "../../base/base.js";
import { cleanContent, type FieldCleaner } from "../../memory/prepare/prepare.js";
import {
  codeKinds,
  relationKinds,
  scopes,
  sources,
  visibilities,
  type ForgottenReason,
  type MemoryRecord,
  type ReleasedNames,
  type Relation,
  type RelationKind,
  type Review,
  type TrustFlag,
} from "../../memory/memory.js";
import { cleanNames, cleanRelations, cleanReview } from "./clean-parts.js";

/** What a field looks like where a history tells of it, because undoing a change writes it as it is told. */
interface ToldField {
  /** Completes "… must be". */
  expected: string;
  fits(value: unknown): boolean;
  /** Cleans it as the field itself is cleaned. */
  clean(cleaner: FieldCleaner, value: Json, field: string): Promise<unknown>;
  /** Every memory has one. */
  always?: true;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isSaid = (value: unknown) => isText(value) && value.trim() !== "";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, fits: (entry: unknown) => boolean) => Array.isArray(value) && value.every(fits);
const isShare = (value: unknown) => typeof value === "number" && value >= 0 && value <= 1;
const isFlag = (value: unknown) => typeof value === "boolean";
const isId = (value: unknown) => isText(value) && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
const isOneOf = (values: readonly string[]) => (value: unknown) => isText(value) && values.includes(value);
const isTime = (value: unknown) =>
  isText(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;
const isRelation = (value: unknown) =>
  isObject(value) &&
  isOneOf(relationKinds)(value["kind"]) &&
  (value["memory"] === undefined ? isText(value["file"]) : isId(value["memory"]) && value["file"] === undefined) &&
  !(codeKinds.has(value["kind"] as RelationKind) && value["file"] === undefined) &&
  isShare(value["confidence"]) &&
  isFlag(value["automatic"]);
const isReview = (value: unknown) =>
  isObject(value) && isOneOf(reviewStates)(value["state"]) && ["undefined", "string"].includes(typeof value["reason"]);
const isReleased = (value: unknown) =>
  isObject(value) && (value["name"] === null || isText(value["name"])) && isListOf(value["aliases"], isText);

const reviewStates: readonly Review["state"][] = ["none", "pending", "flagged"];
const flags: readonly TrustFlag[] = [
  "secret-redacted",
  "private-removed",
  "invisible-removed",
  "tainted",
  "unverified",
];
const reasons: readonly ForgottenReason[] = ["faded", "evicted", "unshared", "imported", "unproved"];

const asItIs: ToldField["clean"] = async (_cleaner, value) => value;
const fixed = (expected: string, fits: ToldField["fits"]): ToldField => ({ expected, fits, clean: asItIs });
const oneOf = (values: readonly string[]) => fixed(`one of ${values.join(", ")}`, isOneOf(values));
const always = (field: ToldField): ToldField => ({ ...field, always: true });

const text: ToldField = {
  expected: "a text",
  fits: isText,
  clean: (cleaner, value, field) => cleaner.label(value as string, field),
};
const texts: ToldField = {
  expected: "a list of texts, none of them empty",
  fits: (value) => isListOf(value, isSaid),
  clean: (cleaner, value, field) => cleaner.labels(value as string[], field),
};
const object: ToldField = {
  expected: "an object",
  fits: isObject,
  clean: (cleaner, value, field) => cleaner.value(value, field),
};
const time = fixed("a time in UTC, for example 2026-11-15T08:30:00.000Z", isTime);
const flag = fixed("true or false", isFlag);

/** What only its own use or the store itself changes. */
type Untold = "id" | "storedAt" | "updatedAt" | "accessCount" | "usesSinceCorrection" | "lastAccessedAt";

/** Every field that a history may tell of. */
export const historyFields: Readonly<Record<Exclude<keyof MemoryRecord, Untold>, ToldField>> = {
  type: always(fixed("a type", (value) => isText(value) && /^[a-z][a-z0-9_]{0,63}$/.test(value))),
  content: always({
    expected: "a text",
    fits: isText,
    clean: (cleaner, value) => cleanContent(cleaner, value as string),
  }),
  name: {
    expected: "a name",
    fits: isText,
    clean: async (cleaner, value) => (await cleanNames(cleaner, { name: value as string, aliases: [] })).name,
  },
  aliases: always({
    expected: "a list of names",
    fits: (value) => isListOf(value, isText),
    clean: async (cleaner, value) => (await cleanNames(cleaner, { name: null, aliases: value as string[] })).aliases,
  }),
  data: object,
  metadata: always(object),
  tags: always(texts),
  relatedFiles: always(texts),
  relatedModules: always(texts),
  confidence: always(fixed("a number from 0 to 1", isShare)),
  scope: always(oneOf(scopes)),
  visibility: always(oneOf(visibilities)),
  source: always(oneOf(sources)),
  sessionId: text,
  agent: text,
  commit: text,
  branch: text,
  provenanceSessionIds: always(texts),
  graphNodes: always(texts),
  relations: always({
    expected: "a list of { kind, memory or file, confidence, automatic }",
    fits: (value) => isListOf(value, isRelation),
    clean: (cleaner, value) => cleanRelations(cleaner, value as unknown as Relation[]),
  }),
  halfLifeDays: fixed("a number of days above 0", (value) => Number.isFinite(value) && (value as number) > 0),
  expiresAt: time,
  validFrom: always(time),
  validUntil: time,
  supersededBy: fixed("an id", isId),
  review: always({
    expected: "{ state, reason }",
    fits: isReview,
    clean: (cleaner, value) => cleanReview(cleaner, value as unknown as Review),
  }),
  trustFlags: always(fixed(`a list of ${flags.join(", ")}`, (value) => isListOf(value, isOneOf(flags)))),
  userVerified: always(flag),
  pinned: always(flag),
  citationText: always({ ...text, clean: (cleaner, value, field) => cleaner.text(value as string, field) }),
  workUnit: object,
  methodology: text,
  chunk: object,
  createdAt: always(time),
  forgottenAt: time,
  forgottenReason: oneOf(reasons),
  releasedNames: {
    expected: "{ name, aliases }",
    fits: isReleased,
    clean: (cleaner, value) => cleanNames(cleaner, value as unknown as ReleasedNames),
  },
};
