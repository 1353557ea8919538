import { newId } from "../base/ids.js";
import { bindFreeNames } from "./contested-names.js";
import { identifyRecords, type Identity } from "./identify-records.js";
import { insertRecords, type AddedRecord } from "./insert-records.js";
import type { KeptLater } from "./keep-later.js";
import type { Keeping } from "./keeping.js";
import type { KeyedMemory } from "./memory-queries.js";
import type { MemoryRecord } from "./memory-record.js";
import { defaultExpiry } from "./prepare-memory.js";
import { isNew, isNewer, type PreparedRecord } from "./prepare-record.js";
import { listSameTexts, mayRepeat, mergeInto, saysTheSame } from "./same-texts.js";

/** Keeps a page of records: what is new gets a row, what is known by its text is merged, what is newer waits. */
export async function keepPage(keeping: Keeping, page: PreparedRecord[]): Promise<void> {
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

async function keepBatch(keeping: Keeping, batch: PreparedRecord[]): Promise<void> {
  const identities = await identifyRecords(keeping, batch);
  const unknown = batch.filter((_, index) => !identities[index]?.known);
  const sameTexts = await listSameTexts(keeping, unknown);
  const added: Newcomer[] = [];
  for (const [index, prepared] of batch.entries()) {
    const { id, known } = identities[index] as Identity;
    const twins = sameTexts.get(prepared.contentHash) ?? [];
    const same = twins.findIndex((twin) => saysTheSame(keeping, twin, prepared));
    if (known) await keepKnown(keeping, prepared, known);
    else if (same >= 0) twins[same] = await mergeInto(keeping, twins[same] as KeyedMemory, prepared);
    else added.push(newcomer(keeping, prepared, id ?? newId(keeping.now)));
  }
  if (added.length > 0) await add(keeping, added);
}

async function keepKnown(
  keeping: Keeping,
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

function newcomer(keeping: Keeping, prepared: PreparedRecord, id: string): Newcomer {
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

async function add(keeping: Keeping, added: Newcomer[]): Promise<void> {
  await insertRecords(keeping.writer, keeping.project, added);
  await bindFreeNames(
    keeping,
    added.map(({ key, record, prepared: { origin } }) => ({ key, record, origin })),
  );
  for (const { key, prepared } of added) {
    const { relations, supersededBy } = prepared.record;
    const { history } = prepared;
    if (relations.length > 0 || supersededBy !== undefined || history.length > 0) {
      await keeping.later.append({ key, ...linksOf(prepared), history });
    }
  }
  keeping.report.added += added.length;
}

function linksOf({
  record: { relations, supersededBy },
}: PreparedRecord): Pick<KeptLater, "relations" | "supersededBy"> {
  return { relations, ...(supersededBy !== undefined && { supersededBy }) };
}
