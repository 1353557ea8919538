import type { LineThen } from "./compare-plan.js";
import type { Line } from "./line.js";

// Of eight pairs that were tried, edits of one sentence are 0.40 to 0.86 alike, sentences about different things 0.17 to 0.32.
const alikeInPlace = 0.35;
export const alikeElsewhere = 0.6;

// The beginning of a text tells; the rest would cost time.
const comparedCharacters = 400;
// A file of thousands of new lines was not made by changing a hundred of ours.
const maxPairs = 40_000;

/** Which lines that are gone became which new ones: the likeliest pairs first, each line once. */
export function pairLines(
  gone: readonly LineThen[],
  added: readonly Line[],
  places: ReadonlyMap<LineThen | Line, number>,
): Map<LineThen, Line> {
  const pairs = new Map<LineThen, Line>();
  if (gone.length * added.length > maxPairs) return pairs;
  const taken = new Set<Line>();
  const candidates = gone
    .flatMap((line) => added.map((statement) => ({ line, statement, ...compare(line, statement, places) })))
    .filter(({ alike, inPlace }) => alike >= (inPlace ? alikeInPlace : alikeElsewhere))
    // In place counts as much as a quarter of the text.
    .toSorted((a, b) => b.alike + (b.inPlace ? 0.25 : 0) - (a.alike + (a.inPlace ? 0.25 : 0)));
  for (const { line, statement } of candidates) {
    if (pairs.has(line) || taken.has(statement)) continue;
    pairs.set(line, statement);
    taken.add(statement);
  }
  return pairs;
}

function compare(
  line: LineThen,
  statement: Line,
  places: ReadonlyMap<LineThen | Line, number>,
): { alike: number; inPlace: boolean } {
  const said = line.isEverywhere === statement.isEverywhere ? line.said : [];
  return {
    alike: Math.max(0, ...said.map((text) => likeness(text, statement.text))),
    inPlace: places.get(line) === places.get(statement),
  };
}

/** How alike two texts are, 0 to 1, by the pairs of letters that they share; in any script. */
export function likeness(a: string, b: string): number {
  const [pairsOfA, pairsOfB] = [letterPairs(a), letterPairs(b)];
  let shared = 0;
  for (const [pair, count] of pairsOfA) shared += Math.min(count, pairsOfB.get(pair) ?? 0);
  const all = sum(pairsOfA) + sum(pairsOfB);
  return all === 0 ? 0 : (2 * shared) / all;
}

function letterPairs(text: string): Map<string, number> {
  const letters = ` ${text.slice(0, comparedCharacters).toLowerCase().replace(/\s+/g, " ").trim()} `;
  const pairs = new Map<string, number>();
  for (let index = 1; index < letters.length; index += 1) {
    const pair = letters.slice(index - 1, index + 1);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function sum(pairs: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of pairs.values()) total += count;
  return total;
}
