import type { Evidence, Memory } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import { shortId } from "../terminal/short-id.js";

type Source = Memory["source"];

// What nobody inferred, and so nothing was seen for.
const stated: ReadonlySet<Source> = new Set<Source>(["user_taught", "agent_explicit"]);

/** What was seen that led to a memory, session by session. */
export function renderEvidence(evidence: readonly Evidence[], source: Source, page: Page): string {
  if (evidence.length === 0) {
    return page.paint(
      "dim",
      stated.has(source) ? "Nobody inferred it: somebody stated it." : "What led to it is not kept here.",
    );
  }
  return evidence
    .map(({ signal, subject, sessions }) =>
      [
        [page.paint("bold", signal), ...aboutWhat(subject, page), inHowMany(signal, sessions.length)].join("  "),
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

/** Errors are known by a hash, which tells nobody anything. */
function aboutWhat(subject: string, page: Page): string[] {
  return /^(?:error: )?[0-9a-f]{16}$/.test(subject) ? [] : [oneLine(subject, page)];
}

/** A synthesis looks at figures, and is only noted at the session that it followed. */
function inHowMany(signal: string, sessions: number): string {
  return signal === "synthesis" ? "after" : `in ${countOf(sessions, "session")}`;
}
