import { within } from "../base/within.js";
import type { Memory } from "../memory/memory.js";
import { lookUpFiles, type FileChanges } from "./file-changes.js";
import { staleness, type Staleness } from "./staleness.js";

// A reader sees the first few; git is not asked about the rest.
const lookedUp = 20;
const waitMs = 150;

/** How stale the first of these memories are, by their ids, as far as it is known in time. */
export async function listStaleness(changes: FileChanges, memories: Memory[]): Promise<ReadonlyMap<string, Staleness>> {
  const about = memories.slice(0, lookedUp);
  const files = await within(waitMs, lookUpFiles(changes, about), () => undefined);
  return new Map(
    about.flatMap((memory) => {
      const known = files?.get(memory.id);
      return known ? [[memory.id, staleness(memory, known)]] : [];
    }),
  );
}
