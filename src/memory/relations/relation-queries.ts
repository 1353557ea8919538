import { MemoryError } from "../../base/memory-error.js";
import type { Writer } from "../../storage/storage.js";
import type { Relation } from "../memory.js";
import type { Project } from "../../project/project.js";

/** Relates a memory to another of the same project, or to a file. Saying it again updates the confidence. */
export async function insertRelation(writer: Writer, project: Project, key: number, relation: Relation): Promise<void> {
  const added = await writer.run(
    `INSERT INTO memory_relations (memory_key, kind, target_memory, target_file, confidence, automatic)
     SELECT :key, :kind, :memory, :file, :confidence, :automatic
     WHERE :memory IS NULL OR EXISTS (SELECT 1 FROM memories WHERE id = :memory AND project_number = :project)
     ON CONFLICT DO UPDATE SET confidence = excluded.confidence, automatic = min(automatic, excluded.automatic)`,
    {
      key,
      kind: relation.kind,
      memory: relation.memory ?? null,
      file: relation.file ?? null,
      confidence: relation.confidence,
      automatic: relation.automatic ? 1n : 0n,
      project: project.number,
    },
  );
  if (added === 0) {
    throw new MemoryError(
      "memory-not-found",
      `There is no memory ${String(relation.memory)} in this project to relate to.`,
      "Relations name the other memory by its full id.",
    );
  }
}

/** Takes a relation away, and tells whether there was one. */
export async function deleteRelation(writer: Writer, key: number, { kind, memory, file }: Relation): Promise<boolean> {
  const removed = await writer.run(
    `DELETE FROM memory_relations
     WHERE memory_key = :key AND kind = :kind AND target_memory IS :memory AND target_file IS :file`,
    { key, kind, memory: memory ?? null, file: file ?? null },
  );
  return removed > 0;
}
