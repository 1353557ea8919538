import type { MemoryContext } from "../../memory/change/change.js";
import { MemoryError } from "../../base/memory-error.js";
import type { LanguageModel } from "../../language-model/language-model.js";
import type { MemoryInput } from "../../memory/memory.js";
import type { PreparedMemory } from "../../memory/prepare/prepare.js";
import type { SourceTrust } from "../../observer/trust/trust.js";
import type { ConsolidationPorts, WriteFacts } from "./consolidate.js";

export interface ConsolidationPortsParts extends Pick<SourceTrust, "listDistrustReasons"> {
  context: MemoryContext;
  /** Absent: none is ever asked. */
  languageModel: (() => Promise<LanguageModel | undefined>) | undefined;
}

const untrustedSource = "The conversation that it was taken from had read from outside the project.";

/**
 * What consolidation asks of MEMORY.md and of the memories. Each part is loaded when it is asked for: without a model nobody
 * needs the text of the file, or compares another one with it.
 */
export function consolidationPorts({
  context,
  languageModel,
  listDistrustReasons,
}: ConsolidationPortsParts): ConsolidationPorts {
  const memoryFile = () => import("../memory-file/memory-file-text.js");
  return {
    context,
    ...(languageModel && { languageModel }),
    readMemory: async () => (await memoryFile()).renderAllMemories(context),
    prepareFacts: async (facts) => prepareFacts(context, await listDistrustReasons(facts), facts),
    prepareUpdate: async (update, { base, sessionId, isTainted, toolTexts }) => {
      const [{ isTooLong }, { prepareMemoryUpdate }, distrust] = await Promise.all([
        memoryFile(),
        import("../memory-file/prepare-memory-update.js"),
        import("./find-distrust-reason.js"),
      ]);
      const prepared = await prepareMemoryUpdate(context, update, {
        base,
        mayForget: await isTooLong(context, base),
        prepareFacts: async (given, reasons) => {
          const inputs = given.map((input) => ({ ...input, sessionId }));
          const doubts = isTainted ? inputs.map(() => untrustedSource) : await listDistrustReasons(inputs);
          return prepareFacts(
            context,
            inputs.map(
              ({ content }, index) =>
                doubts[index] ?? reasons[index] ?? distrust.findDistrustReason(content, toolTexts),
            ),
            inputs,
          );
        },
      });
      return "write" in prepared ? prepared.write : undefined;
    },
  };
}

/** Prepares each that may be kept; one that may not (a secret and nothing else) costs only itself. */
async function prepareFacts(
  context: MemoryContext,
  doubts: readonly (string | undefined)[],
  facts: MemoryInput[],
): Promise<WriteFacts> {
  const [{ prepareMemories }, distrust, storing] = await Promise.all([
    import("../../memory/prepare/prepare.js"),
    import("../../memory/remember/remember.js"),
    import("../../memory/remember/remember.js"),
  ]);
  await storing.loadContradictions();
  const { maxEntries } = await context.settings();
  const prepared: PreparedMemory[] = [];
  for (const [index, fact] of facts.entries()) {
    try {
      const [memory] = await prepareMemories(context, [fact]);
      const doubt = doubts[index];
      if (memory) prepared.push(doubt === undefined ? memory : distrust.asTainted(memory, doubt));
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
    }
  }
  return (writer, project, now) => storing.storeMemories(writer, project, prepared, now, { maxEntries });
}
