import type { CountTokens } from "../../base/tokens/tokens.js";

/** A part of a digest as text. */
export interface Section {
  title: string;
  lines: string[];
}

export interface OfferedSection extends Section {
  /** So many lines at most; the rest is counted. */
  most: number;
}

// So much of each comes before more of any: three names say what kind of thing there is.
const firstLines = 3;
// `… and 128 more`, with its line end.
const moreTokens = 8;

/**
 * What of the sections fits into so many model tokens, in their order. They are offered from the most important to the least:
 * the least lose their lines first, and a section without one is left out. The first keeps its title in any case.
 */
export function chooseSections(
  offered: readonly OfferedSection[],
  budgetTokens: number,
  countTokens: CountTokens,
): Section[] {
  const counts = offered.map(() => 0);
  let left = budgetTokens - countTokens(`${offered[0]?.title ?? ""}\n`);
  const costs = offered.map(({ lines, most }) => lines.slice(0, most).map((line) => countTokens(`  ${line}\n`)));
  fill: for (const limit of [firstLines, Infinity]) {
    for (const [at, { title, lines }] of offered.entries()) {
      for (const [place, cost] of (costs[at] ?? []).entries()) {
        if (place < (counts[at] ?? 0) || place >= limit) continue;
        const opening = place > 0 || at === 0 ? 0 : countTokens(`\n${title}\n`);
        const first = place > 0 ? 0 : opening + (lines.length > 1 ? moreTokens : 0);
        // Nothing that matters less takes the room of what did not fit.
        if (cost + first > left) break fill;
        left -= cost + first;
        counts[at] = place + 1;
      }
    }
  }
  return offered.flatMap(({ title, lines }, at) => {
    const count = counts[at] ?? 0;
    if (count === 0) return at === 0 ? [{ title, lines: [] }] : [];
    const rest = lines.length - count;
    return [{ title, lines: [...lines.slice(0, count), ...(rest > 0 ? [`… and ${rest} more`] : [])] }];
  });
}
