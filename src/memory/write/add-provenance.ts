import type { Writer } from "../../storage/storage.js";

/** Notes that a further session said what these memories say. That is no change of theirs, and proves nothing by itself. */
export async function addProvenance(writer: Writer, ids: readonly string[], sessionId: string): Promise<void> {
  await writer.run(
    `UPDATE memories SET provenance = json_insert(provenance, '$[#]', :session)
     WHERE id IN (SELECT value FROM json_each(:ids))
       AND NOT EXISTS (SELECT 1 FROM json_each(provenance) WHERE value = :session)`,
    { ids: JSON.stringify(ids), session: sessionId },
  );
}
