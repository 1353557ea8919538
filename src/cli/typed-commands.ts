import type { TypedCommand } from "../agents/agents.js";
import { blockingAnswer, tellingAnswer } from "../agents/claude-code/hook-answer.js";
import type { Memory, OpenOptions, TacitMemory } from "../index.js";
import { countOf } from "./count-of.js";
import { longestUnfolded, shortId } from "./render-memory.js";

// A hook ends after 900 ms, and several of these waits may come one after the other.
const patienceMs = 150;
// What a terminal shows at once, and a hook may say.
const mostShown = 15;

/**
 * What the hook answers to a command that a person typed to their agent: that it was kept, and as what; or what waits for
 * a review, which the person reads and the agent does not. Throws where the store does not allow it.
 */
export async function answerTyped(command: TypedCommand, options: OpenOptions): Promise<string | undefined> {
  const { neutralise, openMemory } = await import("../index.js");
  const memory = await openMemory({ ...options, timeoutMs: patienceMs, embedder: null });
  try {
    if (command.name === "memory-review") return blockingAnswer(neutralise(await describeWaiting(memory)));
    // Said by the person and by nobody else, so that what the session has read does not count.
    const { id, status, merged } = await memory.remember({ content: command.text, source: "user_taught" });
    await (status === "waiting" ? memory.acceptMemory(id) : memory.verify(id));
    const how = merged ? "was known already, as" : "was kept just now as";
    return tellingAnswer("UserPromptSubmit", `Tacit: what the user asked to remember ${how} memory #${shortId(id)}.`);
  } finally {
    await memory.close();
  }
}

async function describeWaiting(memory: TacitMemory): Promise<string> {
  const waiting = await memory.list({ status: "waiting" });
  if (waiting.length === 0) return "Tacit: nothing waits for a review.";
  const more = waiting.length - mostShown;
  return [
    `Tacit: ${countOf(waiting.length, "memory")} to review. No agent is told of them, this one neither, before you accept them.`,
    ...waiting.slice(0, mostShown).map(describe),
    ...(more > 0 ? [`and ${more} more: tacit review`] : []),
    "In a terminal: tacit review accept REF · tacit review reject REF · tacit show REF --evidence",
  ].join("\n\n");
}

function describe({ id, type, content, review }: Memory): string {
  const reason = review.reason ?? "It waits for a person.";
  return `${shortId(id)}  ${type}: ${lineOf(content)}\n          ${lineOf(reason)}`;
}

function lineOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > longestUnfolded ? `${line.slice(0, longestUnfolded)}…` : line;
}
