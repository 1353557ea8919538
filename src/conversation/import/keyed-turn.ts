import { createHash } from "node:crypto";
import type { IncomingTurn } from "../turns/append-turns.js";

/** A turn with what its id follows from, so that it is kept once however often it is imported. */
export interface KeyedTurn extends IncomingTurn {
  key: string;
}

export interface SessionTurn {
  sessionId: string;
  turn: KeyedTurn;
}

/**
 * Gives turns their keys: by who said what when, and which of several alike it is. A file that is read again, and is longer by
 * then, gives the same turns the same keys. Takes some 40 bytes a turn.
 *
 * @example
 * const keyed = openKeys();
 * keyed("s1", { role: "user", content: "Yes." }).key !== keyed("s1", { role: "user", content: "Yes." }).key // true
 */
export function openKeys(): (sessionId: string, turn: IncomingTurn) => KeyedTurn {
  const seen = new Map<number, number>();
  return (sessionId, turn) => {
    const { role, timestamp = "", content } = turn;
    const said = createHash("sha256")
      .update(JSON.stringify([role, timestamp, content]))
      .digest();
    // Of another turn with the same number it is the second, which it is again at the next time.
    const number = createHash("sha256").update(sessionId).update(said).digest().readUIntBE(0, 6);
    const count = (seen.get(number) ?? 0) + 1;
    seen.set(number, count);
    return { ...turn, key: `${said.toString("base64url")}${count === 1 ? "" : ` ${count}`}` };
  };
}

/** What a store cannot hold (NUL, half of a surrogate pair) as the sign for what could not be read. */
export function storable(text: string): string {
  return text.replaceAll(/[\0\p{Surrogate}]/gu, "\u{FFFD}");
}

// More names than that say no more, and a name may be anything.
const maxTools = 50;
const longestName = 100;

/** Names of tools, each once and in their order, as a turn may carry them. */
export function toolNames(names: Iterable<unknown>): string[] {
  const known = new Set<string>();
  for (const name of names) {
    if (typeof name !== "string" || known.size >= maxTools) continue;
    const clean = storable(name).replaceAll(/\s+/g, " ").trim().slice(0, longestName);
    if (clean !== "") known.add(storable(clean));
  }
  return [...known];
}

/** What a turn says in which tools were used and nothing was said. */
export function usedOnly(tools: readonly string[]): string {
  return `[used ${tools.join(", ")}]`;
}
