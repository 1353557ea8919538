import type { SessionSummary, Stats } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { fold } from "../terminal/text-width.js";

type Named = "tokens" | "files" | "cited" | "followed" | "savedTokens";
type Figures = Pick<SessionSummary | Stats["injections"]["totals"], Named> & {
  memories: number;
  /** How often they were told in all, where that is known. */
  times?: number;
  /** In how many sessions, where that is worth saying. */
  sessions?: number;
};

/**
 * What agents were told and made of it, in one sentence without its full stop.
 *
 * @example
 * describeUse({ memories: 3, files: 0, tokens: 420, cited: 1, followed: 0, savedTokens: 0 })
 * // "3 memories told, 420 tokens; 1 used (1 cited, 0 followed)"
 */
export function describeUse(figures: Figures): string {
  const { memories, times = memories, sessions, files, tokens, cited, followed, savedTokens } = figures;
  const isRepeated = times > memories;
  const told = `${countOf(memories, "memory")} told${isRepeated ? ` ${countOf(times, "time")}` : ""}`;
  const where = sessions === undefined ? "" : ` in ${countOf(sessions, "session")}`;
  const along = files === 0 ? "" : `, with ${countOf(files, "file")}`;
  const used = cited + followed;
  const count = isRepeated ? `used ${countOf(used, "time")}` : `${used} used`;
  const ways = used === 0 ? "none used as far as seen" : `${count} (${cited} cited, ${followed} followed)`;
  return `${told}${where}${along}, ${countOf(tokens, "token")}; ${ways}${describeSaved(savedTokens)}`;
}

/** What follows a count of used memories; nothing where nothing is known to be saved. */
export function describeSaved(savedTokens: number): string {
  return savedTokens === 0 ? "" : `, about ${countOf(savedTokens, "token")} saved`;
}

/** How the saved tokens are counted, for whoever reads a figure of them. */
export function renderHowSaved(page: Page): string {
  return fold(howSaved, page.width)
    .map((line) => page.paint("dim", line))
    .join("\n");
}

const howSaved =
  "Saved: what tools had answered while each used memory was found out, on average over the sessions it was learned from, at 4 characters a token; 0 for what somebody stated.";
