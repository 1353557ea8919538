import { idFrom } from "../../base/ids/ids.js";
import type { IncomingTurn } from "../turns/append-turns.js";
import type { ChatLine } from "./chat-line.js";

/** The session of a line. To be asked of every line of a source in its order. */
export type SessionOfLine = (line: ChatLine) => string;

export interface ChatPlace {
  /** Of lines that name none; of several whole conversations the first, the others are numbered. */
  sessionId?: string;
  /** The file by its real path. Absent for what is read from a pipe. */
  path?: string;
  /** How the lines that name no session begin, for a pipe. */
  beginning?: readonly IncomingTurn[];
}

/**
 * Tells to which session each line belongs: the one that it names, else the one that is given, else one that follows from the
 * file; from a pipe, from how the talk begins. So a file that has grown is known again, and two chats that begin alike are two.
 */
export function openSessions({ sessionId: given, path, beginning = [] }: ChatPlace): SessionOfLine {
  let wholes = 0;
  const usual = given ?? (path === undefined ? fromBeginning(beginning) : idFrom("chat-file", path));
  const whole = ({ messages }: ChatLine): string => {
    wholes += 1;
    if (given !== undefined) return wholes === 1 ? given : `${given}-${wholes}`;
    if (path !== undefined) return idFrom("chat-file", path, String(wholes));
    const turns = messages.flatMap((message) => message.turns);
    return fromBeginning(turns.slice(0, beginningOf(turns) ?? turns.length), String(wholes));
  };
  return (line) => line.sessionId ?? (line.isWhole ? whole(line) : usual);
}

// Enough to tell talks apart that are opened by the same greeting.
const maxTurns = 5;

/** How many of the turns tell a talk from others: those up to the first answer; undefined where more may be needed. */
export function beginningOf(turns: readonly IncomingTurn[]): number | undefined {
  const answer = turns.findIndex(({ role }) => role === "assistant");
  const count = answer === -1 ? maxTurns : Math.min(answer + 1, maxTurns);
  return turns.length < count ? undefined : count;
}

function fromBeginning(turns: readonly IncomingTurn[], ...more: string[]): string {
  return idFrom(
    "chat-lines",
    ...turns.flatMap(({ role, timestamp = "", content }) => [role, timestamp, content]),
    ...more,
  );
}
