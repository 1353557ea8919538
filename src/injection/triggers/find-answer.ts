import { queryWords } from "../../base/text/text.js";
import type { Memory } from "../../memory/memory.js";
import { recall } from "../../retrieval/recall.js";
import type { SelectionOptions, Choice, InjectionPorts, Moment } from "../injection.js";
import { recipientIn } from "../eligibility/is-eligible.js";
import { recallEligible, type Ask } from "../selection/recall-eligible.js";
import { countDistinctive } from "../selection/distinctive-words.js";
import { notInjectedTypes } from "../selection/worth.js";

// The first design: one of the last three.
const maxSearches = 3;
const maxWays = 3;
// Chosen, not measured. Searching takes an agent a second, being told something else costs tokens: rather silent than wrong.
const leastStrength = 0.4;
const maxLookedAt = 5;

/**
 * The memory that already answers one of the last searches, the newest first; at most one. It must have every word of the
 * search that says something (of one of its alternatives), and those must be enough: two of them, or a name out of code.
 * Nothing too where the deadline is over before all were looked for; who asks has to look at that.
 */
export async function findAnswer(
  ports: InjectionPorts,
  { sessionId, searches = [] }: Extract<Moment, { point: "step" }>,
  asked: SelectionOptions,
): Promise<Choice[]> {
  const options = {
    mode: "words" as const,
    limit: maxLookedAt,
    explain: true,
    excludeTypes: [...notInjectedTypes],
    excludeIds: [...asked.soFar.ids],
  };
  const listener = await recipientIn(ports.context, asked, { sessionId });
  for (const search of searches.slice(-maxSearches).toReversed()) {
    for (const way of alternativesOf(search)) {
      if (asked.deadline.left() === 0) return [];
      const ask: Ask = async (given) => (await recall(ports.context, ports.recall, way, given)).results;
      const answer = (await recallEligible(ask, options, listener)).find(
        ({ memory, matched, explanation }) =>
          wasLookedFor(memory, way) ||
          (hasAll(way, matched) && (explanation?.paths.words?.strength ?? 0) >= leastStrength),
      );
      if (answer) return [{ memory: answer.memory, why: `answers the search for ${way}`, worth: answer.score }];
    }
  }
  return [];
}

/**
 * What a search looks for, in words: each alternative of a pattern by itself, without what only says where and how often.
 *
 * @example alternativesOf(String.raw`class\s+Order(Book|Line)\b`) // ["OrderBook", "OrderLine"]
 */
export function alternativesOf(search: string): string[] {
  const pattern = search
    .slice(0, longestSearch)
    // Classes of characters and counts are no words, and neither is what a backslash makes of a letter.
    .replace(/\\[bBdDsSwWnrtAzZ()]|\[[^\]]*\]|\{\d*,?\d*\}/g, " ")
    .replaceAll(String.raw`\|`, "|")
    .replace(/\(\?(?:[:=!]|<[=!])/g, "(");
  const ways = expand(pattern)
    .map((way) => way.replace(/\\(.)/g, "$1").replace(/[^\p{L}\p{M}\p{N}_./-]+/gu, " "))
    .map((way) => way.split(" ").filter(isWord).map(trimmed).join(" "))
    .filter((way) => countDistinctive(wordsOf(way)) > 0);
  return [...new Set(ways)].slice(0, maxWays);
}

/** The alternatives of a pattern, those within groups first: a(b|c)|d are ab, ac and d. */
function expand(pattern: string): string[] {
  let ways = [pattern];
  for (let depth = 0; depth < deepest; depth += 1) {
    ways = ways
      .flatMap((way) => {
        const [group, inner = ""] = /\(([^()]*)\)/.exec(way) ?? [];
        return group === undefined ? [way] : inner.split("|").map((one) => way.replace(group, () => one));
      })
      .slice(0, maxExpanded);
  }
  return ways.flatMap((way) => way.split("|"));
}

const deepest = 4;
const maxExpanded = 8;
const longestSearch = 500;
const fewestWords = 2;

function isWord(word: string): boolean {
  return /[\p{L}\p{N}]/u.test(word) && !ofLanguages.has(word) && !/^\.[a-z]{1,4}$/.test(word);
}

function trimmed(word: string): string {
  return word.replace(/^[./-]+|[./-]+$/g, "");
}

// What stands before a name in the languages that agents search.
const ofLanguages = new Set(
  (
    "class function const let var export default import from interface type enum struct impl trait fn def func public " +
    "private protected static async await return new extends implements package use mod val fun object end module"
  ).split(" "),
);

function wordsOf(way: string): string[] {
  return queryWords(way).words.map(({ text }) => text);
}

function hasAll(way: string, matched: readonly string[]): boolean {
  const telling = wordsOf(way).filter((word) => countDistinctive([word]) > 0);
  return countDistinctive(telling) >= fewestWords && telling.every((word) => matched.includes(word));
}

/** The observer keeps what earlier searches were for. */
function wasLookedFor({ data }: Memory, way: string): boolean {
  const lookedFor = data?.["lookedFor"];
  return typeof lookedFor === "string" && plain(lookedFor) === plain(way);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
