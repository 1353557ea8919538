import type { SdkMessage, WrittenPrompt } from "./sdk-messages.js";

/** What was told with a prompt. */
export interface InjectedText extends Omit<WrittenPrompt, "at"> {
  text: string;
  /** Over when it is known what that is. Never rejects. */
  asking: Promise<void>;
}

/** Messages that go on from call to call. A program that sends none of the earlier ones begins another. */
export interface InjectedConversation {
  sessionId: string;
  /** The prompts that were seen in it. */
  known: Set<string>;
  /** By the prompt and which of those with its text. */
  told: Map<string, InjectedText>;
  /** What was told at its start, with this prompt. */
  opening?: Omit<InjectedText, "asking">;
}

/** The conversations of a session, oldest first. */
export interface InjectedConversations {
  all: InjectedConversation[];
  /** Over when nobody is being told anything. Never rejects. */
  asking: Promise<unknown>;
}

export function openConversations(): InjectedConversations {
  return { all: [], asking: Promise.resolve() };
}

// A server has that many people at once; who comes back later is told again.
const maxSessions = 200;
const shared = new WeakMap<object, Map<string, InjectedConversations>>();

/** Those of a session that is made anew by its id, on the same memory: what was told in it stays in its place. */
export function shareConversations(memory: object, id: string): InjectedConversations {
  const byId = shared.get(memory) ?? new Map<string, InjectedConversations>();
  shared.set(memory, byId);
  const found = byId.get(id) ?? openConversations();
  byId.delete(id);
  byId.set(id, found);
  dropOldest(byId, maxSessions);
  return found;
}

/**
 * The conversation that these messages are of: of those that know most of what was written before the last prompt, the one
 * that knows most of it. Without an answer in between they go on with nothing: then it is one that knows the last prompt, too.
 */
export function findConversation(
  { all }: InjectedConversations,
  messages: readonly SdkMessage[],
  written: readonly WrittenPrompt[],
): InjectedConversation | undefined {
  const before = written.slice(0, -1);
  const last = written.at(-1)?.prompt ?? "";
  let found: InjectedConversation | undefined;
  let most = 0;
  for (const one of all) {
    const seen = before.filter(({ prompt }) => one.known.has(prompt)).length;
    const isOfIt = before.length === 0 || seen * 2 > before.length;
    const knowsLast = one.known.has(last);
    if (!isOfIt || !(knowsLast || isAnswered(messages, written))) continue;
    const weight = seen + (knowsLast ? written.length : 0);
    if (weight < most) continue;
    [found, most] = [one, weight];
  }
  return found;
}

/** Whether somebody had an answer before the last prompt. A greeting is none. */
export function isAnswered(messages: readonly SdkMessage[], written: readonly WrittenPrompt[]): boolean {
  const [first, last] = [written[0]?.at, written.at(-1)?.at];
  return messages.slice(first, last).some(({ role }) => role === "assistant");
}

/** Keeps the newest of a set or map. */
export function dropOldest(list: Set<unknown> | Map<unknown, unknown>, most: number): void {
  for (const key of list.keys()) {
    if (list.size <= most) return;
    list.delete(key);
  }
}
