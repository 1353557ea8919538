import { type MemoryContext, openChanges } from "../../src/memory/change/change.js";

/** A program changes memories, and nobody follows what it does. */
export const unfollowed: Pick<MemoryContext, "actor" | "changes"> = {
  actor: { kind: "program" },
  changes: openChanges(),
};
