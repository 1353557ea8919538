import type { Evidence } from "../index.js";
import { countOf } from "./count-of.js";
import type { Page } from "./page.js";
import { oneLine, shortId } from "./render-memory.js";

/** What was seen that led to a memory, session by session. */
export function renderEvidence(evidence: readonly Evidence[], page: Page): string {
  if (evidence.length === 0) return page.paint("dim", "Nobody inferred it: somebody stated it.");
  return evidence
    .map(({ signal, subject, sessions }) =>
      [
        `${page.paint("bold", signal)}  ${oneLine(subject, page)}, in ${countOf(sessions.length, "session")}`,
        ...sessions.flatMap(({ sessionId, at, agents, outside, seen }) => [
          `  ${page.paint("cyan", oneLine(shortId(sessionId), page))}  ${at.slice(0, 16).replace("T", " ")}${agents > 1 ? `  ${agents} agents agreed` : ""}`,
          ...(outside === undefined ? [] : [`    ${page.paint("yellow", oneLine(outside, page))}`]),
          ...seen.map(({ at: when, did, said }) => {
            const quoted = said === undefined ? "" : `: "${said}"`;
            return `    ${page.paint("dim", when.slice(11, 19))}  ${oneLine(`${did}${quoted}`, page)}`;
          }),
        ]),
      ].join("\n"),
    )
    .join("\n\n");
}
