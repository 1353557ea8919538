import type { TypedCommand } from "../../agents/agents.js";
import { blockingAnswer, injectionAnswer } from "../../agents/claude-code/hook-answer.js";
import { isByAgent as isAgentBehind } from "../../agents/claude-code/tool-call.js";
import { rememberTyped, type RememberedTyped } from "../../hook/remember-typed.js";
import { isOfCall, mayBeScheduled } from "../../hook/spool-status.js";
import type { Memory, OpenOptions, TacitMemory } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import { remarksOnText } from "../listing/remarks.js";
import { longestUnfolded } from "../terminal/one-line.js";
import { shortId } from "../terminal/short-id.js";

// A person waits for it, and several of these waits may come one after the other.
const patienceMs = 150;
// What a terminal shows at once, and a hook may say.
const maxShown = 15;

/**
 * What the hook answers to a command that a person typed to their agent: that it was kept, and as what; or what waits for
 * a review, which the person reads and the agent does not. Where an agent may be behind it, it is kept as the word of one.
 * Throws where the store does not allow it.
 */
export async function answerTyped(
  command: TypedCommand,
  sessionId: string,
  options: OpenOptions,
): Promise<string | undefined> {
  const isByAgent = isAgentBehind() || isOfCall(options) || mayBeScheduled(command.line, options);
  // Texts that nobody has reviewed are not for an agent that asks for them by itself.
  if (command.name === "memory-review" && isByAgent) return undefined;
  const { neutralise, openMemory } = await import("../../index.js");
  const memory = await openMemory({ ...options, timeoutMs: patienceMs, embedder: null });
  try {
    if (command.name === "memory-review") return blockingAnswer(neutralise(await describeReview(memory)));
    const kept = await rememberTyped(memory, { content: command.text, sessionId, isByAgent }, options);
    return kept.isByPerson ? answerPerson(kept, command.text) : answerAgent(kept);
  } finally {
    await memory.close();
  }
}

function answerPerson({ memory, merged }: RememberedTyped, typed: string): string | undefined {
  const how = merged ? "was known already, as" : "was kept just now as";
  const remarks = remarksOnText(typed, memory).map((remark) => `Tacit: ${remark}`);
  const text = `Tacit: what the user asked to remember ${how} memory #${shortId(memory.id)}.`;
  return injectionAnswer("UserPromptSubmit", text, remarks);
}

function answerAgent({ memory }: RememberedTyped): string | undefined {
  const ref = shortId(memory.id);
  if (memory.userVerified) {
    return injectionAnswer("UserPromptSubmit", `Tacit: it was known already, as memory #${ref}.`);
  }
  const [how, next] = storedAs(memory);
  return injectionAnswer(
    "UserPromptSubmit",
    `Tacit: it was kept just now as memory #${ref} and ${how}, since an agent may have said it and not the user.`,
    [
      `Tacit: #${ref} ${how}: Tacit cannot tell that you typed it. If you did, in a terminal of your own: ${next} ${ref}`,
    ],
  );
}

/** How an agent's word is stored, and the command by which a person takes it for theirs. */
function storedAs({ status, trustFlags }: Memory): [how: string, next: string] {
  if (status === "waiting") return ["waits for a person", "tacit review accept"];
  // In a session that has read nothing untrusted, an agent is believed as one.
  return [trustFlags.includes("unverified") ? "is unverified" : "is stored as the agent's word", "tacit verify"];
}

async function describeReview(memory: TacitMemory): Promise<string> {
  const { waiting, unverified } = await memory.review.pending();
  const unwatched =
    unverified.length === 0
      ? []
      : [
          `${countOf(unverified.length, "memory")} that nobody verified, told only to those who ask: tacit review --unverified`,
        ];
  if (waiting.length === 0) return ["Tacit: nothing waits for a review.", ...unwatched].join("\n\n");
  const more = waiting.length - maxShown;
  return [
    `Tacit: ${countOf(waiting.length, "memory")} to review. No agent is told of them, this one neither, before you accept them.`,
    ...waiting.slice(0, maxShown).map(describe),
    ...(more > 0 ? [`and ${more} more: tacit review`] : []),
    ...unwatched,
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
