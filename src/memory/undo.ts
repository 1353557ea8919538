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
  /** Also where a later change built on it: what this one changed goes back to what it was before. */
  force?: boolean;
}

/**
 * Takes back one change of a memory, for every memory that the same operation changed; later changes of other fields,
 * and of other elements of a list, stay. Itself a change, so that undoing twice is redoing. Refused where a later change
 * built on it.
 */
export async function undo(from: ProjectStore, reference: string, options: UndoOptions = {}): Promise<Memory> {
  checkNumber(options.number);
  return changeMemory(from, reference, async (writer, project) => {
    const now = from.now();
    const found = await findMemoryOrForgotten(writer, project, reference, now);
    if (!found) throw await notFoundHere(writer, project, reference, now);
    const noted = await listParts(writer, project, found, options.number, now);
    refuseToForgetAgain(noted);
    const purged = await listPurged(writer, project, noted);
    const parts = noted.map((part) => withoutPurged(part, purged));
    if (!options.force) refuseWithinChain(parts);
    for (const [index, part] of parts.entries()) {
      await refuseWhatIsForgotten(writer, part, now);
      refuseToLeadTo(purged, noted[index] as Part);
      if (!options.force) refuseWhatWasBuiltOn(part);
    }

    const keys = parts.map(({ key }) => key);
    await noteChanges(writer, project, { verb: "undone", keys, now }, () => takeBack(writer, project, parts, now));
    const [undone] = await listByKeys(writer, project, [found.key], now);
    return (undone as KeyedMemory).memory;
  });
}

function checkNumber(number: unknown): void {
  if (number === undefined || (Number.isSafeInteger(number) && Number(number) >= 1)) return;
  throw new MemoryError(
    "invalid-input",
    "The number of a change is a whole number from 1.",
    "tacit history REF lists the changes of a memory.",
  );
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

/** Of the memories that the change speaks of, those that are no longer there. */
async function listPurged(reader: Reader, project: Project, parts: Part[]): Promise<Set<string>> {
  const ids = parts.flatMap(({ fields }) =>
    (["supersededBy", "relations"] as const).flatMap((field) => (fields[field] ?? []).flatMap(leadsTo)),
  );
  const rows = await reader.rows(
    `SELECT value AS id FROM json_each(:ids)
     WHERE value NOT IN (SELECT id FROM memories WHERE project_number = :project)`,
    { ids: JSON.stringify(ids), project: project.number },
  );
  return new Set(rows.map((row) => String(row["id"])));
}

/** The memories that a value of `supersededBy` or `relations` names. */
function leadsTo(value: Json): string[] {
  if (typeof value === "string") return [value];
  return elements<Relation>(value).flatMap(({ memory }) => memory ?? []);
}

/** What was purged took what led to it along, which is no later change. */
function withoutPurged(part: Part, purged: Set<string>): Part {
  const isThere = (value: Json | Relation) => !leadsTo([value] as Json).some((id) => purged.has(id));
XXX