import { MemoryError } from "../../base/memory-error.js";
import type { Memory } from "../../memory/memory.js";
import type { LearnedReport, PromotionPorts } from "../../observer/promotion/promotion.js";
import type { SynthesisReport } from "../../observer/synthesis/synthesis.js";
import type { ProjectContext } from "../../project/project.js";
import type { Models } from "../../retrieval/open-models.js";

/** What learning from sessions asks, and what follows it. */
export interface Learning {
  /** With `isQuick` no model is asked, neither for words nor for meaning. */
  ports: (isQuick: boolean) => PromotionPorts;
  /** To be loaded before the write that needs it begins: others wait while that lasts. */
  loadPorts: () => Promise<unknown>;
  /** What follows the write of these memories. */
  stored: (memories: Memory[]) => Promise<void>;
  /** The same for sessions, after which many may tell something together. */
  learned: (reports: LearnedReport[], isQuick: boolean) => Promise<LearnedReport[]>;
  /** Looks over many sessions, where it is due. */
  lookOver: (isQuick: boolean, options?: { force?: boolean }) => Promise<SynthesisReport>;
}

export function openLearning(
  context: ProjectContext,
  models: Models,
  /** What follows a write: vectors, links to the code. */
  afterwards: (memories: Memory[]) => Promise<void>,
): Learning {
  const recording = () => import("../../injection/record/record.js");
  const stored = async (memories: Memory[]): Promise<void> => {
    if (memories.length > 0) await afterwards(memories);
  };
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
  const lookOver: Learning["lookOver"] = async (isQuick, options) => {
    const report = await (await import("../../observer/synthesis/synthesis.js")).synthesize(ports(isQuick), options);
    await stored(report.waiting);
    return report;
  };
  return {
    ports,
    loadPorts: recording,
    stored,
    lookOver,
    learned: async (reports, isQuick) => {
      await stored(reports.flatMap((report) => [...report.learned, ...report.waiting]));
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
