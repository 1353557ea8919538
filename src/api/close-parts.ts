import { finishQuietly, pruneIfDue } from "../memory/retention/retention.js";
import type { Parts } from "./parts.js";

/** Finishes what is under way, and closes the rooms in the order in which they need each other. A second time, it does nothing. */
export async function closeParts(parts: Parts): Promise<void> {
  const { context, conversations, contradictions, observing, injecting, models, accesses, recalls } = parts;
  const { store } = context;
  clearInterval(parts.upkeep);
  await conversations.close();
  await observing.close();
  // Whoever asked what pruning would do does not want it done behind their back.
  if (store.isOpen && !parts.pruning.isDone) await pruneIfDue(context);
  // What was learned a moment ago is stated, too.
  await contradictions.close();
  if (store.isOpen) await conversations.memoryFiles.catchUp();
  await parts.grounding.settled();
  await injecting.close();
  await models.close();
  await accesses.flush();
  await recalls.flush();
  if (store.isOpen) await finishQuietly(context);
  await store.close();
}
