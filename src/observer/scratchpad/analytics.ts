import type { Saying } from "../observer.js";
import { isConfigFile } from "./config-files.js";
import type { Action, Analytics } from "./session-view.js";

// At most 2 MB for each list of names. One longer than 400 characters is no name of a file and no search to remember.
const maxNames = 5000;
const longestName = 400;
const maxRecent = 8;

/** Nothing counted yet. */
export function openAnalytics(): Analytics {
  return {
    events: 0,
    toolCalls: 0,
    bytes: 0,
    evicted: 0,
    currentStep: 0,
    inputTokens: 0,
    outputTokens: 0,
    corrections: 0,
    fileAccesses: new Map(),
    filesEdited: new Set(),
    configTouched: new Set(),
    searches: new Map(),
    errors: new Map(),
    recent: [],
  };
}

/** Counts a call when it is made. */
export function countCall(analytics: Analytics, { does, files = [], search }: Action): void {
  analytics.toolCalls++;
  analytics.recent.push(does);
  if (analytics.recent.length > maxRecent) analytics.recent.shift();
  if (does === "read" || does === "edit") for (const file of files) count(analytics.fileAccesses, file);
  if (search) count(analytics.searches, search.pattern.trim());
}

/** Counts what only its result tells: whether it was an error, and whether an edit was one. */
export function countResult(analytics: Analytics, { does, files = [], failed, error }: Action): void {
  if (error) count(analytics.errors, error.fingerprint);
  if (does !== "edit" || failed === true) return;
  for (const file of files) {
    collect(analytics.filesEdited, file);
    if (isConfigFile(file)) collect(analytics.configTouched, file);
  }
}

export function countSaying(analytics: Analytics, { is }: Saying): void {
  if (is === "correction") analytics.corrections++;
}

export function countTokens(analytics: Analytics, tokens: { inputTokens?: number; outputTokens?: number }): void {
  analytics.inputTokens += Math.max(0, tokens.inputTokens ?? 0);
  analytics.outputTokens += Math.max(0, tokens.outputTokens ?? 0);
}

/** Of too many names the half goes that was counted least, at once, so that it seldom has to be looked for. */
function count(counts: Map<string, number>, name: string): void {
  if (name === "" || name.length > longestName) return;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size <= maxNames) return;
  const least = [...counts].toSorted(([, a], [, b]) => a - b).slice(0, maxNames / 2);
  for (const [rare] of least) counts.delete(rare);
}

function collect(names: Set<string>, name: string): void {
  if (name === "" || name.length > longestName) return;
  names.add(name);
  if (names.size <= maxNames) return;
  for (const old of [...names].slice(0, maxNames / 2)) names.delete(old);
}
