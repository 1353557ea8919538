import { MemoryError } from "../../base/memory-error.js";
import type { LearnedReport, PromotionPorts } from "../../observer/promotion/promotion.js";
import type { SynthesisReport } from "../../observer/synthesis/synthesis.js";
import type { MemoryContext } from "../../memory/change/change.js";
import type { Models } from "../../retrieval/open-models.js";

/** What learning from sessions asks, and what it leads to. */
export interface Learning {
  /** With `isQuick` no model is asked, neither for words nor for meaning. */
  ports: (isQuick: boolean) => PromotionPorts;
  /** To be loaded before the write that needs it begins: others wait while that lasts. */
  loadPorts: () => Promise<unknown>;
  /** What follows when sessions were learned from: many may tell something together. */
  learned: (reports: LearnedReport[], isQuick: boolean) => Promise<LearnedReport[]>;
  /** Looks over many sessions, where it is due. */
  lookOver: (isQuick: boolean, options?: { force?: boolean }) => Promise<SynthesisReport>;
}

export function openLearning(context: MemoryContext, models: Models): Learning {
  const recording = () => import("../../injection/record/record.js");
  const ports = (isQuick: boolean): PromotionPorts => ({
    context,
    alsoWrite: async (...args) => (await recording()).recordInjections(...args),
    ...(!isQuick && {
      ...(models.ports.languageModel && { languageModel: models.ports.languageModel }),
      isKnown: async (texts) =>
        (await import("./list-semantic-duplicates.js")).listSemanticDuplicates(context, models, texts),
    }),
  });
  /** Then looking over many sessions is left to one that has time to ask it: once done, it is not due again for long. */
  const hasModel = async () => (await models.ports.languageModel?.().catch(() => undefined)) !== undefined;
  const lookOver: Learning["lookOver"] = async (isQuick, options) =>
    (await import("../../observer/synthesis/synthesis.js")).synthesize(ports(isQuick), options);
  return {
    ports,
    loadPorts: recording,
    lookOver,
    learned: async (reports, isQuick) => {
      const isDue = reports.some(({ isRepeated }) => !isRepeated) && !(isQuick && (await hasModel()));
      if (isDue) await lookOver(isQuick).catch(ignoreMemoryError);
      return reports;
    },
  };
}

function ignoreMemoryError(error: unknown): undefined {
  if (!(error instanceof MemoryError)) throw error;
  return undefined;
}
