import type { ConversationSummary } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { cleaned, withConversation } from "./chat-session.js";
import type { WindowFlags } from "./chat.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderAge } from "../terminal/render-age.js";
import { oneLine } from "../terminal/one-line.js";
import { renderTurns } from "./render-turns.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

/** The last turns as messages for a prompt, or an empty window from now on. */
export async function window(
  shell: Shell,
  reference: string | undefined,
  { turns, maxTokens, clear = false }: WindowFlags,
): Promise<Answer> {
  if (clear && (turns !== undefined || maxTokens !== undefined)) {
    throw await wrongUsage("--clear shows nothing, so it takes no size.", "tacit chat window --clear");
  }
  return withConversation(shell, reference, async ({ talk, sessionId, heading }) => {
    if (clear) {
      await talk.clearWindow();
      const sentence = (page: Page) => `The window of ${oneLine(sessionId, page)} is empty until something is said.`;
      return { document: { sessionId, cleared: true }, ids: await cleaned([sessionId]), text: sentence };
    }
    const { messages, tokens, leftOut } = await talk.window(setOnly({ turns, maxTokens }));
    const more = leftOut === 0 ? "" : `; ${countOf(leftOut, "message")} more did not fit`;
    return {
      document: { sessionId, messages, tokens, leftOut },
      ids: await cleaned(messages.map(({ content }) => content)),
      text: (page) =>
        [
          ...heading(page),
          ...(messages.length === 0 ? ["The window is empty."] : [renderTurns(messages, page), ""]),
          ...(messages.length === 0
            ? []
            : [page.paint("dim", `${countOf(messages.length, "message")}, about ${countOf(tokens, "token")}${more}`)]),
        ].join("\n"),
    };
  });
}

const usualLimit = 20;

export async function listConversations(shell: Shell, { limit = usualLimit }: { limit?: number }): Promise<Answer> {
  const talks = await shell.withMemory((memory) => memory.conversations.list({ limit }));
  return {
    document: talks,
    ids: await cleaned(talks.map(({ sessionId }) => sessionId)),
    text: (page) =>
      talks.length === 0
        ? 'No conversation was kept here yet. The first turn begins one: tacit chat log SESSION user "…"'
        : talks.map((talk) => renderTalk(talk, page)).join("\n"),
  };
}

function renderTalk(
  { sessionId, createdAt, turns, lastSequence, consolidatedTo }: ConversationSummary,
  page: Page,
): string {
  const consolidated =
    consolidatedTo === 0
      ? []
      : [consolidatedTo >= lastSequence ? "consolidated" : `consolidated up to ${consolidatedTo}`];
  const figures = [countOf(turns, "turn"), `began ${renderAge(createdAt, page.now)}`, ...consolidated];
  return `${page.paint("cyan", oneLine(sessionId, page))}  ${page.paint("dim", figures.join(" · "))}`;
}
