import { conceptId, parseConceptId, type ConceptKind } from "../../base/ids/ids.js";
import type { Reader, Row } from "../../storage/storage.js";
import { filterConditions, keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";

/** A memory in force that hangs on patterns or decisions, and the code that it names. */
export interface ConceptMember {
  key: number;
  id: string;
  type: string;
  /** Ids, such as `pattern:retry`. */
  concepts: string[];
  /** Files and symbols with how sure it is that they are meant. Of a file whose symbols are named, those only. */
  places: { node: string; confidence: number }[];
  isNamed: boolean;
  /** Whether a person has taught or verified it. */
  isOfPerson: boolean;
  isUnverified: boolean;
}

/**
 * The memories in force that hang on a pattern or a decision: those of these types by their names, any other that names
 * `pattern:retry` as a node, a file or a relation, and what took the place of one of them. What waits, came from outside
 * or is flagged says nothing. The oldest first.
 */
export async function listConceptMembers(reader: Reader, project: Project, now: Date): Promise<ConceptMember[]> {
  const { conditions, args } = filterConditions({ includeTainted: false }, project, now);
  const rows = await reader.rows(
    // The semicolon comes right after the colon.
    `WITH RECURSIVE ranges (first, beyond) AS (VALUES ('decision:', 'decision;'), ('pattern:', 'pattern;')),
     facets (kind) AS (VALUES ('file'), ('node')),
     hung (key, node) AS (
       SELECT f.memory_key, f.value FROM ranges AS a CROSS JOIN facets AS k CROSS JOIN memory_facets AS f
         ON f.project_number = :project AND f.kind = k.kind AND f.value >= a.first AND f.value < a.beyond
       UNION
       SELECT r.memory_key, r.target_file FROM ranges AS a CROSS JOIN memory_relations AS r
         ON r.target_file >= a.first AND r.target_file < a.beyond
       WHERE +r.memory_key BETWEEN :first AND :last
       UNION
       SELECT n.memory_key, m.type || ':' || n.name
       FROM memory_names AS n CROSS JOIN memories AS m ON m.key = n.memory_key
       WHERE n.project_number = :project AND m.type IN ('pattern', 'decision')
       UNION
       SELECT next.key, h.node FROM hung AS h CROSS JOIN memories AS old ON old.key = h.key
       CROSS JOIN memories AS next ON next.id = old.superseded_by)
     SELECT m.key, m.id, m.type, m.source, m.confidence, m.user_verified, m.trust_flags, m.related_files, m.graph_nodes,
       json_group_array(h.node) AS nodes, EXISTS (SELECT 1 FROM memory_names WHERE memory_key = m.key) AS is_named,
       (SELECT json_group_array(json_array(r.target_file, r.confidence, r.automatic)) FROM memory_relations AS r
        WHERE r.memory_key = m.key AND r.kind IN ('documents', 'applies_pattern')) AS links
     FROM hung AS h CROSS JOIN memories AS m ON m.key = h.key
     WHERE ${conditions.join(" AND ")}
     GROUP BY m.key ORDER BY m.key`,
    { ...args, ...keyRange(project), project: BigInt(project.number) },
  );
  return rows.map(toMember).filter(({ concepts }) => concepts.length > 0);
}

function toMember(row: Row): ConceptMember {
  const list = <T>(column: string) => JSON.parse(String(row[column])) as T[];
  const isVerified = row["user_verified"] === 1;
  const sureness = Number(row["confidence"]);
  const filed = [...list<string>("related_files"), ...list<string>("graph_nodes")];
  // What somebody stated of a place has a confidence of its own.
  const links = list<[node: string, confidence: number, automatic: number]>("links").map(
    ([node, confidence, automatic]): [string, number] => [node, automatic === 1 ? confidence * sureness : confidence],
  );
  return {
    key: Number(row["key"]),
    id: String(row["id"]),
    type: String(row["type"]),
    concepts: [...new Set(list<string>("nodes").flatMap((node) => conceptOf(node) ?? []))],
    places: placesOf([...filed.map((node): [string, number] => [node, sureness]), ...links]),
    isNamed: row["is_named"] === 1,
    isOfPerson: isVerified || row["source"] === "user_taught",
    isUnverified: !isVerified && list<string>("trust_flags").includes("unverified"),
  };
}

function conceptOf(node: string): string | undefined {
  const mark = node.indexOf(":");
  return conceptId(node.slice(0, mark) as ConceptKind, node.slice(mark + 1));
}

function placesOf(named: readonly [node: string, confidence: number][]): ConceptMember["places"] {
  const surest = new Map<string, number>();
  for (const [node, confidence] of named) {
    if (!parseConceptId(node)) surest.set(node, Math.max(surest.get(node) ?? 0, confidence));
  }
  const holdsNamed = (file: string) => [...surest.keys()].some((node) => node.startsWith(`${file}#`));
  return [...surest]
    .filter(([node]) => !holdsNamed(node))
    .map(([node, confidence]) => ({ node, confidence: Number(confidence.toFixed(4)) }));
}
