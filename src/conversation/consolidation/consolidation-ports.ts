import type { Caller } from "../../base/actor.js";
import type { MemoryContext } from "../../memory/change/change.js";
import { MemoryError } from "../../base/memory-error.js";
import type { LanguageModel } from "../../language-model/language-model.js";
import type { MemoryInput } from "../../memory/memory.js";
import type { PreparedMemory } from "../../memory/prepare/prepare.js";
import type { SourceTrust } from "../../observer/trust/trust.js";
import type { ConsolidateOptions, ConsolidationPorts, WriteFacts } from "./consolidate.js";

export interface ConsolidationPortsParts extends Pick<SourceTrust, "listDistrustReasons" | "judgeAgent"> {
  context: MemoryContext;
  /** Absent: none is ever asked. */
  languageModel: (() => Promise<LanguageModel | undefined>) | undefined;
}

/** How a conversation is to be consolidated, and who asks for it. */
export interface AskedConsolidation extends ConsolidateOptions {
  by: Caller;
}

/** Who asks for it, and whose model words it. */
export interface Asker {
  caller: Caller;
  /** The model is one that the caller brought, and not the one that the user has configured. */
  isOwnModel: boolean;
}

const ownModel = "A model that an agent brought worded it.";
const untrustedSource = "The conversation that it was taken from had read from outside the project.";

/**
 * What consolidation asks of MEMORY.md and of the memories. Each part is loaded when it is asked for: without a model nobody
 * needs the text of the file, or compares another one with it.
 */
export function consolidationPorts(
  { context, languageModel, listDistrustReasons, judgeAgent }: ConsolidationPortsParts,
  { caller, isOwnModel }: Asker,
): ConsolidationPorts {
  const memoryFile = () => import("../memory-file/memory-file-text.js");
  return {
    context,
    ...(languageModel && { languageModel }),
    readMemory: async () => (await memoryFile()).renderAllMemories(context),
    // A conversation of a person alone is worded by whoever has it summed up.
    doubtAsker: async (sessionId) => {
      if (caller.kind !== "agent") return undefined;
      if (isOwnModel) return ownModel;
      return (await judgeAgent([{ content: "", sessionId: caller.sessionId ?? sessionId }])).doubts?.[0];
    },
    prepareFacts: async (facts, doubts) => {
      // So that the session is known to have stated them. What it has read speaks against its agent's words, not a person's.
      await listDistrustReasons(facts);
      return prepareFacts(context, doubts, facts);
    },
    prepareUpdate: async (update, { base, sessionId, isTainted, doubt, toolTexts }) => {
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
          const reason = isTainted ? untrustedSource : doubt;
          const doubts = reason === undefined ? await listDistrustReasons(inputs) : inputs.map(() => reason);
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
