import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import type { FieldCleaner } from "../../memory/prepare/prepare.js";
import type { FieldChanges, StoredChange } from "../../memory/history/history.js";
import { historyFields } from "./history-fields.js";

/**
 * Checks and cleans a history that arrives: undoing one of its changes writes what it tells, so that has to be what the
 * memory itself could hold.
 */
export async function cleanHistory(cleaner: FieldCleaner, history: StoredChange[]): Promise<StoredChange[]> {
  const numbers = new Set(history.map(({ number }) => number));
  if (numbers.size < history.length) {
    throw new MemoryError("invalid-input", "its history has two changes of one number.", "Number its changes anew.");
  }
  const cleaned: StoredChange[] = [];
  for (const change of history) {
    if (change.number < 1) throw misfit("its history has a change of number 0; the first is 1.");
    cleaned.push({ ...change, fields: await cleanChanges(cleaner, change) });
  }
  return cleaned;
}

async function cleanChanges(cleaner: FieldCleaner, { number, fields }: StoredChange): Promise<FieldChanges> {
  const cleaned: FieldChanges = {};
  for (const [field, [before, after]] of Object.entries(fields)) {
    if (!isTold(field)) throw misfit(`change ${number} of its history tells of a field that no change can have.`);
    cleaned[field] = [
      await cleanValue(cleaner, { number, field, value: before }),
      await cleanValue(cleaner, { number, field, value: after }),
    ];
  }
  return cleaned;
}

async function cleanValue(
  cleaner: FieldCleaner,
  { number, field, value }: { number: number; field: keyof typeof historyFields; value: Json },
): Promise<Json> {
  const told = historyFields[field];
  if (value === null && !told.always) return null;
  if (!told.fits(value)) throw misfit(`in change ${number} of its history, ${field} must be ${told.expected}.`);
  return (await told.clean(cleaner, value, field)) as Json;
}

function isTold(field: string): field is keyof typeof historyFields {
  return Object.hasOwn(historyFields, field);
}

function misfit(what: string): MemoryError {
  return new MemoryError("invalid-input", what, "Leave history out, or take it as `tacit export` wrote it.");
}
