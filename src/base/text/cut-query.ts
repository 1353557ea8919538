/** As much of a query as is looked for. */
export interface CutQuery {
  text: string;
  /** What to tell whoever asked, where not all of it is looked for. */
  note?: string;
}

// 1,000 words take 18 ms and a megabyte took 8.6 s (2026-11). The longest question in the benchmarks has 1,200 characters, the
// longest prompt without something pasted into it that was seen 4,000.
const maxWhole = 6000;
const beginning = 3000;
const end = 1500;
// What is left of the room is for words from in between.
const maxTelling = 1500;
// Of the middle, as much as is looked through: 2 ms.
const maxMiddle = 200_000;

/**
 * A query of bounded length. Of a longer one, the beginning and the end, where people say what they want, and the words in
 * between that occur least often, names out of code first.
 *
 * @example cutQuery("How do we deploy?") // { text: "How do we deploy?" }
 */
export function cutQuery(query: string): CutQuery {
  if (query.length <= maxWhole) return { text: query };
  const middle = query.slice(beginning, Math.min(query.length - end, beginning + maxMiddle));
  const parts = [query.slice(0, beginning), tellingWords(middle), query.slice(-end)];
  return {
    // A cut may leave half a character.
    text: parts.join("\n").replace(/\p{Cs}/gu, " "),
    note: `The query has ${query.length.toLocaleString("en")} characters. Searched for its beginning, its end, and the rarest words in between.`,
  };
}

const word = /[\p{L}\p{N}_][\p{L}\p{N}_.-]{2,39}/gu;
const nameInCode = /\p{L}[._-]\p{L}|\p{Ll}\p{Lu}|\p{L}\d|_/u;

function tellingWords(text: string): string {
  const counts = new Map<string, number>();
  for (const [found] of text.matchAll(word)) counts.set(found, (counts.get(found) ?? 0) + 1);
  const rank = ([written, count]: [string, number]): number => count - (nameInCode.test(written) ? 0.5 : 0);
  const rarest = [...counts].toSorted((a, b) => rank(a) - rank(b) || b[0].length - a[0].length);
  let room = maxTelling;
  const chosen: string[] = [];
  for (const [written] of rarest) {
    room -= written.length + 1;
    if (room < 0) break;
    chosen.push(written);
  }
  return chosen.join(" ");
}
