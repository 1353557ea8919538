import { cleanText } from "../../hygiene/hygiene.js";
import type { PromptFn, Turn } from "../conversation.js";
import { withoutComments } from "../memory-file/without-comments.js";
import { askConsolidator } from "./ask-consolidator.js";
import type { ConsolidationPorts } from "./consolidate.js";
import { consolidationPrompt } from "./consolidation-prompt.js";
import { parseReply } from "./parse-reply.js";

export interface AskOptions {
  promptFn?: PromptFn | undefined;
  model?: string | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** What a model made of turns; or why it made nothing of them. */
export interface Answered {
  /** What it was shown of what is known. */
  base: string;
  historyEntry?: string | undefined;
  memoryUpdate?: string | undefined;
  problem?: string | undefined;
}

// More than this is no summary.
const longestEntryBytes = 32 * 1024;

/** Asks the caller's model, or the configured one. Undefined where there is none. */
export async function askAboutTurns(
  ports: ConsolidationPorts,
  turns: readonly Turn[],
  { promptFn, model, timeoutMs, signal }: AskOptions,
): Promise<Answered | undefined> {
  const languageModel = promptFn ? undefined : await ports.languageModel?.().catch(() => undefined);
  if (!promptFn && !languageModel) return undefined;
  const { maxMemorySize } = await ports.context.settings();
  const base = await ports.readMemory();
  const now = ports.context.now();
  const prompt = consolidationPrompt({ memory: withoutComments(base), turns, maxMemorySize, now });
  const answer = await askConsolidator(
    {
      timeoutMs,
      ...(promptFn && { promptFn }),
      ...(model !== undefined && { model }),
      ...(languageModel && { languageModel }),
      ...(signal && { signal }),
    },
    prompt,
  );
  if ("problem" in answer) return { base, ...answer };
  const { historyEntry, memoryUpdate } = parseReply(answer.reply);
  const problem = await whyUnfit(historyEntry);
  return problem === undefined ? { base, historyEntry, memoryUpdate } : { base, problem };
}

/** Why an entry cannot be kept, if so. */
async function whyUnfit(entry: string | undefined): Promise<string | undefined> {
  if (entry === undefined) return "The model's reply had no history_entry.";
  if (Buffer.byteLength(entry) > longestEntryBytes) return "The model's history_entry was too long to be a summary.";
  try {
    const { text } = await cleanText(entry, "history_entry");
    return text.trim() === "" ? "The model's history_entry was empty." : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
