import { readProject } from "../../project/project.js";
import type { SignalName } from "../observer.js";
import type { Candidate } from "./compose-candidates.js";
import { listPairsInMemories } from "./promotion-queries.js";
import type { PromotionPorts } from "./promotion-ports.js";

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
  { context }: PromotionPorts,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<Candidate>> {
  const pairs = candidates.filter(({ signal }) => signal === "co-access");
  if (pairs.length === 0) return new Set();
  const others = candidates
    .filter(({ signal }) => tellMore.includes(signal))
    .map((other) => new Set(other.relatedFiles));
  const told = await readProject(context, new Set<string>(), (reader, project) =>
    listPairsInMemories(
      reader,
      project,
      pairs.map(({ subject, relatedFiles: [a, b] }) => ({ subject, a, b })),
      tellMore,
    ),
  );
  return new Set(
    pairs.filter(
      ({ subject, relatedFiles }) =>
        told.has(subject) || others.some((files) => relatedFiles.every((file) => files.has(file))),
    ),
  );
}
