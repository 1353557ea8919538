import type { MemoryContext } from "../../memory/change/change.js";
import { within } from "../../base/within.js";
import type { RememberedMemory } from "../../memory/memory.js";
import { readProject } from "../../project/project.js";
import type { LanguageModel } from "../../language-model/language-model.js";

/** Asks a configured model about what rules leave open: whether a new memory contradicts older ones. */
export interface ContradictionCheck {
  /** In the background: whoever remembers has the answer already. */
  judge: (memories: readonly RememberedMemory[]) => void;
  /** Gives what is under way a moment. */
  close: () => Promise<void>;
}

// Of what is remembered at once, so many are looked at; an import is not.
const maxJudged = 3;
// A process that ends does not wait for a model that has lost its way.
const patienceMs = 5000;

export function openContradictionCheck(
  context: MemoryContext,
  /** Absent: nothing is asked. */
  languageModel: (() => Promise<LanguageModel | undefined>) | undefined,
): ContradictionCheck {
  const pending = new Set<Promise<unknown>>();

  const judgeOne = async ({ id }: RememberedMemory): Promise<void> => {
    const model = await languageModel?.();
    if (!model) return;
    const [{ listPossiblyContradicted: listDoubtful }, { findMemory }, { judgeContradictions }, { closeContradicted }] =
      await Promise.all([
        import("../../memory/contradictions/contradictions.js"),
        import("../../memory/read/read.js"),
        import("./judge-contradictions.js"),
        import("../../memory/contradictions/contradictions.js"),
      ]);
    const found = await readProject(context, undefined, async (reader, project) => {
      const newer = await findMemory(reader, project, id, context.now());
      if (newer?.memory.status !== "active") return undefined;
      const olds = await listDoubtful(reader, project, { ...newer.record, key: newer.key }, context.now());
      // What was kept since is newer, and is looked at for itself.
      const before = olds.filter(({ key }) => key < newer.key).map(({ record }) => record);
      return { content: newer.record.content, olds: before.map(({ id: old, content }) => ({ id: old, content })) };
    });
    if (!found || found.olds.length === 0) return;
    await closeContradicted(context, id, await judgeContradictions(model, found.content, found.olds));
  };

  return {
    judge: (memories) => {
      if (!languageModel) return;
      for (const memory of memories.filter(({ merged }) => !merged).slice(0, maxJudged)) {
        const quiet: Promise<unknown> = judgeOne(memory)
          .catch(() => undefined)
          .finally(() => pending.delete(quiet));
        pending.add(quiet);
      }
    },
    close: async () => {
      if (pending.size > 0) await within(patienceMs, Promise.all(pending), () => []);
    },
  };
}
