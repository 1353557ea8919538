import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { checkData, stampedHalfLife } from "../../memory/type-registry/type-registry.js";
import {
  cleanContent,
  cleanFields,
  defaultConfidence,
  type FieldCleaner,
  relatedTo,
  withConceptNodes,
} from "../../memory/prepare/prepare.js";
import type { StoredChange } from "../../memory/history/history.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { cite, hashOf } from "../../memory/record/record.js";
import { relativeTo } from "../../memory/read/read.js";
import { wordColumns, type WordColumns } from "../../memory/indexes/indexes.js";
import { cleanHistory } from "./clean-history.js";
import { cleanNames, cleanRelations, cleanReview } from "./clean-parts.js";
import type { ArrivalRules, ArrivingRecord } from "./intake.js";
import { settleClaims } from "./settle-claims.js";

/** What is decided only when a record is stored, unless it says so itself. */
type DecidedLater = "id" | "validFrom" | "createdAt" | "storedAt" | "updatedAt";

/** A record that may be stored: checked, cleaned, with its defaults. */
export interface PreparedRecord {
  record: Omit<MemoryRecord, DecidedLater> & Partial<Pick<MemoryRecord, DecidedLater>>;
  contentHash: string;
  words: WordColumns;
  history: StoredChange[];
  origin: string;
  project?: "user";
  /** Hygiene took something out of it. */
  isRedacted?: true;
  /** It said of itself what only a person can say, and was not believed. */
  isClaiming?: true;
  /** What it says of itself does not count. */
  hasNoClaims?: true;
}

/**
 * Checks and cleans a record. What comes from a store is taken as it stood there, except for what hygiene finds; what
 * no store had before is checked as `remember` would. `root` is the folder that related files are relative to.
 */
export async function prepareRecord(
  { record, history = [], origin, project, isOfPeople }: ArrivingRecord,
  root: string,
  rules?: ArrivalRules,
): Promise<PreparedRecord> {
  try {
    const cleaner = cleanFields();
    const fields = await cleanRecord(cleaner, record, root);
    const isClaiming = rules !== undefined && settleClaims(fields, { ...rules, isOfPeople: isOfPeople === true });
    const changes = await cleanHistory(cleaner, history);
    if (cleaner.flags.size > 0) fields.trustFlags = [...new Set([...fields.trustFlags, ...cleaner.flags])].toSorted();
    return {
      record: fields,
      contentHash: hashOf(fields.content),
      words: wordColumns(fields),
      history: changes,
      origin,
      ...(project && { project }),
      ...(cleaner.flags.size > 0 && { isRedacted: true as const }),
      ...(isClaiming && { isClaiming }),
      ...(rules && !rules.keepsClaims && { hasNoClaims: true as const }),
    };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    throw new MemoryError("import-refused", `${origin}: ${error.message}`, error.hint, error);
  }
}

/** True for what no store had before. */
export function isNew(record: Partial<MemoryRecord>): boolean {
  return record.storedAt === undefined;
}

/** True when a record tells of a later state. One that does not say when it was changed is not. */
export function isNewer({ record }: PreparedRecord, updatedAt: string): boolean {
  return record.updatedAt !== undefined && record.updatedAt > updatedAt;
}

const defaults = {
  type: "note",
  confidence: defaultConfidence,
  scope: "global",
  visibility: "personal",
  source: "agent_explicit",
  trustFlags: [],
  userVerified: false,
  pinned: false,
  accessCount: 0,
  usesSinceCorrection: 0,
} satisfies Partial<MemoryRecord>;

async function cleanRecord(
  cleaner: FieldCleaner,
  given: ArrivingRecord["record"],
  root: string,
): Promise<PreparedRecord["record"]> {
  const content = await cleanContent(cleaner, given.content);
  // Not spread: V8 takes 30 µs to spread into a literal what it assigns in 2 (Node 20).
  const record: PreparedRecord["record"] = Object.assign({}, defaults, given, await namesOf(cleaner, given), {
    content,
    metadata: (await cleaner.value(given.metadata ?? {}, "metadata")) as Record<string, Json>,
    tags: await cleaner.labels(given.tags, "tag"),
    relatedFiles: await cleaner.labels(given.relatedFiles, "file"),
    relatedModules: await cleaner.labels(given.relatedModules, "module"),
    provenanceSessionIds: await cleaner.labels(given.provenanceSessionIds, "session"),
    graphNodes: await cleaner.labels(given.graphNodes, "graphNode"),
    relations: await cleanRelations(cleaner, given.relations),
    review: await cleanReview(cleaner, given.review),
    citationText: await cleanCitation(cleaner, given.citationText, cite(content)),
  });
  if (given.forgottenAt !== undefined) delete record.name;
  for (const field of ["sessionId", "agent", "commit", "branch", "methodology"] as const) {
    if (given[field] !== undefined) record[field] = await cleaner.label(given[field], field);
  }
  for (const field of ["data", "workUnit", "chunk"] as const) {
    if (given[field] !== undefined) Object.assign(record, { [field]: await cleaner.value(given[field], field) });
  }
  if (isNew(given)) await welcome(record, root);
  return record;
}

/** What `remember` does with what comes for the first time. */
async function welcome(record: PreparedRecord["record"], root: string): Promise<void> {
  if (record.data !== undefined) await checkData(record.type, record.data);
  const halfLifeDays = record.halfLifeDays ?? stampedHalfLife(record.type);
  if (halfLifeDays !== undefined) record.halfLifeDays = halfLifeDays;
  const places = {
    relatedFiles: [...new Set(record.relatedFiles.map((file) => relativeTo(root, file)))],
    graphNodes: [...new Set(record.graphNodes.map((node) => relativeTo(root, node)))],
    relations: record.relations.map((relation) => relatedTo(root, relation)),
  };
  Object.assign(record, withConceptNodes(places));
  if (record.sessionId !== undefined) {
    record.provenanceSessionIds = [...new Set([...record.provenanceSessionIds, record.sessionId])];
  }
}

/** What has been forgotten has no names any more, only those it had. */
async function namesOf(
  cleaner: FieldCleaner,
  { name, aliases = [], releasedNames, forgottenAt }: Partial<MemoryRecord>,
): Promise<Pick<MemoryRecord, "name" | "aliases" | "releasedNames">> {
  const bound = await cleanNames(cleaner, { name: name ?? null, aliases });
  const released = releasedNames && (await cleanNames(cleaner, releasedNames));
  if (forgottenAt !== undefined) return { aliases: [], releasedNames: released ?? bound };
  return {
    ...(bound.name !== null && { name: bound.name }),
    aliases: bound.aliases,
    ...(released && { releasedNames: released }),
  };
}

/** Nearly always the one that follows from the text, which is clean already. */
async function cleanCitation(cleaner: FieldCleaner, given: string | undefined, usual: string): Promise<string> {
  return given === undefined || given === usual ? usual : cite(await cleaner.text(given, "citationText"));
}
