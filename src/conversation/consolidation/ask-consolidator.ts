import type { LanguageModel } from "../../language-model/language-model.js";
import type { PromptFn } from "../conversation.js";

/** Whom to ask: a function of the caller's, which goes first, or the configured model. */
export interface AskedConsolidator {
  promptFn?: PromptFn;
  /** What the function is told to ask; empty where nobody said. */
  model?: string;
  languageModel?: LanguageModel;
  timeoutMs: number;
  signal?: AbortSignal;
}

// A memory of 8 KiB takes 2,500 model tokens, an entry 300; servers that allow fewer than this are rare.
const maxOutputTokens = 4096;
// A memory of 1 MiB, as large as it can be configured, with all of its signs escaped.
const maxBytes = 2 * 1024 * 1024;

/**
 * Asks once, without secrets, and gives the reply as it is, or what went wrong. Never throws. When the time is over it ends,
 * whatever the function does then: what comes later is nobody's.
 */
export async function askConsolidator(
  asked: AskedConsolidator,
  text: { system: string; prompt: string },
): Promise<{ reply: string } | { problem: string }> {
  const { timeoutMs, signal, promptFn, languageModel } = asked;
  const who = promptFn ? `promptFn${asked.model ? ` (${asked.model})` : ""}` : (languageModel?.modelId ?? "");
  try {
    const { askModel } = await import("../../language-model/ask-model.js");
    const answer = await askModel({ who, timeoutMs, ...(signal && { signal }) }, async (ending) =>
      promptFn
        ? askFunction(promptFn, asked.model ?? "", text, ending)
        : languageModel?.generate({
            ...text,
            purpose: "consolidate",
            maxOutputTokens,
            patienceMs: timeoutMs,
            signal: ending,
          }),
    );
    if (answer === undefined && !promptFn) return { problem: languageModel?.lastProblem ?? "No model is configured." };
    return checked(answer, who);
  } catch (error) {
    return { problem: problemOf(error, who) };
  }
}

async function askFunction(
  promptFn: PromptFn,
  model: string,
  { system, prompt }: { system: string; prompt: string },
  signal: AbortSignal,
): Promise<unknown> {
  const { outgoingText } = await import("../../language-model/outgoing-text.js");
  const message = await outgoingText(`${system}\n\n${prompt}`);
  signal.throwIfAborted();
  try {
    return textOf(await promptFn(message, { model, signal }));
  } catch (error) {
    throw error instanceof Error
      ? error
      : new Error(typeof error === "string" ? error : "no reason given", { cause: error });
  }
}

function textOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "content" in answer ? answer.content : answer;
}

function checked(reply: unknown, who: string): { reply: string } | { problem: string } {
  if (typeof reply !== "string") return { problem: `${who} answered with something that is no text.` };
  if (reply.trim() === "") return { problem: `${who} answered with nothing.` };
  const bytes = Buffer.byteLength(reply);
  if (bytes <= maxBytes) return { reply };
  return { problem: `${who} answered with ${(bytes / 1024 / 1024).toFixed(1)} MB.` };
}

const longestProblem = 500;

/** One line, whatever was thrown. */
function problemOf(error: unknown, who: string): string {
  try {
    const line = (error as Error).message.replaceAll(/\s+/g, " ").trim().slice(0, longestProblem);
    // Cut within a pair, or never one: it is stored, and half of one cannot be.
    return Buffer.from(line, "utf8").toString("utf8").replaceAll("\0", "") || `${who} failed.`;
  } catch {
    return `${who} failed.`;
  }
}
