import { isUnverified } from "../../memory/record/record.js";
import { filterConditions, listByKeys } from "../../memory/read/read.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import { differInSubstance } from "../../memory/relations/relations.js";
import type { Models } from "../../retrieval/open-models.js";

// From this cosine on two texts mean the same; from the seed of the product.
const sameMeaning = 0.88;
const maxCompared = 3;
const timeoutMs = 5000;

/**
 * For each text whether a memory of the project means the same, by the vectors that there are. Two texts that name other
 * things or numbers do not, however near they are: sentences of one form are always near. Nor does one for which nobody
 * vouches. Empty where no model can tell.
 */
export async function listSemanticDuplicates(
  context: ProjectContext,
  models: Models,
  texts: readonly string[],
): Promise<boolean[]> {
  const embedding = await models.embedding();
  const known: boolean[] = [];
  for (const text of texts) {
    const query = await embedding.embedQuery(text, { timeoutMs });
    if (!("vector" in query)) return [];
    const near = await readProject(context, [], async (reader, project) => {
      const filter = filterConditions({ status: ["active", "waiting", "flagged"] }, project, context.now());
      const nearest = await embedding.listNearest(reader, project, query, filter, maxCompared);
      const keys = nearest.filter(({ similarity }) => similarity > sameMeaning).map(({ key }) => key);
      return listByKeys(reader, project, keys, context.now());
    });
    known.push(near.some(({ memory }) => !isUnverified(memory) && !differInSubstance(memory.content, text)));
  }
  return known;
}
