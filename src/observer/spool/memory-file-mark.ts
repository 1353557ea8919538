import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "../observer.js";

const markName = "agents-at-memory-files";

/**
 * Notes that an agent is about to touch a MEMORY.md: what stands there next may be its words, and not a person's. Before the
 * call, so that it is there whatever becomes of it; of every such file, since which one is meant only a shell knows.
 */
export function markMemoryFile(home: string, event: AgentEvent): void {
  // Events may be anything.
  if (event?.kind !== "call" || !mentionsMemoryFile(event.input)) return;
  const mark = join(home, markName);
  try {
    const size = statSync(mark, { throwIfNoEntry: false })?.size ?? 0;
    if (size > maxBytes) writeFileSync(mark, readFileSync(mark, "utf8").slice(-maxBytes / 2), { mode: 0o600 });
    appendFileSync(mark, `${Date.now()}\n`, { mode: 0o600 });
  } catch {
    // Where nothing can be written there is nothing to be taken in either.
  }
}

/** Whether it may have been an agent who wrote a file at this time, in milliseconds. */
export function mayBeWrittenByAgent(home: string, writtenAt: number): boolean {
  try {
    const times = readFileSync(join(home, markName), "utf8").split("\n").map(Number);
    return times.some((time) => time > 0 && writtenAt >= time - clockMs && writtenAt <= time + longestCallMs);
  } catch {
    return false;
  }
}

// Some thousand times.
const maxBytes = 64 * 1024;
// A disk may count in seconds.
const clockMs = 2000;
// A command that writes the file at its end.
const longestCallMs = 600_000;
// What is longer is a text that is written somewhere, not where.
const longestPlace = 20_000;

function mentionsMemoryFile(input: Record<string, unknown>): boolean {
  return Object.values(Object(input)).some(
    (value) => typeof value === "string" && value.length <= longestPlace && value.includes("MEMORY.md"),
  );
}
