import type { UntrustedSource } from "../observer.js";
import type { Action } from "../scratchpad/session-view.js";
import type { Origin } from "./folder-origins.js";

interface Changed {
  /** What this session has written so far. */
  now: ReadonlyMap<string, Origin>;
  /** What earlier sessions wrote into tracked files, which nobody has committed. */
  before: readonly string[];
  /** What they wrote, and what does not lie there any more. */
  putAway: ReadonlySet<string>;
}

/** What git shows of files whose words are from elsewhere, where it shows what has changed in them. */
export function shownChanges(
  { command, wordless }: Pick<Action, "command" | "wordless">,
  { now, before, putAway }: Changed,
): UntrustedSource | undefined {
  const line = command?.line ?? "";
  if (wordless || !/\bgit\b.*\b(?:diff|stash|add -p|commit -v)\b/.test(line)) return undefined;
  const stashed = /\bstash\b/.test(line) ? [...putAway] : [];
  const file = [...now].find(([, origin]) => origin === "tainted")?.[0] ?? before[0] ?? stashed[0];
  return file === undefined ? undefined : { from: "written", what: file.slice(0, 200) };
}
