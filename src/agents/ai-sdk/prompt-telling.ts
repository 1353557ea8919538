import type { InjectOptions, Moment } from "../../index.js";
import type { ReachedMemory } from "./reach-memory.js";
import { joined, lastWritten, placeOf, withMore, type SdkMessage } from "./told-messages.js";

/** What a conversation is told with its prompts. */
export interface PromptTelling {
  /** Asks what is to be told with the last prompt. One that is new is announced first; one that was heard is not asked about. */
  hear: (messages: readonly SdkMessage[], announce?: (prompt: string) => void) => Promise<void>;
  /** Every prompt with what was told with it, always in the same place; the same list where there is nothing. */
  place: <M extends SdkMessage>(messages: M[], changed?: (told: M, original: M) => void) => M[];
  /** The same in one text. */
  text: (messages: readonly SdkMessage[]) => string;
}

export interface TellingOptions extends InjectOptions {
  sessionId: string;
  agentId?: string | undefined;
  /** The files in play. */
  files?: readonly string[] | undefined;
}

// Far more than a conversation has prompts; beyond it the oldest go.
const mostPrompts = 500;

/**
 * Tells at the start and with each prompt. A program keeps its messages without what was told, and no memory is told twice in
 * a session: so each text is put back beside its prompt in every later call. That also keeps the beginning of what a model
 * gets the same, which is what caches of prompts go by.
 */
export function openPromptTelling(memory: ReachedMemory, options: TellingOptions): PromptTelling {
  const { sessionId, agentId, files, ...how } = options;
  const whose = { sessionId, ...(agentId !== undefined && { agentId }) };
  const inPlay = files && files.length > 0 ? { files } : {};
  const told = new Map<string, { count: number; text: string; asking: Promise<void> }>();
  let hasBegun = false;
  let opening: { prompt: string; text: string } | undefined;

  const ask = async (moment: Moment): Promise<string> => {
    if (how.mode === "none") return "";
    return memory.ask("", async (opened) => (await opened.inject(moment, how)).text, patienceFor(how));
  };
  const tellAll = async (prompt: string, isContinued: boolean | undefined, entry: { text: string }): Promise<void> => {
    if (isContinued !== undefined) {
      if (isContinued) memory.tell((opened) => opened.observe({ ...whose, kind: "compacted" }));
      const continues = isContinued ? { continues: "compacted" as const } : {};
      opening = { prompt, text: await ask({ ...whose, point: "session-start", ...inPlay, ...continues }) };
    }
    if (prompt.trim() === "") return;
    entry.text = joined(entry.text, await ask({ ...whose, point: "prompt", prompt, ...inPlay }));
  };
  const placed = (messages: readonly SdkMessage[]): Map<number, string> => {
    const places = new Map<number, string>();
    const put = (at: number, text: string) => places.set(at, joined(places.get(at) ?? "", text));
    if (opening) {
      const at = placeOf(messages, opening.prompt);
      put(at === -1 ? messages.findIndex(({ role }) => role === "user") : at, opening.text);
    }
    for (const [prompt, { text }] of told) put(placeOf(messages, prompt), text);
    return new Map([...places].filter(([at, text]) => at !== -1 && text !== ""));
  };

  return {
    hear: async (messages, announce = () => {}) => {
      const last = lastWritten(messages);
      if (last === undefined) return;
      const { prompt, count } = last;
      const known = told.get(prompt) ?? { count: 0, text: "", asking: Promise.resolve() };
      if (known.count < count) {
        announce(prompt);
        known.count = count;
        // Begun elsewhere, as where each request of a server has the session anew: what was told there is not in its messages.
        const isContinued = hasBegun ? undefined : messages.some(({ role }) => role === "assistant");
        known.asking = tellAll(prompt, isContinued, known);
        hasBegun = true;
        told.set(prompt, known);
        const [oldest] = told.keys();
        if (told.size > mostPrompts && oldest !== undefined) told.delete(oldest);
      }
      // Of a call that runs at the same time with the same prompt.
      await known.asking;
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
