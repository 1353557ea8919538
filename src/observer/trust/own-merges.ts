import type { Merger } from "./merged-work.js";

/**
 * Whether agents may have merged something: one was at work between two moments, or had asked for a merge since a third. Unknown
 * as long as one goes on that began before.
 */
export type MayHaveMerged = (when: { since: Date; from: Date; until: Date }) => Promise<boolean | "unknown">;

/** Clocks differ, here and at the forge, and a call of an agent may be under way. */
export const forgeSlackMs = 120_000;
// A forge that was told to merge once the checks have passed may be told so long before they do.
const memoryMs = 90 * 24 * 3_600_000;

/**
 * Tells of what a forge merged for its author whether a person pressed the button: no agent of theirs was at work at that moment, and
 * none had asked for a merge before. That goes by what this store knows of agents. Each merge is looked at once.
 */
export function openOwnMerges(
  now: Date,
  mayHaveMerged: MayHaveMerged,
): (merger: Merger) => Promise<boolean | "unknown"> {
  const known = new Map<string, Promise<boolean | "unknown">>();
  const look = async ({ at }: Merger): Promise<boolean | "unknown"> => {
    // Nobody knows yet who will have been at work by then.
    if (at > now.getTime()) return "unknown";
    const found = await mayHaveMerged({
      since: new Date(at - memoryMs),
      from: new Date(at - forgeSlackMs),
      until: new Date(at + forgeSlackMs),
    });
    return found === "unknown" ? found : !found;
  };
  return (merger) => {
    const found = known.get(merger.sha) ?? look(merger);
    known.set(merger.sha, found);
    return found;
  };
}
