import type { SessionSummary, Stats } from "../index.js";
import { countOf } from "./count-of.js";
import type { Page } from "./page.js";
import { fold } from "./text-width.js";

type Figures = Pick<SessionSummary | Stats["injections"]["totals"], "tokens" | "cited" | "followed" | "savedTokens"> & {
  memories: number;
  /** In how many sessions, where that is worth saying. */
  sessions?: number;
};

/**
 * What agents were told and made of it, in one sentence without its full stop.
 *
 * @example
 * describeUse({ memories: 3, tokens: 420, cited: 1, followed: 0, savedTokens: 0 })
 * // "3 memories told, 420 tokens; 1 used (1 cited, 0 followed)"
 */
export function describeUse({ memories, sessions, tokens, cited, followed, savedTokens }: Figures): string {
  const where = sessions === undefined ? "" : ` in ${countOf(sessions, "session")}`;
  const used = cited + followed;
  const ways = used === 0 ? "none used as far as seen" : `${used} used (${cited} cited, ${followed} followed)`;
  return `${countOf(memories, "memory")} told${where}, ${countOf(tokens, "token")}; ${ways}${describeSaved(savedTokens)}`;
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
