import type { Turn } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderAge } from "../terminal/render-age.js";
import { oneLine } from "../terminal/one-line.js";

/** What was said, as a turn or as a message for a model. */
export type Said = Pick<Turn, "role" | "content" | "timestamp"> &
  Partial<Pick<Turn, "sequence" | "toolsUsed" | "isTainted">>;

/**
 * What was said, each whole below a line that tells who said it. Its own lines stand further in, so that no text can look
 * like a turn.
 */
export function renderTurns(turns: readonly Said[], page: Page): string {
  return turns.map((turn) => [headOf(turn, page), ...indented(turn.content, page)].join("\n")).join("\n\n");
}

function headOf({ role, timestamp, sequence, toolsUsed = [], isTainted = false }: Said, page: Page): string {
  // What a person says is never tainted.
  const who = role === "user" && isTainted ? "agent as user" : role;
  const details = [
    renderAge(timestamp, page.now),
    ...(toolsUsed.length > 0 ? [`used ${toolsUsed.map((tool) => oneLine(tool, page)).join(", ")}`] : []),
    ...(isTainted ? ["tainted"] : []),
  ];
  return `${sequence === undefined ? "" : `${sequence}  `}${page.paint(who === "user" ? "cyan" : "green", who)}  ${page.paint("dim", details.join(" · "))}`;
}

/** A text as it is, some columns in. */
export function indented(text: string, page: Page): string[] {
  return text.split("\n").map((line) => (line.trim() === "" ? "" : `    ${page.clean(line)}`));
}

/** How many there are before those that are shown. */
export function earlierNotice(hidden: number, page: Page): string[] {
  return hidden === 0
    ? []
    : [page.paint("dim", `${countOf(hidden, "earlier turn")}: --last ${hidden + 20} shows more.`), ""];
}
