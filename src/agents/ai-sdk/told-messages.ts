/** A message as both versions of the SDK have it; that of a model has parts where that of a program may have text. */
export interface SdkMessage {
  role: string;
  content: unknown;
}

/** What a person wrote last, and how often; undefined where nobody wrote anything. */
export function lastWritten(messages: readonly SdkMessage[]): { prompt: string; count: number } | undefined {
  const last = messages.findLast(({ role }) => role === "user");
  if (last === undefined) return undefined;
  const prompt = textOfMessage(last);
  return { prompt, count: messages.filter((message) => isPrompt(message, prompt)).length };
}

/** Where a prompt was written last; -1 where it was not. */
export function placeOf(messages: readonly SdkMessage[], prompt: string): number {
  return messages.findLastIndex((message) => isPrompt(message, prompt));
}

function isPrompt(message: SdkMessage, prompt: string): boolean {
  return message.role === "user" && textOfMessage(message) === prompt;
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
