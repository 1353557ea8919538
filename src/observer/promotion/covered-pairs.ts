import { readProject } from "../../memory/project-store.js";
import type { SignalName } from "../signals/signal.js";
import type { Candidate } from "./compose.js";
import type { PromotionPorts } from "./promotion.js";

// These tell of the same two files and say more: in which order they are changed, that one leads to the other or away.
const tellMore: readonly SignalName[] = [
  "config-touch",
  "file-access",
  "import-chase",
  "read-abandon",
  "tool-sequence",
];

/** Which candidates are pairs of files of which another one, or a memory that there is, tells more. */
export async function listCovered(
  { from }: PromotionPorts,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<Candidate>> {
  const pairs = candidates.filter(({ signal }) => signal === "co-access");
  if (pairs.length === 0) return new Set();
  const others = candidates
    .filter(({ signal }) => tellMore.includes(signal))
    .map((other) => new Set(other.relatedFiles));
  const told = await readProject(from, new Set<string>(), async (reader, project) => {
    const rows = await reader.rows(
      `SELECT DISTINCT p.value ->> 'subject' AS subject FROM json_each(:pairs) AS p
       CROSS JOIN memory_facets AS a ON a.project_number = :project AND a.kind = 'file' AND a.value = p.value ->> 'a'
       CROSS JOIN memory_facets AS b
         ON b.project_number = :project AND b.kind = 'file' AND b.value = p.value ->> 'b' AND b.memory_key = a.memory_key
       CROSS JOIN memories AS m ON m.key = a.memory_key AND m.forgotten_at IS NULL
       CROSS JOIN observer_subjects AS o ON o.memory_id = m.id AND o.signal IN (SELECT value FROM json_each(:signals))`,
      {
        project: BigInt(project.number),
        pairs: JSON.stringify(pairs.map(({ subject, relatedFiles: [a, b] }) => ({ subject, a, b }))),
        signals: JSON.stringify(tellMore),
      },
    );
    return new Set(rows.map((row) => String(row["subject"])));
  });
  return new Set(
    pairs.filter(
      ({ subject, relatedFiles }) =>
        told.has(subject) || others.some((files) => relatedFiles.every((file) => files.has(file))),
    ),
  );
}
