/**
 * Those of the names that are most like a word, best first. What is like the end of a name is like the name: the file's
 * name of a path, the symbol of an id, its last name.
 *
 * @example
 * closeNames("readStor", ["src/a.ts#readStore", "src/b.ts"], 5) // ["src/a.ts#readStore"]
 */
export function closeNames(word: string, names: readonly string[], most: number): string[] {
  const wanted = pairsOf(word);
  return names
    .map((name) => ({ name, likeness: Math.max(...endsOf(name).map((end) => likeness(wanted, pairsOf(end)))) }))
    .filter((found) => found.likeness >= 0.5)
    .toSorted((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

function endsOf(name: string): string[] {
  const end = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("#")) + 1);
  return name.includes("#") ? [name, end, end.slice(end.lastIndexOf(".") + 1)] : [name, end];
}

function pairsOf(text: string): Set<string> {
  const letters = ` ${text.toLowerCase()} `;
  const pairs = new Set<string>();
  for (let at = 0; at < letters.length - 1; at++) pairs.add(letters.slice(at, at + 2));
  return pairs;
}

/** How many of their pairs of letters two texts share, from 0 to 1: letters in another order count little. */
function likeness(a: Set<string>, b: Set<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
