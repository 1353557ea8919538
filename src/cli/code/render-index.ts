import type { IndexReport } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";

const shownAtMost = 10;

/** What an indexing did, and what to do next. */
export function renderIndex(report: IndexReport, page: Page): string {
  const { problems, moves, isStopped } = report;
  const next = isStopped
    ? "What is in stays: the same command goes on from here."
    : 'Ask it: tacit impact FILE, tacit recall --code "…". tacit watch keeps it up to date.';
  return [
    `${isStopped ? "Stopped. " : ""}${whatIsThere(report)}`,
    whatWasDone(report),
    ...whatScipSaid(report, page),
    ...moves.files.slice(0, shownAtMost).map(({ from, to }) => `  ${page.clean(from)} is now ${page.clean(to)}`),
    ...some(moves.files.length, "renamed file"),
    ...problems
      .slice(0, shownAtMost)
      .map(({ path, problem }) => page.paint("yellow", oneLine(`  ${JSON.stringify(path)}: ${problem}`, page))),
    ...some(problems.length, "file with a problem"),
    page.paint("dim", next),
  ].join("\n");
}

/** What became of a SCIP index, or how many files one still speaks of. */
function whatScipSaid({ scip, precise, files }: IndexReport, page: Page): string[] {
  if (!scip) return precise === 0 ? [] : [`A precise index speaks of ${precise} of ${countOf(files, "file")}.`];
  const { tool, taken, documents, refused, symbols, edges } = scip;
  const by = tool === "" ? "" : ` by ${oneLine(tool, page)}`;
  return [
    `SCIP index${by}: ${taken} of ${countOf(documents, "document")} taken, ${countOf(symbols, "symbol")}, ${countOf(edges, "precise edge")}.`,
    ...refused
      .slice(0, shownAtMost)
      .map(({ path, why }) => page.paint("yellow", oneLine(`  ${JSON.stringify(path)} ${why}`, page))),
    ...some(refused.length, "refused document"),
  ];
}

/** The same in one line, which names nothing that would have to be made safe to print. */
export function sentenceOf(report: IndexReport): string {
  return `${report.isStopped ? "Stopped. " : ""}${whatWasDone(report)} ${whatIsThere(report)}`;
}

function whatIsThere({ files, symbols, edges, chunks, unresolved }: IndexReport): string {
  const found = [countOf(symbols, "symbol"), countOf(edges, "edge"), countOf(chunks, "chunk")].join(", ");
  const open = unresolved === 0 ? "" : `; ${countOf(unresolved, "use")} could not be resolved`;
  return `${countOf(files, "file")}: ${found}${open}.`;
}

function whatWasDone({ changed, removed, linked, commits, tookMs }: IndexReport): string {
  const parts = [
    ...(changed > 0 ? [`${countOf(changed, "file")} read`] : []),
    ...(removed > 0 ? [`${countOf(removed, "file")} gone`] : []),
    ...(linked > 0 ? [`${countOf(linked, "file")} linked`] : []),
    ...(commits === undefined ? [] : [`${countOf(commits, "commit")} of history`]),
  ];
  return `${parts.length === 0 ? "Nothing has changed" : parts.join(", ")} (${(tookMs / 1000).toFixed(1)} s).`;
}

function some(count: number, what: string): string[] {
  return count > shownAtMost ? [`  … and ${count - shownAtMost} more; --json names every ${what}.`] : [];
}
