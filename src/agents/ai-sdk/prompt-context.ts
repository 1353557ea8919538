import type { InjectOptions, Moment } from "../../index.js";
import type { AgentMemory } from "../agent-memory.js";
import type { ReachedMemory } from "./reach-memory.js";
import {
  dropOldest,
  findConversation,
  isAnswered,
  openConversations,
  type InjectedConversation,
  type InjectedConversations,
  type InjectedText,
} from "./injected-conversations.js";
import { joined, listWritten, placeOf, withMore, type SdkMessage } from "./sdk-messages.js";

/** What conversations are told with their prompts. */
export interface PromptContext {
  /** Announces the last prompt where it was just written, and asks what is to be told with it where that is not known yet. */
  hear: (messages: readonly SdkMessage[], announce?: (prompt: string) => void) => Promise<void>;
  /** Every prompt with what was told with it, always in the same place; the same list where there is nothing. */
  place: <M extends SdkMessage>(messages: M[], changed?: (told: M, original: M) => void) => M[];
  /** The same in one text. */
  text: (messages: readonly SdkMessage[]) => string;
}

export interface PromptContextOptions extends InjectOptions {
  sessionId: string;
  agentId?: string | undefined;
  /** The files in play. */
  files?: readonly string[] | undefined;
  /** Those that were told before. */
  conversations?: InjectedConversations;
  /** Makes every conversation but the first a session of its own: for what has no end. */
  isEndless?: boolean;
}

// Far more than a conversation has prompts, and than go on at a time; beyond them the oldest go.
const maxPrompts = 500;
const maxConversations = 200;

/**
 * Tells at the start and with each prompt. A program keeps its messages without what was told, and no memory is told twice in
 * a conversation: so each text is put back beside its prompt in every later call. That also keeps the beginning of what a
 * model gets the same, which is what caches of prompts go by.
 */
export function openPromptContext(memory: ReachedMemory, options: PromptContextOptions): PromptContext {
  const { sessionId, agentId, files, conversations = openConversations(), isEndless = false, ...how } = options;
  const inPlay = files && files.length > 0 ? { files } : {};
  const whoseOf = (conversation: InjectedConversation) => ({
    sessionId: conversation.sessionId,
    ...(agentId !== undefined && { agentId }),
  });

  const ask = async (moment: Moment, before?: (opened: AgentMemory) => Promise<void>): Promise<string> => {
    if (how.mode === "none") return "";
    const work = async (opened: AgentMemory) => {
      await before?.(opened);
      return (await opened.inject(moment, how)).text;
    };
    return memory.ask("", work, patienceFor(how));
  };
  /** What a session was told in one conversation, nobody has in mind in the next, nor where it began elsewhere. */
  const tellStart = async (conversation: InjectedConversation, told: InjectedText, isBegun: boolean): Promise<void> => {
    const whose = whoseOf(conversation);
    const isNext = !isEndless && conversations.all.length > 1;
    const others = isNext ? conversations.asking : undefined;
    const continues = isBegun ? { continues: "compacted" as const } : {};
    const text = await ask({ ...whose, point: "session-start", ...inPlay, ...continues }, async (opened) => {
      await others;
      if (isNext || isBegun) opened.observe({ ...whose, kind: "compacted" });
    });
    conversation.opening = { prompt: told.prompt, nth: told.nth, text };
  };
  const tellPrompt = async (conversation: InjectedConversation, told: InjectedText): Promise<void> => {
    const { prompt } = told;
    if (prompt.trim() === "") return;
    told.text = await ask({ ...whoseOf(conversation), point: "prompt", prompt, ...inPlay });
  };
  const begin = (): InjectedConversation => {
    const isOther = isEndless && conversations.all.length > 0;
    const conversation: InjectedConversation = {
      sessionId: isOther ? crypto.randomUUID() : sessionId,
      known: new Set(),
      told: new Map(),
    };
    conversations.all = [...conversations.all.slice(1 - maxConversations), conversation];
    return conversation;
  };
  const placed = (messages: readonly SdkMessage[]): Map<number, string> => {
    const places = new Map<number, string>();
    const written = listWritten(messages);
    // Where a program has changed a prompt for this step only.
    const conversation = findConversation(conversations, messages, written) ?? conversations.all.at(-1);
    const put = (at: number, text: string) => places.set(at, joined(places.get(at) ?? "", text));
    const { opening, told } = conversation ?? { told: new Map<string, InjectedText>() };
    if (opening) {
      const at = placeOf(written, opening);
      put(at === -1 ? (written[0]?.at ?? -1) : at, opening.text);
    }
    for (const one of told.values()) put(placeOf(written, one), one.text);
    return new Map([...places].filter(([at, text]) => at !== -1 && text !== ""));
  };

  return {
    hear: async (messages, announce = () => {}) => {
      const written = listWritten(messages);
      const last = written.at(-1);
      if (last === undefined) return;
      if (last.at === messages.length - 1) announce(last.prompt);
      const found = findConversation(conversations, messages, written);
      const conversation = found ?? begin();
      for (const { prompt } of written) conversation.known.add(prompt);
      dropOldest(conversation.known, maxPrompts);
      const key = `${last.nth} ${last.prompt}`;
      let told = conversation.told.get(key);
      if (!told) {
        const made: InjectedText = { prompt: last.prompt, nth: last.nth, text: "", asking: Promise.resolve() };
        const start = found ? undefined : tellStart(conversation, made, isAnswered(messages, written));
        made.asking = Promise.resolve(start).then(() => tellPrompt(conversation, made));
        conversation.told.set(key, made);
        dropOldest(conversation.told, maxPrompts);
        conversations.asking = Promise.all([conversations.asking, made.asking]);
        told = made;
      }
      // Of a call that runs at the same time with the same prompt.
      await told.asking;
    },
    place: (messages, changed = () => {}) => {
      const places = placed(messages);
      if (places.size === 0) return messages;
      return messages.map((message, index) => {
        const text = places.get(index);
        if (text === undefined) return message;
        const more = withMore(message, text);
        changed(more, message);
        return more;
      });
    },
    text: (messages) => joined(...[...placed(messages)].toSorted(([a], [b]) => a - b).map(([, text]) => text)),
  };
}

/** A little longer than the memory itself may take, where the program says how long that is. */
export function patienceFor({ deadlineMs }: InjectOptions): number | undefined {
  return deadlineMs === undefined ? undefined : deadlineMs + 200;
}
