import type { HeldBack, QueryExplanation, RecallReport } from "../../index.js";
import type { Page } from "../terminal/page.js";
import type { RecallFlags } from "./recall-options.js";
import { oneLine } from "../terminal/one-line.js";
import { renderResults } from "../listing/render-memory-list.js";
import { shortId } from "../terminal/short-id.js";
import { fold } from "../terminal/text-width.js";

/** How many results a person sees who does not say how many. */
export const shownAtMost = 10;
// Counting every match of a common word takes seconds in a large store (0.8 s for 10,000); a person needs the order
// of magnitude.
export const countedAtMost = 100;

export interface Recalled {
  query: string;
  report: RecallReport;
  /** Of the question, not of the results. */
  explanation: QueryExplanation;
  /** What the reader should know about the search. */
  remarks: string[];
  flags: Pick<RecallFlags, "explain" | "limit">;
}

/** The results for a person, and with `--explain` how the question was read, and what was held back. */
export function renderRecall({ query, report, explanation, remarks, flags }: Recalled, page: Page): string {
  const { results, heldBack } = report;
  const isExplained = flags.explain === true;
  return [
    ...(isExplained ? [renderQuestion(report, explanation, page)] : []),
    results.length === 0 ? renderNothing(query, explanation.note, page) : renderFound(report, flags, page),
    ...(isExplained && heldBack.length > 0 ? [renderHeldBack(heldBack, page)] : []),
    ...(remarks.length > 0 ? [remarks.map((remark) => dim(remark, page)).join("\n")] : []),
  ].join("\n\n");
}

/** What to say where nothing was found: why, if there is a reason, and where to look. */
export function renderNothing(query: string, note: string | undefined, page: Page): string {
  return `${oneLine(note ?? `Nothing found for "${query}".`, page)}\n${page.paint("dim", "tacit list shows everything that is kept.")}`;
}

const kinds: Record<RecallReport["kind"], string> = {
  identifier: "a name in the code",
  structural: "the structure of the code",
  semantic: "what is meant",
};

function renderQuestion({ mode, kind }: RecallReport, { words, ignored }: QueryExplanation, page: Page): string {
  const left = ignored.length === 0 ? "" : `; left out: ${ignored.join(", ")}`;
  return [
    `Looked for: ${words.length === 0 ? "nothing" : words.join(", ")}${left}`,
    `Searched by ${mode === "hybrid" ? "words and meaning" : "words alone"}, as a question about ${kinds[kind]}`,
  ]
    .map((line) => dim(line, page))
    .join("\n");
}

function renderFound({ results }: RecallReport, { explain, limit }: Recalled["flags"], page: Page): string {
  const shown = limit === undefined ? results.slice(0, shownAtMost) : results;
  const more = results.length - shown.length;
  return [renderResults(shown, page, { explain: explain === true }), ...moreRemark(more)].join("\n\n");
}

function moreRemark(more: number): string[] {
  if (more > countedAtMost) return [`More than ${countedAtMost} others match; --limit 50 shows more of them.`];
  return more > 0 ? [`${more} more; --limit ${shownAtMost + more} shows all.`] : [];
}

function renderHeldBack(heldBack: HeldBack[], page: Page): string {
  const lines = heldBack.map(({ id, citationText, reason }) => {
    const text = fold(oneLine(`${citationText} · ${reason}`, page), page.width - 10).join(`\n${" ".repeat(10)}`);
    return `${page.paint("cyan", shortId(id))}  ${text}`;
  });
  return ["Held back:", ...lines].join("\n");
}

function dim(text: string, page: Page): string {
  return fold(oneLine(text, page), page.width)
    .map((line) => page.paint("dim", line))
    .join("\n");
}
