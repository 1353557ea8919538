import type { Json } from "../../base/base.js";
import { shortId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Reader } from "../../storage/storage.js";
import { findMemoryOrForgotten, notFoundHere } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import type { FieldChanges } from "../history/stored-changes.js";
import { elements } from "../history/field-change.js";
import { listByKeys, type KeyedMemory } from "../read/memory-queries.js";
import type { Memory, Relation } from "../memory.js";
import { changeMemory } from "../write/change-memory.js";
import type { Project } from "../../project/project.js";
import type { MemoryContext } from "../change/memory-context.js";
import { refuseAgent } from "../change/refuse-agent.js";
import { revertChange, type ChangePart } from "./revert-change.js";
import {
  refuseToForgetAgain,
  refuseWhatIsForgotten,
  refuseWhatWasBuiltOn,
  refuseWithinChain,
} from "./undo-refusals.js";

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
export async function undo(context: MemoryContext, reference: string, options?: UndoOptions | null): Promise<Memory> {
  const { number, force = false } = options ?? {};
  checkNumber(number);
  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const found = await findMemoryOrForgotten(writer, project, reference, now);
    if (!found) throw await notFoundHere(writer, project, reference, now);
    const noted = await listParts(writer, project, found, number, now);
    refuseToForgetAgain(noted);
    const purged = await listPurged(writer, project, noted);
    const parts = noted.map((part) => withoutPurged(part, purged));
    if (!force) refuseWithinChain(parts);
    for (const part of parts) {
      await refuseWhatIsForgotten(writer, part, now);
      if (!force) refuseWhatWasBuiltOn(part);
    }

    const keys = parts.map(({ key }) => key);
    await noteChanges(writer, project, { verb: "undone", keys, now }, () => revertChange(writer, project, parts, now));
    const back = await listByKeys(writer, project, keys, now);
    if (back.some((one) => isVouchedAgain(one, parts))) refuseAgent(context, `tacit undo ${reference}`);
    const [undone] = await listByKeys(writer, project, [found.key], now);
    return (undone as KeyedMemory).memory;
  });
}

/** Whether undoing brings back that somebody vouched for a memory, which is not for an agent to do. */
function isVouchedAgain({ key, record }: KeyedMemory, parts: readonly ChangePart[]): boolean {
  const before = parts.find((part) => part.key === key)?.record;
  return (record.userVerified && !before?.userVerified) || (record.pinned && !before?.pinned);
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
): Promise<ChangePart[]> {
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

/** The fields that lead to other memories. */
const leading = ["supersededBy", "relations"] as const;

/** Of the memories that a change led to or away from, those that are no longer there. */
async function listPurged(reader: Reader, project: Project, parts: ChangePart[]): Promise<Set<string>> {
  const targets = parts.flatMap(({ fields }) => leading.flatMap((field) => (fields[field] ?? []).flatMap(targetsOf)));
  if (targets.length === 0) return new Set();
  const rows = await reader.rows(
    `SELECT value AS id FROM json_each(:targets)
     WHERE value NOT IN (SELECT id FROM memories WHERE project_number = :project)`,
    { targets: JSON.stringify(targets), project: project.number },
  );
  return new Set(rows.map((row) => String(row["id"])));
}

function targetsOf(value: Json): string[] {
  if (typeof value === "string") return [value];
  return elements<Relation>(value).flatMap(({ memory }) => memory ?? []);
}

/** What was purged took along what led to it, and nobody changed that. But nothing can be led to it again. */
function withoutPurged(part: ChangePart, purged: Set<string>): ChangePart {
  const fields = { ...part.fields };
  for (const field of leading) {
    const change = fields[field];
    if (!change) continue;
    const [before, after] = change.map(targetsOf) as [string[], string[]];
    const gone = before.find((id) => purged.has(id) && !after.includes(id));
    if (gone !== undefined) throw ledToPurged(part, gone);
    fields[field] = change.map((value) => leftOf(value, purged)) as [Json, Json];
  }
  return { ...part, fields };
}

function ledToPurged({ memory, number }: ChangePart, gone: string): MemoryError {
  const id = shortId(memory.id);
  return new MemoryError(
    "undo-refused",
    `Before change ${number}, ${id} led to ${shortId(gone)}, which was purged.`,
    `tacit history ${id} lists its other changes.`,
  );
}

function leftOf(value: Json, purged: Set<string>): Json {
  if (!Array.isArray(value)) return typeof value === "string" && purged.has(value) ? null : value;
  return value.filter((relation) => !targetsOf([relation]).some((id) => purged.has(id)));
}
