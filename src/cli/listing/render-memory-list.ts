import type { Memory, RecallResult } from "../../index.js";
import { longestUnfolded, oneLine } from "../terminal/one-line.js";
import type { Page } from "../terminal/page.js";
import { renderAge } from "../terminal/render-age.js";
import { renderExplanation } from "./render-explanation.js";
import { shortId } from "../terminal/short-id.js";
import { fold, widthOf } from "../terminal/text-width.js";

// In columns. The longest type of our own has 17 letters; one from elsewhere must not push the text off the page.
const widestType = 20;
const narrowest = 16;
// The project of what is true everywhere; recall puts it below the project's own.
const userProject = "user";

/**
 * Memories under each other: id, kind and the beginning of the text, with the details below, and in between what there
 * is to say about each.
 */
export function renderMemoryList(memories: Memory[], page: Page, reasonsOf?: (memory: Memory) => string[]): string {
  const column = kindColumn(memories, page);
  return memories
    .map((memory) =>
      renderEntry(memory, page, {
        lead: "",
        column,
        details: detailsOf(memory, page),
        maxLines: 2,
        ...(reasonsOf && { reasons: reasonsOf(memory) }),
      }),
    )
    .join(reasonsOf ? "\n\n" : "\n");
}

/** Results, best first, each with its score and the words that matched, or with all that is known of how it came. */
export function renderResults(results: RecallResult[], page: Page, options: { explain: boolean }): string {
  const column = kindColumn(
    results.map((result) => result.memory),
    page,
  );
  return results
    .map(({ memory, score, matched, why, explanation }) => {
      const lead = `${page.paint("green", score.toFixed(2))}  `;
      const isEverywhere = memory.project === userProject;
      const reason = options.explain || matched.length === 0 ? why : `matched ${matched.join(", ")}`;
      return renderEntry(memory, page, {
        lead,
        leadWidth: 6,
        column,
        reasons: [
          ...(memory.drift ?? []).map((drift) => drift.reason),
          options.explain && isEverywhere ? `${reason}; holds everywhere (--project ${userProject})` : reason,
          ...(options.explain && explanation ? renderExplanation(explanation) : []),
        ],
        details: [...(isEverywhere ? ["everywhere"] : []), ...detailsOf(memory, page)],
        maxLines: 4,
      });
    })
    .join("\n\n");
}

interface EntryLayout {
  lead: string;
  leadWidth?: number;
  column: number;
  reasons?: string[];
  details: string[];
  maxLines: number;
}

function renderEntry(
  memory: Memory,
  page: Page,
  { lead, leadWidth = 0, column, reasons = [], details, maxLines }: EntryLayout,
): string {
  const indent = " ".repeat(leadWidth + 10 + column + 2);
  const width = Math.max(page.width - indent.length, narrowest);
  const type = typeOf(memory, page);
  const kind = page.paint("bold", type) + " ".repeat(column - widthOf(type));
  // In the line of the text, so that what a filter shows of it says so.
  const isUnverified = memory.trustFlags.includes("unverified") && !memory.userVerified;
  const isInDoubt = (memory.drift ?? []).some(({ outcome }) => outcome === "doubt");
  const signs = `${isUnverified ? "(unverified) " : ""}${isInDoubt ? "(in doubt) " : ""}`;
  const text = `${signs}${oneLine(memory.content, page)}`;
  const content = Number.isFinite(width) ? fold(text, width, maxLines) : fold(text, longestUnfolded, 1);
  const below = [...reasons.flatMap((reason) => fold(oneLine(reason, page), width)), ...foldParts(details, width)];
  return `${lead}${page.paint("cyan", shortId(memory.id))}  ${kind}  ${[...content, ...below.map((line) => page.paint("dim", line))].join(`\n${indent}`)}`;
}

function kindColumn(memories: Memory[], page: Page): number {
  return memories.reduce((widest, memory) => Math.max(widest, widthOf(typeOf(memory, page))), 0);
}

function typeOf(memory: Memory, page: Page): string {
  return fold(oneLine(memory.type, page), widestType, 1).join("");
}

/** What is worth knowing at a glance, and only what is out of the ordinary. */
function detailsOf(memory: Memory, page: Page): string[] {
  return [
    ...(memory.status === "active" ? [] : [memory.status]),
    ...(memory.trustFlags.includes("tainted") && !memory.userVerified ? ["tainted"] : []),
    ...(memory.name === undefined ? [] : [memory.name]),
    ...memory.relatedFiles,
    ...memory.relatedModules.map((module) => `module ${module}`),
    ...memory.tags.map((tag) => `#${tag}`),
    ...(memory.pinned ? ["pinned"] : []),
    ...(memory.userVerified ? ["verified"] : []),
    renderAge(memory.createdAt, page.now),
  ].map((detail) => oneLine(detail, page));
}

/** Joins the parts with dots; a line breaks between parts, and inside one only when it is longer than a line. */
function foldParts(parts: string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = `${last} · ${part}`;
    if (last !== undefined && widthOf(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(...fold(part, width));
  }
  return lines;
}
