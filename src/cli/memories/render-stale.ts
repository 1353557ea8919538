import type { Memory, StaleReport } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderMemoryList } from "../listing/render-memory-list.js";

/** The memories that the code speaks against, with why, and what can be done about each. */
export function renderStale({ checked, inDoubt, moved, notes }: StaleReport, page: Page): string {
  const parts = [
    ...section(inDoubt, "in doubt", page),
    ...section(moved, "moved", page),
    ...(inDoubt.length + moved.length === 0
      ? [`Nothing in the code speaks against ${countOf(checked, "memory")}.`]
      : [page.paint("dim", 'tacit verify REF it is true · tacit edit REF "better text" · tacit forget REF')]),
    ...notes.map((note) => page.paint("yellow", page.clean(note))),
  ];
  return parts.join("\n\n");
}

function section(memories: Memory[], what: string, page: Page): string[] {
  if (memories.length === 0) return [];
  const [are, have] = memories.length === 1 ? ["is", "has"] : ["are", "have"];
  const verb = what === "moved" ? `${have} moved code` : `${are} in doubt`;
  const heading = `${countOf(memories.length, "memory")} ${verb}:`;
  return [
    `${page.paint("bold", heading)}\n\n${renderMemoryList(memories, page, ({ drift = [] }) => drift.map(({ reason }) => reason))}`,
  ];
}
