/** Who speaks at the beginning of a turn, and what follows: "Ada Lovelace: yes" is Ada Lovelace's "yes". */
const turn = /^\s*(\p{L}[\p{L}\p{M}\p{N}.'’_-]{0,30}(?: \p{L}[\p{L}\p{M}\p{N}.'’_-]{0,30}){0,2}):\s+/u;

/** The speaker whom a turn names at its beginning. */
export function findSpeaker(text: string): string | undefined {
  return turn.exec(text)?.[1];
}

/** What is said, without who says it. */
export function withoutSpeaker(text: string): string {
  return text.replace(turn, "");
}
