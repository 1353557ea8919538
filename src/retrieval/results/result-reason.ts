import type { QueryWord } from "../../base/text/text.js";
import type { RankedCandidate } from "../ranking/rank.js";

const places = ["text", "name", "tags", "files"];

/** The words of the query that are in a memory, as they were asked, each with the places it is in. */
export function placesOf(words: QueryWord[], columns: string[]): Map<string, string[]> {
  const tokens = columns.map((column) => column.split(" "));
  const found = new Map<string, string[]>();
  for (const { text, token, prefix } of words) {
    const holding = places.filter((_, index) =>
      tokens[index]?.some((candidate) => candidate === token || (prefix && candidate.startsWith(token))),
    );
    if (holding.length > 0) found.set(text, [...new Set([...(found.get(text) ?? []), ...holding])]);
  }
  return found;
}

/** One sentence: "has deploy and staging in its text, release in its tags; means something similar". */
export function reasonOf(query: string, { candidate, lifts }: RankedCandidate, matched: Map<string, string[]>): string {
  const { paths } = candidate;
  if (paths.name) return `it is called ${JSON.stringify(query.trim())}`;
  const reasons = [
    ...(matched.size > 0 ? [wordsIn(matched)] : []),
    ...(paths.meaning ? ["means something similar"] : []),
    ...(paths.code
      ? [paths.code.strength === 1 ? "is about a file in play" : "is about code near the files in play"]
      : []),
    // Only what sums up is ever put behind for its turns.
    ...(lifts.turns < 1 ? ["sums up turns that match and come first"] : []),
    ...(lifts.code > 1 ? ["is about code near the best results"] : []),
  ];
  // What came in by its neighbours alone has no other reason.
  if (reasons.length === 0) return "was said next to what matches";
  return reasons.join("; ");
}

function wordsIn(matched: Map<string, string[]>): string {
  const byPlace = new Map<string, string[]>();
  for (const [word, holding] of matched) {
    for (const place of holding) byPlace.set(place, [...(byPlace.get(place) ?? []), word]);
  }
  return `has ${[...byPlace].map(([place, words]) => `${words.join(" and ")} in its ${place}`).join(", ")}`;
}
