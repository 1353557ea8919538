import type { Json } from "../../base/base.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { reindexMemory } from "../indexes/derived-indexes.js";
import { listByKeys, type KeyedMemory } from "../read/memory-queries.js";
import { columnsOf } from "../record/record-columns.js";
import type { MemoryRecord } from "../memory.js";
import type { Project } from "../../project/project.js";
import { hashOf } from "../record/hash-of.js";
import { linkSimilar, listSimilar, unlinkSimilar } from "../relations/similar.js";

/** Fields of a record with their new values; undefined takes one away. */
export type FieldValues = Partial<Record<keyof MemoryRecord, Json | undefined>>;

/**
 * Writes fields of a memory, and brings what is derived from them in step: its words, its facets and, where the text is
 * another, its similar memories. A new text is a correction, and what use had proved counts no more. Names and
 * relations are bound by their own functions, before.
 */
export async function writeFields(
  writer: MemoryWriter,
  project: Project,
  key: number,
  fields: FieldValues,
  now: Date,
): Promise<KeyedMemory> {
  const { content } = fields;
  const columns = {
    ...columnsOf(fields),
    ...(typeof content === "string" && { content_hash: hashOf(content), uses_since_correction: 0n }),
    updated_at: now.toISOString(),
  };
  await writer.run(
    `UPDATE memories SET ${Object.keys(columns)
      .map((column) => `${column} = :${column}`)
      .join(", ")} WHERE key = :key`,
    { ...columns, key },
  );
  const changed = await get(writer, project, key, now);
  await reindexMemory(writer, key, project.number, { ...changed.record, name: changed.record.name ?? null });
  if (content === undefined) return changed;
  await unlinkSimilar(writer, { key, id: changed.record.id });
  await linkSimilar(writer, project, key, await listSimilar(writer, project, { key, ...changed.record }));
  return get(writer, project, key, now);
}

async function get(writer: MemoryWriter, project: Project, key: number, now: Date): Promise<KeyedMemory> {
  const [keyed] = await listByKeys(writer, project, [key], now);
  return keyed as KeyedMemory;
}
