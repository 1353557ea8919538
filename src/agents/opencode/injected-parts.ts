import type { Message, MessagePart } from "./opencode-hooks.js";

// By which a part of ours is known, also in a session that was begun by another process.
const mark = { tacit: "told" };

/**
 * The part of a message that holds what its agent is told. It is kept in the session and, as it is, sent to no model: opencode
 * also has the first message of a session read by a model that gives it a title, and that is to be told nothing.
 */
export function injectedPart(
  text: string,
  message: { id: string; sessionID: string },
  before: readonly MessagePart[],
): MessagePart {
  return {
    // Parts are read in the order of their ids, and this one comes after the others.
    id: `${
      before
        .map(({ id }) => id)
        .toSorted()
        .at(-1) ?? `prt_${message.id}`
    }tacit`,
    sessionID: message.sessionID,
    messageID: message.id,
    type: "text",
    text,
    synthetic: true,
    ignored: true,
    metadata: mark,
  };
}

/**
 * Lets the model of a conversation read what it was told. Messages that hold something of it are put in the place of the old
 * ones and not changed: the request for a title may still hold those.
 */
export function revealInjected(messages: Message[]): void {
  for (const [index, message] of messages.entries()) {
    if (!message.parts.some(isTold)) continue;
    messages[index] = { ...message, parts: message.parts.map((part) => (isTold(part) ? revealed(part) : part)) };
  }
}

function isTold(part: MessagePart): boolean {
  return part.ignored === true && part.metadata?.["tacit"] === mark.tacit;
}

function revealed(part: MessagePart): MessagePart {
  return { ...part, ignored: false };
}
