import { splitLines, type RawLine } from "../../observer/transcripts/transcripts.js";
import type { IncomingTurn } from "../turns/append-turns.js";
import { parseChatLine, type ChatLine, type ChatMessage } from "./chat-line.js";
import { beginningOf, type SessionOfLine } from "./chat-sessions.js";
import { importRefused } from "./import-refused.js";
import { openKeys, type SessionTurn } from "./keyed-turn.js";

export interface ChatLinesOptions {
  /** For errors: the file. */
  name: string;
  sessionOf: SessionOfLine;
  /** The turns of a message as they are to be kept. Default: as they are. */
  judged?: (sessionId: string, message: ChatMessage) => IncomingTurn[];
  /** Hears of lines in which nothing was said. */
  onSilent?: (line: number) => void;
}

// More than anybody says at once; a file without line ends must not fill the memory.
const longestLine = 16_000_000;

/**
 * The turns of a chat in JSON Lines, one after the other; nothing is held but the line at hand. Blank lines, CRLF and a
 * byte order mark do no harm. The first line that is wrong is refused by its number.
 *
 * @example
 * for await (const { turn } of readChatLines(createReadStream(path), { name: path, sessionOf: openSessions({ path }) })) …
 */
export async function* readChatLines(
  source: AsyncIterable<Uint8Array>,
  { name, sessionOf, judged = (_, { turns }) => turns, onSilent }: ChatLinesOptions,
): AsyncGenerator<SessionTurn, void, undefined> {
  const keyed = openKeys();
  for await (const { line, number } of readLines(source, name)) {
    const sessionId = sessionOf(line);
    if (line.messages.every(({ turns }) => turns.length === 0)) onSilent?.(number);
    for (const message of line.messages) {
      for (const turn of judged(sessionId, message)) yield { sessionId, turn: keyed(sessionId, turn) };
    }
  }
}

/** How the lines begin that name no session, as far as it tells them from others. */
export async function readChatBeginning(source: AsyncIterable<Uint8Array>, name: string): Promise<IncomingTurn[]> {
  const turns: IncomingTurn[] = [];
  for await (const { line } of readLines(source, name)) {
    if (line.sessionId !== undefined || line.isWhole) continue;
    turns.push(...line.messages.flatMap((message) => message.turns));
    const enough = beginningOf(turns);
    if (enough !== undefined) return turns.slice(0, enough);
  }
  return turns;
}

async function* readLines(
  source: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<{ line: ChatLine; number: number }, void, undefined> {
  let number = 0;
  for await (const raw of splitLines(source, longestLine, () => undefined)) {
    number += 1;
    const origin = `${name}:${number}`;
    const text = decode(raw, origin, number === 1);
    if (text.trim() !== "") yield { line: parseChatLine(text, origin), number };
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode({ bytes }: RawLine, origin: string, isFirst: boolean): string {
  if (!bytes) throw importRefused(origin, "this line is longer than 16 MB.", "Each line is one message.");
  try {
    const text = decoder.decode(bytes);
    return isFirst ? text.replace(/^\uFEFF/, "") : text;
  } catch (cause) {
    throw importRefused(origin, "the text is not UTF-8.", "Convert it first, for example with iconv.", cause);
  }
}
