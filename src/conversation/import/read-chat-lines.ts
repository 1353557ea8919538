import { idFrom } from "../../base/ids.js";
import { splitLines, type RawLine } from "../../observer/adapters/split-lines.js";
import { parseChatLine } from "./chat-line.js";
import { importRefused } from "./import-refused.js";
import { openKeys, type SessionTurn } from "./keyed-turn.js";

export interface ChatLinesOptions {
  /** For errors: the file. */
  name: string;
  /** Of lines that name no session. Default: one that follows from the first of them. */
  sessionId?: string;
  /** Hears of lines in which nothing was said. */
  onSilent?: (line: number) => void;
}

// More than anybody says at once; a file without line ends must not fill the memory.
const longestLine = 16_000_000;

/**
 * The turns of role/content JSON Lines, one after the other; nothing is held but the line at hand. Blank lines, CRLF and a
 * byte order mark do no harm. The first line that is wrong is refused by its number.
 *
 * @example
 * for await (const { turn } of readChatLines(createReadStream("chat.jsonl"), { name: "chat.jsonl" })) …
 */
export async function* readChatLines(
  source: AsyncIterable<Uint8Array>,
  { name, sessionId: given, onSilent }: ChatLinesOptions,
): AsyncGenerator<SessionTurn, void, undefined> {
  const keyed = openKeys();
  let usual = given;
  let number = 0;
  for await (const raw of splitLines(source, longestLine, () => undefined)) {
    number += 1;
    const origin = `${name}:${number}`;
    const text = decode(raw, origin, number === 1);
    if (text.trim() === "") continue;
    const { turn, sessionId = usual } = parseChatLine(text, origin);
    if (!turn) {
      onSilent?.(number);
      continue;
    }
    const id = sessionId ?? (usual = idFrom("chat-lines", turn.role, turn.timestamp ?? "", turn.content));
    yield { sessionId: id, turn: keyed(id, turn) };
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
