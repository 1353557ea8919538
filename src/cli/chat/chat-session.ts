import type { Conversation, TacitMemory } from "../../index.js";
import { brief } from "../terminal/brief.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

/** The conversation that a command works on. */
export interface ChosenConversation {
  memory: TacitMemory;
  talk: Conversation;
  sessionId: string;
  /** Which one it is, where the line did not say so. */
  heading: (page: Page) => string[];
}

// More than anybody names one of.
const maxConversations = 10_000;

/** Does the work with the conversation that is named by its id or the last 8 characters of it; else with the newest. */
export async function withConversation<T>(
  shell: Shell,
  reference: string | undefined,
  work: (chosen: ChosenConversation) => Promise<T>,
): Promise<T> {
  if (reference !== undefined) await refuseBlankSession(reference);
  return shell.withMemory(async (memory) => {
    const sessionId = await findSession(memory, reference);
    if (sessionId === undefined) throw await unknownTalk(reference);
    const heading = (page: Page) =>
      reference === undefined ? [page.paint("dim", `The newest conversation, ${oneLine(sessionId, page)}:`)] : [];
    return work({ memory, talk: memory.conversation(sessionId), sessionId, heading });
  });
}

async function findSession(memory: TacitMemory, reference: string | undefined): Promise<string | undefined> {
  if (reference === undefined) return (await memory.conversations.list({ limit: 1 }))[0]?.sessionId;
  const ids = (await memory.conversations.list({ limit: maxConversations })).map(({ sessionId }) => sessionId);
  if (ids.includes(reference)) return reference;
  const [only, ...others] = reference.length === 8 ? ids.filter((id) => id.endsWith(reference)) : [];
  return others.length === 0 ? only : undefined;
}

async function unknownTalk(reference: string | undefined): Promise<Error> {
  const { MemoryError } = await import("../../index.js");
  return new MemoryError(
    "invalid-input",
    reference === undefined
      ? "There is no conversation in this project yet."
      : `No conversation ${JSON.stringify(brief(reference))} is known here.`,
    `${reference === undefined ? "" : "tacit chat list names them. "}The first turn begins one: tacit chat log SESSION user "…"`,
  );
}

/** Before the store is opened: an empty variable of a script is the usual reason. */
export async function refuseBlankSession(sessionId: string): Promise<void> {
  if (sessionId.trim() !== "") return;
  throw await wrongUsage("The id of the conversation is empty.", "tacit chat list names those that there are.");
}

/** Texts that are printed alone, where nothing else takes the power out of them. */
export async function cleaned(texts: string[]): Promise<string[]> {
  const { neutralise } = await import("../../index.js");
  return texts.map((text) => neutralise(text));
}
