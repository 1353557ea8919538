import { newId } from "../../base/ids/ids.js";
import type { KeyedMemory } from "../../memory/read/read.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { defaultExpiry } from "../../memory/prepare/prepare.js";
import { bindFreeNames } from "./contested-names.js";
import { identifyRecords, type Identity } from "./identify-records.js";
import { insertHistory } from "./insert-history.js";
import { insertRecords, type AddedRecord } from "./insert-records.js";
import { leadsTo, type DeferredRecord } from "./store-deferred.js";
import type { Intake } from "./begin-intake.js";
import { isNew, isNewer, type PreparedRecord } from "./prepare-record.js";
import { indexOfSame, listSameTexts, mayRepeat, mergeInto } from "./same-texts.js";

/** Keeps a page of records: what is new gets a row, what is known by its text is merged, what is newer waits. */
export async function storePage(keeping: Intake, page: PreparedRecord[]): Promise<void> {
  for (const batch of splitAtRepeats(page)) await keepBatch(keeping, batch);
}

/** So that what repeats an id, or a text without an id, finds the first one in the store. */
function splitAtRepeats(page: PreparedRecord[]): PreparedRecord[][] {
  const batches: PreparedRecord[][] = [];
  let seen = new Set<string>();
  for (const prepared of page) {
    const { id } = prepared.record;
    const repeats = id === undefined ? mayRepeat(prepared) && seen.has(prepared.contentHash) : seen.has(id);
    if (batches.length === 0 || repeats) {
      batches.push([]);
      seen = new Set();
    }
    batches.at(-1)?.push(prepared);
    seen.add(prepared.contentHash);
    if (id !== undefined) seen.add(id);
  }
  return batches;
}

async function keepBatch(keeping: Intake, batch: PreparedRecord[]): Promise<void> {
  const identities = await identifyRecords(keeping, batch);
  const unknown = batch.filter((_, index) => !identities[index]?.known);
  const sameTexts = await listSameTexts(keeping, unknown);
  const added = new Map<string, Newcomer>();
  const again: PreparedRecord[] = [];
  for (const [index, prepared] of batch.entries()) {
    const { id, known } = identities[index] as Identity;
    const twins = sameTexts.get(prepared.contentHash) ?? [];
    const same = indexOfSame(keeping, twins, prepared);
    const merged = keeping.mergedInto.get(prepared.record.id ?? "");
    if (known) await keepKnown(keeping, prepared, known);
    // An older state of what was merged a moment ago.
    else if (merged && !isNewer(prepared, merged.updatedAt)) keeping.report.unchanged += 1;
    else if (same >= 0) twins[same] = await mergeInto(keeping, twins[same] as KeyedMemory, prepared);
    // One may come by the id that another has been given here.
    else if (id !== undefined && added.has(id)) again.push(prepared);
    else {
      const one = newcomer(keeping, prepared, id ?? newId(keeping.now));
      added.set(one.record.id, one);
      if (merged) keeping.mergedInto.delete(prepared.record.id ?? "");
    }
  }
  if (added.size > 0) await add(keeping, [...added.values()]);
  if (again.length > 0) await keepBatch(keeping, again);
}

async function keepKnown(
  keeping: Intake,
  prepared: PreparedRecord,
  { key, updatedAt }: { key: number; updatedAt: string },
): Promise<void> {
  if (isNewer(prepared, updatedAt)) {
    await keeping.later.append({ key, ...linksOf(prepared), history: [], newer: prepared });
  } else {
    keeping.report.unchanged += 1;
  }
}

interface Newcomer extends AddedRecord {
  prepared: PreparedRecord;
}

function newcomer(keeping: Intake, prepared: PreparedRecord, id: string): Newcomer {
  const { contentHash, words } = prepared;
  const now = keeping.now.toISOString();
  const record = completeRecord(prepared, id, keeping.now);
  const key = keeping.nextKey;
  keeping.nextKey += 1;
  // Fading counts from when a memory arrived.
  const arrivedAt = record.storedAt < now ? now : null;
  return { key, record, contentHash, words, arrivedAt, prepared };
}

/** Times that it does not tell are now, and it expires as its type does. */
function completeRecord({ record }: PreparedRecord, id: string, now: Date): MemoryRecord {
  const time = now.toISOString();
  const { createdAt = time, storedAt = time } = record;
  const expiresAt = record.expiresAt ?? (isNew(record) ? defaultExpiry(record.type, record.scope, now) : null);
  const whole = Object.assign({ updatedAt: storedAt, validFrom: createdAt }, record, { id, createdAt, storedAt });
  if (expiresAt !== null) whole.expiresAt = expiresAt;
  return whole;
}

async function add(keeping: Intake, added: Newcomer[]): Promise<void> {
  await insertRecords(keeping.writer, keeping.project, added);
  await bindFreeNames(
    keeping,
    added.map(({ key, record, prepared: { origin } }) => ({ key, record, origin })),
  );
  await insertHistory(
    keeping,
    added.flatMap(({ key, prepared: { history } }) => history.map((change) => ({ key, ...change }))),
  );
  for (const { key, prepared } of added) {
    const history = prepared.history.filter(({ fields }) => "supersededBy" in fields || "relations" in fields);
    const later: DeferredRecord = { key, ...linksOf(prepared), history };
    if (later.relations.length > 0 || leadsTo(later).length > 0) await keeping.later.append(later);
  }
  keeping.report.added += added.length;
}

function linksOf({
  record: { relations, supersededBy },
}: PreparedRecord): Pick<DeferredRecord, "relations" | "supersededBy"> {
  return { relations, ...(supersededBy !== undefined && { supersededBy }) };
}
