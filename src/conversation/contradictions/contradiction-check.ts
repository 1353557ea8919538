import { within } from "../../base/within.js";
import type { ChangedMemory, ChangeSubscriber, MemoryContext } from "../../memory/change/change.js";
import { writeProject } from "../../project/project.js";
import type { LanguageModel } from "../../language-model/language-model.js";

/** Asks a configured model about what rules leave open: whether a new statement contradicts older ones. */
export interface ContradictionCheck {
  subscriber: ChangeSubscriber;
  /** Gives what is under way a moment. */
  close: () => Promise<void>;
}

// Of what one change states, so many are looked at: each is a question to a model.
const maxChecked = 3;
// A process that ends does not wait for a model that has lost its way.
const patienceMs = 5000;

/**
 * What is to be asked is noted in the transaction that states it, and asked in the background: whoever remembers has the
 * answer already. What a process leaves unasked or the model unanswered, the next one asks that states something here.
 */
export function openContradictionCheck(
  context: MemoryContext,
  /** Absent: nothing is asked. */
  languageModel: (() => Promise<LanguageModel | undefined>) | undefined,
): ContradictionCheck {
  let underWay: Promise<unknown> = Promise.resolve();
  let model: LanguageModel | undefined;
  const checks = () => import("./contradiction-check-queries.js");

  const ask = async (of: MemoryContext, by: LanguageModel): Promise<void> => {
    const { claimChecks, settleCheck } = await checks();
    const claimed = await writeProject(of, (writer, project) => claimChecks(writer, project, maxChecked, of.now()));
    for (const id of claimed) {
      const isAnswered = await (await import("./check-memory.js")).checkMemory(of, by, id);
      await of.store.write((writer) => settleCheck(writer, id, isAnswered));
    }
  };

  return {
    subscriber: {
      name: "contradictions",
      prepare: async () => {
        model = await languageModel?.().catch(() => undefined);
        if (model) await checks();
      },
      within: async (writer, { memories }) => {
        const keys = model ? memories.filter(isStated).map(({ key }) => key) : [];
        if (keys.length > 0) await (await checks()).addChecks(writer, keys, maxChecked);
      },
      after: ({ project, memories }) => {
        const by = model;
        if (!by || !memories.some(isStated)) return;
        const of = { ...context, project: { id: project.id } };
        underWay = underWay.then(() => ask(of, by)).catch(() => undefined);
      },
    },
    close: async () => {
      await within(patienceMs, underWay, () => undefined);
    },
  };
}

const stating = ["content", "review", "trustFlags"] as const;

/** It says something new, or somebody vouches for it only now. */
function isStated({ isNew, fields }: ChangedMemory): boolean {
  return isNew || stating.some((field) => fields.has(field));
}
