import { within } from "../../base/within.js";
import type { Memory } from "../../memory/memory.js";
import { lookUpFiles, type FileChanges } from "./file-changes.js";
import { estimateStaleness, type Staleness } from "./estimate-staleness.js";

const waitMs = 150;

/** How stale these memories are, by their ids, as far as it is known in time. */
export async function listStaleness(changes: FileChanges, memories: Memory[]): Promise<ReadonlyMap<string, Staleness>> {
  const files = await within(waitMs, lookUpFiles(changes, memories), () => undefined);
  return new Map(
    memories.flatMap((memory) => {
      const known = files?.get(memory.id);
      return known ? [[memory.id, estimateStaleness(memory, known)]] : [];
    }),
  );
}
