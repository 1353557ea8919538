const longest = 40;

/**
 * What somebody typed, short enough for an error message: the first line of it, at most 40 characters. The rest may
 * be a key that was pasted in the wrong place.
 *
 * @example
 * brief("-----BEGIN KEY-----\nMIIE…") // "-----BEGIN KEY-----…"
 */
export function brief(typed: string): string {
  const [first = ""] = typed.trim().split(/[\r\n\v\f\u0085\u2028\u2029]/, 1);
  const characters = Array.from(first.trimEnd());
  if (characters.length <= longest && first === typed.trim()) return first;
  return `${characters
    .slice(0, longest - 1)
    .join("")
    .trimEnd()}…`;
}
