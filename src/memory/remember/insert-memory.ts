import { newId } from "../../base/ids/ids.js";
import type { Writer } from "../../storage/storage.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { indexMemory } from "../indexes/derived-indexes.js";
import { keyRange, type KeyedMemory } from "../read/memory-queries.js";
import { columnsOf } from "../record/record-columns.js";
import type { MemoryRecord } from "../memory.js";
import { bindName, type BindOptions } from "../write/names.js";
import type { PreparedMemory } from "../prepare/prepare-memory.js";
import type { Project } from "../../project/project.js";
import { insertRelation } from "../relations/relation-queries.js";
import { linkSimilar, listSimilar } from "../relations/similar.js";
import { toMemory } from "../record/to-memory.js";

/** A memory as it stands in the store after it was remembered. */
export interface StoredMemory extends KeyedMemory {
  merged: boolean;
  takenFrom?: string[];
  contradicted?: { id: string; why: string }[];
}

/** Stores a memory that is new, under a given id where it has one already. */
export async function insertMemory(
  writer: MemoryWriter,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions & { id?: string } = {},
): Promise<StoredMemory> {
  // Before the index has changes of its own to look through.
  const similar = await listSimilar(writer, project, memory);
  const record = { ...newRecord(memory, now), ...(options.id !== undefined && { id: options.id }) };
  const key = await insert(writer, project, record, memory.contentHash);
  writer.changes.created(project, key, record);
  await indexMemory(writer, key, project.number, memory);
  if (memory.name !== null) await bindName(writer, project, key, memory.name, "name", options);
  for (const alias of memory.aliases) await bindName(writer, project, key, alias, "alias", options);
  for (const relation of memory.relations) await insertRelation(writer, project, key, relation);
  const links = await linkSimilar(writer, project, key, similar);
  const whole = { ...record, relations: [...memory.relations, ...links] };
  return { key, merged: false, record: whole, memory: toMemory(whole, {}, project, now) };
}

/** What is stored of a memory that is new. */
export function newRecord(memory: PreparedMemory, now: Date): MemoryRecord {
  const time = now.toISOString();
  const given = {
    name: memory.name,
    data: memory.data,
    sessionId: memory.sessionId,
    agent: memory.agent,
    commit: memory.commit,
    branch: memory.branch,
    halfLifeDays: memory.halfLifeDays,
    expiresAt: memory.expiresAt,
    workUnit: memory.workUnit,
    methodology: memory.methodology,
    chunk: memory.chunk,
  };
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Partial<MemoryRecord>),
    id: newId(now),
    type: memory.type,
    content: memory.content,
    aliases: memory.aliases.filter((alias) => alias !== memory.name).toSorted(),
    metadata: memory.metadata,
    tags: memory.tags,
    relatedFiles: memory.relatedFiles,
    relatedModules: memory.relatedModules,
    confidence: memory.confidence,
    scope: memory.scope,
    visibility: memory.visibility,
    source: memory.source,
    provenanceSessionIds: memory.provenanceSessionIds ?? (memory.sessionId === null ? [] : [memory.sessionId]),
    graphNodes: memory.graphNodes,
    relations: memory.relations,
    validFrom: memory.createdAt,
    review: memory.review,
    trustFlags: memory.trustFlags,
    userVerified: false,
    pinned: memory.pinned,
    citationText: memory.citationText,
    accessCount: 0,
    usesSinceCorrection: 0,
    createdAt: memory.createdAt,
    storedAt: time,
    updatedAt: time,
  };
}

/** Writes the row, under the next key of the project, and tells the key. */
async function insert(writer: Writer, project: Project, record: MemoryRecord, contentHash: string): Promise<number> {
  const row = columnsOf(record);
  const columns = Object.keys(row);
  const [written] = await writer.rows(
    `INSERT INTO memories (key, project_number, content_hash, ${columns.join(", ")})
     SELECT ifnull(max(key), :first) + 1, :project, :hash, ${columns.map((column) => `:${column}`).join(", ")}
     FROM memories WHERE key BETWEEN :first AND :last
     RETURNING key`,
    { ...row, ...keyRange(project), project: project.number, hash: contentHash },
  );
  return Number(written?.["key"]);
}
