import type { ChangedMemory, ChangeSubscriber } from "../memory/change/change.js";
import type { StoreEmbedding } from "./store-embedding.js";

/** Gives what was written its vectors soon, in the background. A row without one says so itself: nothing has to be noted. */
export function embedChanges(embedding: () => Promise<StoreEmbedding>): ChangeSubscriber {
  return {
    name: "embedding",
    after: async ({ memories }) => {
      if (memories.some(needsVector)) (await embedding()).schedule();
    },
  };
}

// As the trigger that takes the vector of a changed text away.
const embedded = ["content", "type", "relatedFiles", "relatedModules", "forgottenAt"] as const;

function needsVector({ isNew, fields }: ChangedMemory): boolean {
  return isNew || embedded.some((field) => fields.has(field));
}
