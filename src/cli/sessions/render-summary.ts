import type { SessionSummary } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import { shortId } from "../terminal/short-id.js";
import { describeUse, renderHowSaved } from "./render-use.js";
import { fold } from "../terminal/text-width.js";

const indent = " ".repeat(10);
const notYet = "What it is told is counted when it is over.";

/**
 * What a session was told, memory by memory with when and why and whether it used it, and what it leaves behind. Of one that
 * goes on, as far as it was taken in.
 */
export function renderSummary(summary: SessionSummary, page: Page, { isOver }: { isOver: boolean }): string {
  const { told, tokens, memories, savedTokens } = summary;
  const figures = describeUse({ ...summary, memories: told });
  const about = told === 0 && tokens > 0 ? `${countOf(tokens, "token")} told, and no memory among them` : figures;
  return [
    ...fold(told + tokens > 0 ? `${about}.` : isOver ? "It was told nothing." : notYet, page.width),
    ...memories.map((memory) => renderTold(memory, page)),
    ...(savedTokens > 0 ? [renderHowSaved(page)] : []),
    ...fold(describeLeft(summary), page.width),
  ].join("\n");
}

const points: Record<SessionSummary["memories"][number]["point"], string> = {
  "session-start": "at the start",
  prompt: "with a prompt",
  "file-read": "beside a file",
  step: "between two steps",
  planner: "for planning",
  qa: "for a review",
  relay: "from another role",
  asked: "when it asked",
};

function renderTold({ id, citationText, used, why, point }: SessionSummary["memories"][number], page: Page): string {
  const width = Math.max(page.width - indent.length, 16);
  const about = `told ${points[point]}: ${why.replace(/\.$/, "")} · ${used ?? "not used as far as seen"}`;
  const lines = [
    ...fold(oneLine(citationText, page), width),
    ...fold(oneLine(about, page), width).map((line) => page.paint("dim", line)),
  ];
  return `${page.paint("cyan", shortId(id))}  ${lines.join(`\n${indent}`)}`;
}

function describeLeft({ remembered, learned, waiting }: SessionSummary): string {
  const parts = [
    `${remembered === 0 ? "nothing" : countOf(remembered, "memory")} stated`,
    `${learned === 0 ? "nothing" : countOf(learned, "memory")} learned`,
    ...(waiting === 0 ? [] : [`${countOf(waiting, "memory")} ${waiting === 1 ? "waits" : "wait"} for your review`]),
  ];
  return `It leaves behind: ${parts.join(", ")}.`;
}
