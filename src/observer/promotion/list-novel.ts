import { stems } from "../../base/text/text.js";
import { readProject } from "../../project/project.js";
import { differInSubstance, listSimilar } from "../../memory/relations/relations.js";
import type { Candidate } from "./compose-candidates.js";
import { listCovered } from "./covered-pairs.js";
import type { PromotionPorts } from "./promotion-ports.js";

/**
 * Those that say something new: no memory of the same type says it in nearly the same words, none means the same where a
 * model can tell, none that comes before it says it, and none says more. What a person called wrong is not new, either. What
 * an agent said unwatched does not make it known: it would keep silent what was seen.
 */
export async function listNovel(ports: PromotionPorts, candidates: readonly Candidate[]): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const said = await readProject(ports.context, [] as boolean[], async (reader, project) => {
    const known: boolean[] = [];
    for (const candidate of candidates) {
      const similar = await listSimilar(reader, project, candidate);
      known.push(similar.some(({ isUnverified }) => !isUnverified));
    }
    return known;
  });
  const covered = await listCovered(ports, candidates);
  const meant = (await ports.isKnown?.(candidates.map(({ content }) => content)).catch(() => [])) ?? [];
  const novel: Candidate[] = [];
  for (const [index, candidate] of candidates.entries()) {
    // How things stand now is news, even where they stood so before.
    if (candidate.signal === "work-state") {
      novel.push(candidate);
      continue;
    }
    if (said[index] || meant[index] || covered.has(candidate) || novel.some((other) => saysTheSame(other, candidate)))
      continue;
    novel.push(candidate);
  }
  return novel;
}

// As for memories that are linked as similar.
const threshold = 0.88;

function saysTheSame(a: Candidate, b: Candidate): boolean {
  if (a.type !== b.type || differInSubstance(a.content, b.content)) return false;
  const [words, others] = [stems(a.content), stems(b.content)];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / (words.size + others.size - shared) >= threshold;
}
