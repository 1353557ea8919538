import { readAnswerMarks } from "../../base/files/files.js";
import { openRepeatedWords, type RepeatedWords } from "../../base/text/text.js";
import { hold } from "../../observer/transcripts/transcripts.js";
import { callOf, openIgnoredNotes } from "../../observer/notes/notes.js";
import type { Ignoring } from "../../project/ignore/ignore.js";
import type { Call } from "../../observer/observer.js";
import { isForeignText, untrustedSourceOfAnswer } from "../../observer/trust/trust.js";
import type { IncomingTurn } from "../turns/append-turns.js";
import type { ChatMessage } from "./chat-line.js";
import type { ToolAnswer, ToolCall } from "./message-parts.js";

/**
 * Gives the turns of messages, tainted from where a tool has brought something from outside, or an answer of which nobody
 * knows what was asked. What a person says stays theirs. To be asked of the messages of each session in their order.
 *
 * @example
 * const judged = openChatTaint("/home/ada/shop");
 * judged("s1", { turns: [{ role: "assistant", content: "Let me see." }], calls: [{ tool: "WebFetch" }], answers: [] })
 * // [{ role: "assistant", content: "Let me see.", isTainted: true }]
 */
export function openChatTaint(
  root: string,
  ignoring?: Ignoring,
): (sessionId: string, message: ChatMessage) => IncomingTurn[] {
  const calls = new Map<string, Map<string, Call>>();
  const withoutIgnored = openIgnoredAnswers(root, ignoring);
  const reached = new Set<string>();
  const shownIn = new Map<string, RepeatedWords>();
  return (sessionId, message) => {
    if (!reached.has(sessionId)) {
      let known = calls.get(sessionId);
      if (!known) calls.set(sessionId, (known = new Map()));
      const madeOutside = message.calls.map((call) => note(known, call, root)).some(({ outside }) => outside);
      if (madeOutside || message.answers.some((answer) => mayBeOutside(known, answer))) {
        reached.add(sessionId);
        calls.delete(sessionId);
      }
    }
    const isTainted = reached.has(sessionId);
    const shown = shownIn.get(sessionId) ?? openRepeatedWords();
    shownIn.set(sessionId, shown);
    for (const { text } of message.answers) shown.add(text);
    const turns = withoutIgnored(sessionId, message).map((turn) =>
      turn.role === "user" && shown.repeats(turn.content) ? { ...turn, isPasted: true } : turn,
    );
    return turns.map((turn) => (isTainted && turn.role !== "user" ? { ...turn, isTainted } : turn));
  };
}

/** The turns of a message without what a tool answered to a call that is ignored. */
function openIgnoredAnswers(root: string, ignoring: Ignoring | undefined) {
  const ignored = ignoring && openIgnoredNotes(ignoring, root);
  const asked = new Map<string, boolean>();
  const place = { root };
  return (sessionId: string, { turns, calls, answers }: ChatMessage): IncomingTurn[] => {
    for (const { id, tool, input } of calls) {
      const isIgnored =
        input !== undefined && ignored?.judge(id ?? tool, callOf({ tool, input }, place), { input, place }) === true;
      for (const key of [id, tool]) if (key !== undefined) hold(asked, `${sessionId} ${key}`, isIgnored, maxCalls);
    }
    const isAny = answers.some(({ id, tool }) => asked.get(`${sessionId} ${id ?? tool ?? ""}`) === true);
    return isAny ? turns.map((turn) => (turn.role === "tool" ? { ...turn, content: "[ignored]" } : turn)) : turns;
  };
}

// Answers follow their calls closely, and agents call some dozens of tools at once.
const maxCalls = 500;

function note(known: Map<string, Call>, { id, tool, input }: ToolCall, root: string): Call {
  const call = callOf({ tool, input: input ?? {} }, { root });
  // Of one that is only named it is not known what it was asked.
  if (input !== undefined) {
    if (id !== undefined) hold(known, `id ${id}`, call, maxCalls);
    hold(known, `tool ${tool}`, call, maxCalls);
  }
  return call;
}

function mayBeOutside(known: ReadonlyMap<string, Call>, { id, tool, text }: ToolAnswer): boolean {
  const call = (id === undefined ? undefined : known.get(`id ${id}`)) ?? known.get(`tool ${tool ?? ""}`);
  if (call === undefined || untrustedSourceOfAnswer(text, call) !== undefined) return true;
  return isForeignText(text, call, readAnswerMarks);
}
