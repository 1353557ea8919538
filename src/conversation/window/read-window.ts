import { estimateTokens } from "../../base/tokens/tokens.js";
import { readProject, writeProject, type ProjectContext } from "../../project/project.js";
import type { Message, Turn, Window, WindowOptions } from "../conversation.js";
import { checkWholeNumber } from "../turns/check-whole-number.js";
import { listLastTurns } from "../turns/list-turns.js";
import { findConversation, moveWindow } from "../turns/turn-queries.js";

// What a model is told of a message beside its text.
const tokensOfMessage = 4;
const cutMark = "[…] ";
const nothing: Window = { messages: [], tokens: 0, leftOut: 0 };

/**
 * The last turns of a conversation, oldest first, as messages for a prompt: what the user said and what was answered. It
 * begins with a message of the user where something was left out before it, since half a turn says little.
 */
export async function readWindow(
  context: ProjectContext,
  sessionId: string,
  options: WindowOptions = {},
): Promise<Window> {
  const { turns = (await context.settings()).windowTurns, maxTokens = Infinity } = options;
  checkWholeNumber("turns", turns, 1);
  if (maxTokens !== Infinity) checkWholeNumber("maxTokens", maxTokens, 1);
  const found = await readProject(context, undefined, async (reader, project) => {
    const conversation = await findConversation(reader, project, sessionId);
    if (!conversation) return undefined;
    const query = { after: conversation.windowAfter, roles: ["user", "assistant"] as const, last: 2 * turns };
    return listLastTurns(reader, conversation, query, context.now());
  });
  return found ? fit(found.turns.map(toMessage), maxTokens, found.isAll) : nothing;
}

/** The window is empty from now on, until something is said; or it begins after the turn with this sequence. */
export async function clearWindow(context: ProjectContext, sessionId: string, upTo?: number): Promise<void> {
  if (!context.store.exists) return;
  await writeProject(context, async (writer, project) => {
    const conversation = await findConversation(writer, project, sessionId);
    if (conversation) await moveWindow(writer, conversation, upTo ?? conversation.lastSequence);
  });
}

function toMessage({ role, content, timestamp, isTainted }: Turn): Message {
  return { role: role === "assistant" ? "assistant" : "user", content, timestamp, ...(isTainted && { isTainted }) };
}

function fit(messages: Message[], maxTokens: number, isAll: boolean): Window {
  const kept: Message[] = [];
  let tokens = 0;
  for (const message of messages.toReversed()) {
    const cost = estimateTokens(message.content) + tokensOfMessage;
    if (tokens + cost > maxTokens) break;
    tokens += cost;
    kept.unshift(message);
  }
  const newest = messages.at(-1);
  if (kept.length === 0 && newest) {
    const cut = cutToTokens(newest, maxTokens);
    if (!cut) return { messages: [], tokens: 0, leftOut: messages.length };
    return { messages: [cut], tokens: estimateTokens(cut.content) + tokensOfMessage, leftOut: messages.length - 1 };
  }
  const first = kept.findIndex(({ role }) => role === "user");
  if (first > 0 && (kept.length < messages.length || !isAll)) {
    for (const { content } of kept.splice(0, first)) tokens -= estimateTokens(content) + tokensOfMessage;
  }
  return { messages: kept, tokens, leftOut: messages.length - kept.length };
}

/** The end of a message that is too long alone: what was said last is answered next. Undefined where not a word of it fits. */
function cutToTokens(message: Message, maxTokens: number): Message | undefined {
  const cost = (characters: number) => estimateTokens(cutMark + endOf(message.content, characters)) + tokensOfMessage;
  let [fits, tooMany] = [0, message.content.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (cost(middle) <= maxTokens) fits = middle;
    else tooMany = middle;
  }
  const end = endOf(message.content, fits);
  return end.trim() === "" || cost(fits) > maxTokens ? undefined : { ...message, content: cutMark + end };
}

function endOf(text: string, characters: number): string {
  const start = text.length - characters;
  const code = text.charCodeAt(start);
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? start + 1 : start);
}
