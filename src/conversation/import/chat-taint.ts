import { hold } from "../../observer/transcripts/transcripts.js";
import { callOf } from "../../observer/notes/notes.js";
import type { Call } from "../../observer/observer.js";
import { untrustedSourceOfAnswer } from "../../observer/trust/trust.js";
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
export function openChatTaint(root: string): (sessionId: string, message: ChatMessage) => IncomingTurn[] {
  const calls = new Map<string, Map<string, Call>>();
  const reached = new Set<string>();
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
    return message.turns.map((turn) => (isTainted && turn.role !== "user" ? { ...turn, isTainted } : turn));
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
  return call === undefined || untrustedSourceOfAnswer(text, call) !== undefined;
}
