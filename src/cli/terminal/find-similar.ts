/**
 * The candidate that the word was probably meant to be, if there is one near enough.
 *
 * @example
 * findSimilar("gotca", ["gotcha", "note"]) // "gotcha"
 */
export function findSimilar(word: string, candidates: readonly string[]): string | undefined {
  const nearest = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  // A third of the letters wrong is still the same word to a person; "x" is like nothing.
  if (!nearest || nearest.distance > Math.floor(Math.max(word.length, nearest.candidate.length) / 3)) return undefined;
  return nearest.candidate;
}

/** Letters added, left out, exchanged or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      }
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
