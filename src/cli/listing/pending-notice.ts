import type { TacitMemory } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";

/** How many memories wait for a person. */
export async function countPending(memory: TacitMemory): Promise<number> {
  return (await memory.list({ status: "waiting" })).length;
}

/** A line about them; none where none waits. */
export function pendingNotice(count: number, page: Page): string[] {
  if (count === 0) return [];
  return [
    page.paint("dim", `${countOf(count, "memory")} ${count === 1 ? "waits" : "wait"} for your review: tacit review`),
  ];
}
