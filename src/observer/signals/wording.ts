import { plainLine } from "../../base/input/input.js";

/** A name as it stands in a sentence: between backticks, which it may not hold itself. */
export function code(text: string, most = 200): string {
  return `\`${shorten(text.replaceAll("`", "'"), most)}\``;
}

/** Names in a sentence: "`a`, `b` and `c`". */
export function codes(texts: readonly string[]): string {
  const named = texts.map((text) => code(text));
  return named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

/** A text in one line that is at most so long, cut between words where it can be. */
export function shorten(text: string, most: number): string {
  return plainLine(text, most);
}

/** A text as a sentence: a capital first, except for what is between backticks or a name, and a full stop last. */
export function sentence(text: string): string {
  const bare = text.trim().replace(/[\s,;:]+$/, "");
  if (bare === "") return "";
  const first = name.test(bare) ? bare : bare.charAt(0).toUpperCase() + bare.slice(1);
  return /[.!?…]["”')]?$/.test(first) ? first : `${first}.`;
}

/** `sessions.ts`, `src/auth`, `user_id` and `openStore` are not the same with a capital. */
const name = /^[\w@-]+[./_]\w|^[a-z]+[A-Z]/;
