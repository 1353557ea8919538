import type { Json } from "../base/base.js";
import { shortId } from "../base/ids.js";
import { MemoryError } from "../base/memory-error.js";
import type { Reader, Writer } from "../storage/storage.js";
import { findMemoryOrForgotten, notFound } from "./get-memory.js";
import { noteChanges, toldOf, type FieldChanges } from "./history.js";
import { listByKeys, type KeyedMemory } from "./memory-queries.js";
import type { Memory } from "./memory.js";
import { forgetRow } from "./forget.js";
import { bindName } from "./names.js";
import { changeMemory, type ProjectStore } from "./project-store.js";
import type { Project } from "./projects.js";
import { relate, unrelate } from "./relations.js";
import { writeFields } from "./write-fields.js";

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
    if (!options.force) for (const part of parts) refuseWhatWasBuiltOn(part);

    const keys = parts.map(({ key }) => key);
    await noteChanges(writer, project, { verb: "undone", keys, now }, () => takeBack(writer, project, parts, now));
    const [undone] = await listByKeys(writer, project, [found.key], now);
    return (undone as KeyedMemory).memory;
  });
}

/** What one operation changed about one memory. */
interface Part extends KeyedMemory {
  number: number;
  /** True when the operation brought the memory into being. */
  isBirth: boolean;
  fields: FieldChanges;
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
  const known = new Map(
    (
      await listByKeys(
        reader,
        project,
        rows.map((row) => Number(row["memory_key"])),
        now,
      )
    ).map((one) => [one.key, one]),
  );
  return rows.flatMap((row) => {
    const keyed = known.get(Number(row["memory_key"]));
    const fields = JSON.parse(String(row["fields"])) as FieldChanges;
    return keyed ? [{ ...keyed, number: Number(row["number"]), isBirth: row["verb"] === "remembered", fields }] : [];
  });
}

function refuseWhatWasBuiltOn({ memory, record, number, isBirth, fields }: Part): void {
  const id = shortId(memory.id);
  if (isBirth && memory.status === "forgotten") {
    throw new MemoryError("undo-refused", `${id} is forgotten already.`, `tacit restore ${id} brings it back.`);
  }
  const now = toldOf(record);
  const changed = Object.entries(fields).find(
    ([field, [, after]]) => JSON.stringify(now[field] ?? null) !== JSON.stringify(after),
  );
  if (!changed) return;
  throw new MemoryError(
    "undo-refused",
    `${changed[0]} of ${id} was changed again after change ${number}.`,
    `Undo the later change first (tacit history ${id}), or set it back all the same: tacit undo ${id} ${number} --force`,
  );
}

/** First what lets go of names, then what takes them. */
async function takeBack(writer: Writer, project: Project, parts: Part[], now: Date): Promise<void> {
  for (const { key } of parts.filter(({ isBirth }) => isBirth)) await forgetRow(writer, key, now);
  const others = parts.filter(({ isBirth }) => !isBirth);
  for (const { key, fields } of others) {
    if (!("name" in fields || "aliases" in fields)) continue;
    for (const name of namesIn(fields, 1)) {
      await writer.run("DELETE FROM memory_names WHERE memory_key = :key AND name = :name", { key, name });
    }
  }
  for (const { key, fields } of others) {
    const [name] = fields["name"] ?? [null];
    if (typeof name === "string") await bindName(writer, project, key, name, "name");
    for (const alias of asList<string>(fields["aliases"]?.[0])) await bindName(writer, project, key, alias, "alias");
    const [before, after] = fields["relations"] ?? [null, null];
    for (const relation of asList<KeyedMemory["memory"]["relations"][number]>(after)) {
      await unrelate(writer, key, relation);
    }
    for (const relation of asList<KeyedMemory["memory"]["relations"][number]>(before)) {
      await relate(writer, project, key, relation);
    }
    const values = Object.fromEntries(Object.entries(fields).map(([field, [value]]) => [field, value ?? undefined]));
    await writeFields(writer, project, key, values, now);
  }
}

/** The names that a change gave, or took away. */
function namesIn(fields: FieldChanges, side: 0 | 1): string[] {
  const name = fields["name"]?.[side];
  return [...(typeof name === "string" ? [name] : []), ...asList<string>(fields["aliases"]?.[side])];
}

function asList<T>(value: Json | undefined): T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}
