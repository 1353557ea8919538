import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeEmbedder } from "../../test/support/fake-embedder.js";
import { openTestMemory } from "../../test/support/open-memories.js";
import { openWithMeaning } from "../../test/support/open-with-meaning.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";

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
      injections: {
        byDay: [],
        bySession: [],
        totals: {
          sessions: 0,
          injections: 0,
          memories: 0,
          differentMemories: 0,
          files: 0,
          tokens: 0,
          cited: 0,
          followed: 0,
          savedTokens: 0,
        },
      },
      totals: {
        recalls: { questions: 3, unanswered: 1, ...none },
        modelCalls: { calls: 0, failures: 0, inputTokens: 0, outputTokens: 0 },
      },
    });
  });

  it("adds up what agents were told by day and session, and what they used of it", async () => {
    const memory = await openTestMemory();
    const [used, unused] = await memory.rememberMany([{ content: "Pin the driver." }, { content: "Ships sail." }]);
    const [first = "", second = ""] = [used?.id, unused?.id];
    const told = (sessionId: string, at: string, ...ids: string[]) =>
      memory.observe({
        sessionId,
        at: Date.parse(at),
        kind: "injected",
        point: "prompt",
        tokens: 50 * ids.length,
        memories: ids.map((id) => ({ id, why: "fits", tokens: 40 })),
      });
    told("s1", "2026-03-09T23:59:00Z", first, second);
    told("s2", "2026-03-10T00:01:00Z", second);
    memory.observe({
      sessionId: "s1",
      kind: "reasoning",
      text: `As [Memory #${first.slice(-8)}: Pin] says, I pin it.`,
    });
    await memory.finishSession("s1");
    await memory.finishSession("s2");

    const { injections } = await memory.stats();

    const one = { injections: 1, savedTokens: 0 };
    expect(injections).toMatchObject({
      byDay: [
        { ...one, day: "2026-03-09", point: "prompt", memories: 2, tokens: 100, used: 1 },
        { ...one, day: "2026-03-10", point: "prompt", memories: 1, tokens: 50, used: 0 },
      ],
      bySession: [
        { ...one, sessionId: "s2", memories: 1, used: 0 },
        { ...one, sessionId: "s1", memories: 2, used: 1 },
      ],
      totals: {
        sessions: 2,
        injections: 2,
        memories: 3,
        differentMemories: 2,
        tokens: 150,
        cited: 1,
        followed: 0,
        savedTokens: 0,
      },
    });
  });
});
