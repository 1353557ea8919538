import type { TacitMemory } from "../../index.js";

// Whoever started the command waits for its end, so an answer must not cost a second more than this, whatever the model
// does; what does not fit in is done by the next one.
const most = { limit: 64, timeoutMs: 1000 };

/**
 * Gives memories that wait for it their vectors, for those who use nothing but the command line: no process of theirs
 * stays open for it. Says nothing and never throws; `tacit doctor` tells how it stands.
 */
export async function embedAfterwards(memory: TacitMemory, { isDue }: { isDue: boolean }): Promise<void> {
  try {
    if (isDue || (await memory.stats()).embedding.pending > 0) await memory.embedPending(most);
  } catch {
    // The store is busy or cannot be written: the answer was given, and that is what counts.
  }
}
