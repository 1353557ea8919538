/**
 * Names in a sentence.
 *
 * @example
 * listOf(["a", "b", "c"]) // "a, b and c"
 */
export function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
