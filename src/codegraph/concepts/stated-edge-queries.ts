import type { ConceptKind } from "../../base/ids/ids.js";
import type { Reader, Writer } from "../../storage/storage.js";
import type { ConceptEdgeKind } from "../codegraph.js";

/** A pattern applies to code, a decision documents it. */
export const edgeOf: Record<ConceptKind, ConceptEdgeKind> = { pattern: "applies_pattern", decision: "documents" };

/** That a pattern or a decision leads to a place, as somebody stated it. */
export interface StatedEdge {
  from: string;
  kind: ConceptEdgeKind;
  to: string;
  confidence: number;
}

/** Keeps what a person states. Stating it again changes the confidence. */
export async function stateEdges(
  writer: Writer,
  project: number,
  edges: readonly StatedEdge[],
  now: Date,
): Promise<void> {
  await writer.run(
    `INSERT INTO code_meanings (project_number, from_id, kind, to_id, source, confidence, made_at)
     SELECT :project, value ->> 'from', value ->> 'kind', value ->> 'to', 'person', value ->> 'confidence', :now
     FROM json_each(:edges) WHERE true
     ON CONFLICT DO UPDATE SET source = 'person', confidence = excluded.confidence, made_at = excluded.made_at`,
    { project, edges: JSON.stringify(edges), now: now.toISOString() },
  );
}

/** Takes back what was stated of a pattern or a decision: all of it, or these places. Tells how many there were. */
export async function unstateEdges(
  writer: Writer,
  project: number,
  from: string,
  places?: readonly string[],
): Promise<number> {
  return writer.run(
    `DELETE FROM code_meanings WHERE project_number = :project AND from_id = :from
       AND (:places IS NULL OR to_id IN (SELECT value FROM json_each(:places)))`,
    { project, from, places: places ? JSON.stringify(places) : null },
  );
}

/** Everything that is stated of patterns and decisions, in the order of their names. */
export async function listStated(reader: Reader, project: number): Promise<StatedEdge[]> {
  const rows = await reader.rows(
    `SELECT from_id, kind, to_id, confidence FROM code_meanings
     WHERE project_number = :project AND kind IN ('applies_pattern', 'documents')
     ORDER BY from_id, to_id`,
    { project },
  );
  return rows.map((row) => ({
    from: String(row["from_id"]),
    kind: String(row["kind"]) as ConceptEdgeKind,
    to: String(row["to_id"]),
    confidence: Number(row["confidence"]),
  }));
}
