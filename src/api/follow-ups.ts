import type { Code } from "../code-memory/code-memory.js";
import type { Grounding } from "../code-memory/drift/verify-stale.js";
import type { Memory } from "../memory/memory.js";
import type { ProjectContext } from "../project/project.js";
import type { Models } from "../retrieval/open-models.js";

/** What follows a change of memories: vectors in the background, links to the code, and what they rest on there. */
export interface FollowUps {
  /** The text may have changed: it gets its vector soon. */
  embedded: <T>(work: Promise<T>) => Promise<T>;
  /** New memories, which may name symbols of the code. */
  stored: <T extends Memory[]>(work: Promise<T>) => Promise<T>;
  /** One memory that may name other symbols than before. */
  rewritten: <T extends Memory>(work: Promise<T>) => Promise<T>;
  /** However many memories an import brings. */
  imported: <T>(work: () => Promise<T>) => Promise<T>;
}

export function openFollowUps({ context, models, code, grounding }: Followed): FollowUps {
  const embedded: FollowUps["embedded"] = async (work) => {
    const result = await work;
    (await models.embedding()).schedule();
    return result;
  };
  return {
    embedded,
    stored: async (work) => {
      const result = await embedded(work);
      await code.link({ ids: result.filter(({ relatedFiles }) => relatedFiles.length > 0).map(({ id }) => id) });
      grounding.ground({ ids: result.map(({ id }) => id) });
      return result;
    },
    rewritten: async (work) => {
      const result = await embedded(work);
      await code.link({ ids: [result.id] });
      grounding.ground({ ids: [result.id] });
      return result;
    },
    imported: async (work) => {
      const since = context.now().toISOString();
      const result = await embedded(work());
      await code.link({ since });
      grounding.ground({ since });
      return result;
    },
  };
}

interface Followed {
  context: ProjectContext;
  models: Models;
  code: Code;
  grounding: Grounding;
}
