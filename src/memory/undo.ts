import { shortId } from "../base/ids.js";
import { MemoryError } from "../base/memory-error.js";
import type { Reader } from "../storage/storage.js";
import { findMemoryOrForgotten, notFound, refuseForgotten } from "./get-memory.js";
import { noteChanges, toldOf, type FieldChanges } from "./history.js";
import { listByKeys, type KeyedMemory } from "./memory-queries.js";
import type { Memory, Relation } from "./memory.js";
import { changeMemory, type ProjectStore } from "./project-store.js";
import type { Project } from "./projects.js";
import { refuseAfterGrace } from "./restore.js";
import { asList, bringsBack, takeBack, type Part } from "./take-back.js";

export interface UndoOptions {
  /** Which change; the last one when absent. */
  number?: number;
  /** Also where a later change built on it: the fields go back to what they were before this one. */
  force?: boolean;
}

/**
 * Takes back one change of a memory, for every memory that the same operation changed; later changes of other fields
 * stay. Itself a change, so that undoing twice is redoing. Refused where a later change built on it.
 */
export async function undo(from: ProjectStore, reference: string, options: UndoOptions = {}): Promise<Memory> {
  return changeMemory(from, reference, async (writer, project) => {
    const now = from.now();
    const found = await findMemoryOrForgotten(writer, project, reference, now);
    if (!found) throw notFound(reference, project);
    const parts = await listParts(writer, project, found, options.number, now);
    refuseToForgetAgain(parts);
    for (const part of parts) {
      await refuseWhatIsGone(writer, part, now);
      if (!options.force) refuseWhatWasBuiltOn(part);
    }

    const keys = parts.map(({ key }) => key);
    await noteChanges(writer, project, { verb: "undone", keys, now }, () => takeBack(writer, project, parts, now));
    const [undone] = await listByKeys(writer, project, [found.key], now);
    return (undone as KeyedMemory).memory;
  });
}

async function listParts(
  reader: Reader,
  project: Project,
  memory: KeyedMemory,
  number: number | undefined,
  now: Date,
): Promise<Part[]> {
  const rows = await reader.rows(
    `SELECT c.memory_key, c.number, c.verb, c.fields
     FROM memory_changes AS this JOIN memory_changes AS c ON c.operation = this.operation
     WHERE this.memory_key = :key
       AND this.number = ifnull(:number, (SELECT max(number) FROM memory_changes WHERE memory_key = :key))`,
    { key: memory.key, number: number ?? null },
  );
  if (rows.length === 0 && (number ?? 1) === 1) return [{ ...memory, number: 1, isBirth: true, fields: {} }];
  if (rows.length === 0) {
    throw new MemoryError(
      "invalid-input",
      `${shortId(memory.memory.id)} has no change ${number}.`,
      `tacit history ${shortId(memory.memory.id)} lists its changes.`,
    );
  }
  const keys = rows.map((row) => Number(row["memory_key"]));
  const known = new Map((await listByKeys(reader, project, keys, now)).map((one) => [one.key, one]));
  return rows.flatMap((row) => {
    const keyed = known.get(Number(row["memory_key"]));
    const fields = JSON.parse(String(row["fields"])) as FieldChanges;
    return keyed ? [{ ...keyed, number: Number(row["number"]), isBirth: row["verb"] === "remembered", fields }] : [];
  });
}

/** One that gave way to others is another matter: there is something to take back about those. */
function refuseToForgetAgain([first, ...others]: Part[]): void {
  if (!first?.isBirth || first.memory.status !== "forgotten" || others.length > 0) return;
  const id = shortId(first.memory.id);
  throw new MemoryError("undo-refused", `${id} is forgotten already.`, `tacit restore ${id} brings it back.`);
}

/** What is forgotten is brought back or left alone, and nothing can lead to what was purged. */
async function refuseWhatIsGone(reader: Reader, part: Part, now: Date): Promise<void> {
  if (part.isBirth) return;
  const id = shortId(part.memory.id);
  if (bringsBack(part)) await refuseAfterGrace(reader, part, id, now);
  else refuseForgotten(part.memory, id);
  const { supersededBy, relations } = part.fields;
  const targets = [supersededBy?.[0], ...asList<Relation>(relations?.[0]).map(({ memory }) => memory)];
  const [gone] = await reader.rows(
    "SELECT value AS id FROM json_each(:targets) WHERE value IS NOT NULL AND value NOT IN (SELECT id FROM memories)",
    { targets: JSON.stringify(targets) },
  );
  if (!gone) return;
  throw new MemoryError(
    "undo-refused",
    `Before change ${part.number}, ${id} led to ${shortId(String(gone["id"]))}, which was purged.`,
    `tacit history ${id} lists its other changes.`,
  );
}

function refuseWhatWasBuiltOn({ memory, record, number, fields }: Part): void {
  const id = shortId(memory.id);
  const now = toldOf(record);
  const changed = Object.entries(fields).find(([field, [, after]]) =>
    // When it was forgotten does not matter; that it is does.
    field === "forgottenAt"
      ? (now[field] === undefined) !== (after === null)
      : JSON.stringify(now[field] ?? null) !== JSON.stringify(after),
  );
  if (!changed) return;
  throw new MemoryError(
    "undo-refused",
    `${changed[0]} of ${id} was changed again after change ${number}.`,
    `Undo the later change first (tacit history ${id}), or set it back all the same: tacit undo ${id} ${number} --force`,
  );
}
