/**
 * A line of `tacit` as a person can run it in a shell, whatever its words are.
 *
 * @example
 * commandLine("flag", "port", "It costs $5.") // "tacit flag port 'It costs $5.'"
 */
export function commandLine(...words: unknown[]): string {
  return ["tacit", ...words.map(String)].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w./=:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
