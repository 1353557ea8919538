/**
 * A number with its noun.
 *
 * @example
 * countOf(2, "memory") // "2 memories"
 */
export function countOf(count: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}
