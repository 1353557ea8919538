import type { Memory } from "../memory/memory.js";
import { lookUpFiles, type FileChanges } from "./file-changes.js";
import { staleness, type Staleness } from "./staleness.js";

// A reader sees the first few; git is not asked about the rest.
const lookedUp = 20;
const waitMs = 150;

/** How stale the first of these memories are, by their ids, as far as it is known in time. */
export async function listStaleness(changes: FileChanges, memories: Memory[]): Promise<ReadonlyMap<string, Staleness>> {
  const about = memories.slice(0, lookedUp);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((give) => {
    timer = setTimeout(() => give(undefined), waitMs);
  });
  const files = await Promise.race([lookUpFiles(changes, about), late]).finally(() => clearTimeout(timer));
  return new Map(
    about.flatMap((memory) => {
      const known = files?.get(memory.id);
      return known ? [[memory.id, staleness(memory, known)]] : [];
    }),
  );
}
