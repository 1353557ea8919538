const citationLength = 40;

/** The beginning of a text in at most 40 characters, whole words where it can be. */
export function cite(content: string): string {
  const line = content.replace(/\s+/g, " ").trim();
  if (line.length <= citationLength) return line;
  // A character has at most two units, and a text may be long.
  const characters = Array.from(line.slice(0, 2 * citationLength + 1));
  if (characters.length <= citationLength) return line;
  const cut = characters.slice(0, citationLength - 1).join("");
  const lastBlank = cut.lastIndexOf(" ");
  return `${(lastBlank > citationLength / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`;
}
