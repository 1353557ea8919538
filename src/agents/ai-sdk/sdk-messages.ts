/** A message as both versions of the SDK have it; that of a model has parts where that of a program may have text. */
export interface SdkMessage {
  role: string;
  content: unknown;
}

/** Something that a person wrote. */
export interface WrittenPrompt {
  prompt: string;
  /** Which of those with the same text, from 1. */
  nth: number;
  /** Its place among the messages. */
  at: number;
}

/** What a person wrote, oldest first. */
export function listWritten(messages: readonly SdkMessage[]): WrittenPrompt[] {
  const counts = new Map<string, number>();
  return messages.flatMap((message, at) => {
    if (message.role !== "user") return [];
    const prompt = textOfMessage(message);
    const nth = (counts.get(prompt) ?? 0) + 1;
    counts.set(prompt, nth);
    return [{ prompt, nth, at }];
  });
}

/** Where a prompt stands; the last with its text where there are fewer, as of a history that was cut; -1 where there is none. */
export function placeOf(written: readonly WrittenPrompt[], { prompt, nth }: Omit<WrittenPrompt, "at">): number {
  const same = written.filter((one) => one.prompt === prompt);
  return (same[nth - 1] ?? same.at(-1))?.at ?? -1;
}

/** What somebody wrote, without pictures and files. */
export function textOfMessage({ content }: SdkMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((part: unknown) => (isTextPart(part) ? [part.text] : [])).join("\n");
}

/**
 * A message with something more at its end. It stays one message, and one text where it was one: there are models that take
 * no second user message after the first, and servers that take no list of texts.
 */
export function withMore<M extends SdkMessage>(message: M, more: string): M {
  const { content } = message;
  if (typeof content === "string") return { ...message, content: joined(content, more) };
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const [only, ...others] = parts;
  const isOneText = isTextPart(only) && others.length === 0;
  return {
    ...message,
    content: isOneText ? [{ ...only, text: joined(only.text, more) }] : [...parts, { type: "text", text: more }],
  };
}

/** Texts one after the other, without those that say nothing. */
export function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

function isTextPart(part: unknown): part is { type: "text"; text: string } {
  const { type, text } = (part ?? {}) as Record<string, unknown>;
  return type === "text" && typeof text === "string";
}
