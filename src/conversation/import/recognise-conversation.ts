import { splitLines } from "../../observer/transcripts/transcripts.js";
import { parseChatLine } from "./chat-line.js";
import { importRefused } from "./import-refused.js";
import { isFields, type Fields } from "./message-parts.js";
import { shapes, unfold } from "./message-shapes.js";
import type { Source } from "./open-source.js";

const longestLine = 16_000_000;

/**
 * What a source is, by the first line that tells: those before it may be cut, or say nothing. Refused where none does. A
 * transcript of Claude Code is one only where a line has its type, its session and its message: others write `type` too.
 */
export async function recogniseConversation(source: Source): Promise<"transcript" | "chat-lines"> {
  let first: { text: string | undefined; number: number } | undefined;
  let number = 0;
  for await (const { bytes } of splitLines(source.open(), longestLine, () => undefined)) {
    number += 1;
    const text = bytes && decoder.decode(bytes).trim();
    if (text === "") continue;
    first ??= { text, number };
    const fields = fieldsOf(text);
    if (!fields) continue;
    if (isOfTranscript(fields)) return "transcript";
    // What Claude Code notes for itself has its type and its session, and some of it a content.
    const isNoted = typeof fields["sessionId"] === "string" && typeof fields["uuid"] === "string";
    if (!isNoted && unfold(fields)) return "chat-lines";
  }
  if (!first) throw importRefused(source.name, "there is nothing in it.", "Name a file with one message a line.");
  const origin = `${source.name}:${first.number}`;
  if (first.text === undefined)
    throw importRefused(origin, "this line is longer than 16 MB.", "Each line is one message.");
  // What is no JSON is refused by its first line.
  if (!fieldsOf(first.text)) parseChatLine(first.text, origin);
  throw importRefused(source.name, "there is no conversation in it that Tacit can read.", shapes);
}

const decoder = new TextDecoder();

function fieldsOf(text: string | undefined): Fields | undefined {
  if (!text?.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOfTranscript({ type, sessionId, message, attachment }: Fields): boolean {
  if (typeof sessionId !== "string") return false;
  return (
    ((type === "user" || type === "assistant") && isFields(message)) || (type === "attachment" && isFields(attachment))
  );
}
