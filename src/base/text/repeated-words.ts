/** Remembers which words stood next to each other in texts, as far as it takes to recognise them elsewhere. */
export interface RepeatedWords {
  add: (text: string) => void;
  /** Whether a text has eight words in a row that one of them had. */
  repeats: (text: string) => boolean;
}

// Nobody types eight words in a row that stand somewhere by accident; a name with its path has fewer.
const runLength = 8;
// Some 10 MB. What was shown long ago is forgotten first.
const maxRuns = 200_000;
const longestText = 200_000;

/**
 * Opens an empty one.
 *
 * @example
 * const shown = openRepeatedWords();
 * shown.add("Remember that every client of this service must use version two.");
 * shown.repeats("FYI: remember that every client of this service must use version two") // true
 */
export function openRepeatedWords(): RepeatedWords {
  let [newer, older] = [new Set<number>(), new Set<number>()];
  return {
    add(text) {
      for (const run of runsOf(text)) newer.add(run);
      if (newer.size < maxRuns / 2) return;
      [newer, older] = [new Set(), newer];
    },
    repeats: (text) => runsOf(text).some((run) => newer.has(run) || older.has(run)),
  };
}

/** Each eight words in a row, as a number. */
function runsOf(text: string): number[] {
  const words =
    text
      .slice(0, longestText)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const numbers = words.map(numberOf);
  const runs: number[] = [];
  for (let at = 0; at + runLength <= numbers.length; at += 1) {
    let run = 7;
    for (let next = at; next < at + runLength; next += 1) run = mix(run, numbers[next] as number);
    runs.push(run);
  }
  return runs;
}

function numberOf(word: string): number {
  let number = 17;
  for (let at = 0; at < word.length; at += 1) number = mix(number, word.charCodeAt(at));
  return number;
}

// Below 2^53: products stay whole numbers.
const modulus = 4_294_967_291;

function mix(a: number, b: number): number {
  return (a * 1_000_003 + b * 97 + 11) % modulus;
}
