import type { Json } from "../../base/base.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { withDefaults, writtenFields, type FieldName } from "./record-fields.js";

/** `whole` for export and import, `shared` for files that lie in git. */
export type Profile = "whole" | "shared";

type Incoming = Partial<MemoryRecord> & { content: string };

interface Key {
  key: string;
  field: Exclude<FieldName, "content">;
  /** Part of the shared profile, too; the default that it leaves out there, where that is another. */
  shared?: true | { byDefault: Json };
}

/** The keys of the front matter in their order, and the fields that they hold. */
const keys: readonly Key[] = [
  { key: "id", field: "id", shared: true },
  { key: "name", field: "name", shared: true },
  { key: "aliases", field: "aliases", shared: true },
  { key: "type", field: "type", shared: true },
  { key: "tags", field: "tags", shared: true },
  { key: "files", field: "relatedFiles", shared: true },
  { key: "modules", field: "relatedModules", shared: true },
  { key: "scope", field: "scope", shared: true },
  { key: "visibility", field: "visibility", shared: { byDefault: "project" } },
  { key: "confidence", field: "confidence", shared: { byDefault: 0.8 } },
  { key: "source", field: "source", shared: true },
  { key: "relations", field: "relations", shared: true },
  { key: "work-unit", field: "workUnit", shared: true },
  { key: "data", field: "data", shared: true },
  { key: "metadata", field: "metadata", shared: true },
  { key: "created", field: "createdAt", shared: true },
  { key: "expires", field: "expiresAt", shared: true },
  { key: "half-life-days", field: "halfLifeDays", shared: true },
  { key: "citation", field: "citationText" },
  { key: "methodology", field: "methodology" },
  { key: "chunk", field: "chunk" },
  { key: "graph-nodes", field: "graphNodes" },
  { key: "session", field: "sessionId" },
  { key: "sessions", field: "provenanceSessionIds" },
  { key: "agent", field: "agent" },
  { key: "commit", field: "commit" },
  { key: "branch", field: "branch" },
  { key: "pinned", field: "pinned" },
  { key: "verified", field: "userVerified" },
  { key: "review", field: "review" },
  { key: "trust-flags", field: "trustFlags" },
  { key: "valid-from", field: "validFrom" },
  { key: "valid-until", field: "validUntil" },
  { key: "superseded-by", field: "supersededBy" },
  { key: "stored", field: "storedAt" },
  { key: "updated", field: "updatedAt" },
  { key: "accesses", field: "accessCount" },
  { key: "uses-since-correction", field: "usesSinceCorrection" },
  { key: "last-accessed", field: "lastAccessedAt" },
  { key: "forgotten", field: "forgottenAt" },
  { key: "forgotten-reason", field: "forgottenReason" },
  { key: "released-names", field: "releasedNames" },
];

const sharedKeys = keys.filter(({ shared }) => shared !== undefined);

/** The fields of a memory that lie in git, beside its content. */
export const sharedFields = sharedKeys.map(({ field }) => field);

/** What a profile writes of a record, in the order of the keys; what it adds to what was read; and its keys. */
interface ProfileRules {
  keys: string[];
  written(record: MemoryRecord): (readonly [key: string, value: Json])[];
  withDefaults(read: Incoming): Incoming;
}

export const profiles: Readonly<Record<Profile, ProfileRules>> = {
  whole: {
    keys: keys.map(({ key }) => key),
    written: (record) => inOrder(keys, new Map(writtenFields(record))),
    withDefaults,
  },
  shared: {
    keys: sharedKeys.map(({ key }) => key),
    written(record) {
      // What Tacit found by itself, the next store finds as well.
      const stated = { ...record, relations: record.relations.filter(({ automatic }) => !automatic) };
      const written = new Map(writtenFields(stated));
      for (const { field, shared } of sharedKeys) {
        if (typeof shared !== "object") continue;
        if (stated[field] === shared.byDefault) written.delete(field);
        else written.set(field, stated[field] as Json);
      }
      return inOrder(sharedKeys, written);
    },
    withDefaults(read) {
      const whole = withDefaults(read);
      const entries = sharedKeys.map(({ field, shared }) => [
        field,
        read[field] ?? (typeof shared === "object" ? shared.byDefault : whole[field]),
      ]);
      return {
        content: read.content,
        ...(Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Partial<MemoryRecord>),
      };
    },
  },
};

function inOrder(of: readonly Key[], written: Map<FieldName, Json>): [string, Json][] {
  return of.flatMap(({ key, field }) => {
    const value = written.get(field);
    return value === undefined ? [] : [[key, value]];
  });
}

/** The field that a key holds, where the profile has that key. */
export function fieldOfKey(key: string, profile: Profile): FieldName | undefined {
  return (profile === "shared" ? sharedKeys : keys).find((entry) => entry.key === key)?.field;
}
