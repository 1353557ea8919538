import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { listSemanticDuplicates } from "./list-semantic-duplicates.js";
import { remember } from "../../memory/remember/remember-memories.js";
import type { Models } from "../../retrieval/open-models.js";
import type { Reader } from "../../storage/storage.js";

describe("listKnownMeanings", () => {
  it("knows what a memory means that somebody vouches for, in the same numbers", async () => {
    const context = await projectContext();
    const text = "The queue holds 7 orders.";

    await remember(context, [{ content: "In the queue there are 7 orders." }], { unverified: "No hooks run." });
    const unverified = await listSemanticDuplicates(context, nearToAll, [text]);
    await remember(context, [{ content: "There are 7 orders in the queue." }]);

    expect(unverified).toEqual([false]);
    expect(await listSemanticDuplicates(context, nearToAll, [text, "The queue holds 8 orders."])).toEqual([
      true,
      false,
    ]);
  });
});

/** A model for which all memories mean the same. */
const nearToAll = {
  embedding: async () => ({
    embedQuery: async () => ({ vector: new Float32Array(1) }),
    listNearest: async (reader: Reader) =>
      (await reader.rows("SELECT key FROM memories")).map((row) => ({ key: Number(row["key"]), similarity: 1 })),
  }),
} as unknown as Models;
