import type { Memory, RememberedMemory, TrustFlag } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import { shortId } from "../terminal/short-id.js";

const removed: Record<TrustFlag, string> = {
  "secret-redacted": "A secret was taken out before anything was kept.",
  "private-removed": "The part marked <private> was left out.",
  "invisible-removed": "Invisible characters were taken out.",
  tainted: "It comes from outside the project and waits for your review.",
  unverified: "No hooks watched the agent that said it: until you verify it, it is told only to those who ask.",
};

const doubts: ReadonlySet<TrustFlag> = new Set<TrustFlag>(["tainted", "unverified"]);

/** What a person should hear about a memory that was just kept: what was taken out of it, and why it must wait. */
export function remarksOn({ trustFlags }: Memory): string[] {
  return trustFlags.map((flag) => removed[flag]);
}

/** The same about a new text for a memory whose flags may speak of an older one. */
export function remarksOnText(typed: string, memory: Memory): string[] {
  // What is clean is kept as it was typed, to the byte.
  if (memory.content === typed) return [];
  return memory.trustFlags
    .filter((flag) => !doubts.has(flag) && (flag !== "secret-redacted" || memory.content.includes("[redacted:")))
    .map((flag) => removed[flag]);
}

/** What a person should hear about a name that another memory lost. */
export function takenRemark({ id, takenFrom = [] }: Memory & { takenFrom?: string[] }): string[] {
  if (takenFrom.length === 0) return [];
  return [`Taken from ${takenFrom.map(shortId).join(", ")}; tacit undo ${shortId(id)} gives it back.`];
}

/** What a person should hear about memories that gave way to one that says otherwise. */
export function contradictedRemark({ id, contradicted = [] }: Pick<RememberedMemory, "id" | "contradicted">): string[] {
  if (contradicted.length === 0) return [];
  const told = contradicted.map((old) => `${shortId(old.id)} (it ${old.why})`);
  const wayBack = contradicted.length === 1 ? "it" : "them";
  return [`Takes the place of ${told.join(", ")}; tacit undo ${shortId(id)} brings ${wayBack} back.`];
}

// Where maxEntries was lowered, there may be thousands.
const evictedTold = 5;

/** What a person should hear about memories that had to go. */
export function evictedRemark({ evicted = [] }: { evicted?: Memory[] }): string[] {
  if (evicted.length === 0) return [];
  const told = evicted.slice(0, evictedTold).map(({ id, citationText }) => `${shortId(id)} (${citationText})`);
  const more = evicted.length > evictedTold ? ["and others"] : [];
  const [first] = evicted;
  const wayBack = first && evicted.length === 1 ? `${shortId(first.id)} brings it back` : "ID brings one back";
  return [
    `Forgot ${countOf(evicted.length, "memory")} to stay within maxEntries: ${[...told, ...more].join(", ")}; tacit restore ${wayBack}.`,
  ];
}
