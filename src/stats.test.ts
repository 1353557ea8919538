import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeEmbedder } from "../test/fake-embedder.js";
import { openTestMemory } from "../test/open-memories.js";
import { openWithMeaning } from "../test/open-with-meaning.js";
import { temporaryFolder } from "../test/temporary-folder.js";

describe("stats()", () => {
  it("counts the questions of a project by day and mode, and all of them together", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const now = () => new Date("2026-03-10T12:00:00Z");
    const memory = await openWithMeaning(fakeEmbedder(), [{ content: "ships leave on monday" }], { db, now });
    await memory.recall("ships");
    await memory.recall("zebra", { mode: "words" });
    await memory.recall("ships", { mode: "words" });
    await memory.close();

    const stats = await (await openTestMemory({ db })).stats();

    const none = { lifted: 0, topChanged: 0 };
    expect(stats).toEqual({
      embedding: { modelId: "fake:words:64", dimensions: 64, ready: true, embedded: 1, pending: 0 },
      recalls: [
        { day: "2026-03-10", mode: "hybrid", questions: 1, unanswered: 0, ...none },
        { day: "2026-03-10", mode: "words", questions: 2, unanswered: 1, ...none },
      ],
      modelCalls: [],
      totals: {
        recalls: { questions: 3, unanswered: 1, ...none },
        modelCalls: { calls: 0, failures: 0, inputTokens: 0, outputTokens: 0 },
      },
    });
  });
});
