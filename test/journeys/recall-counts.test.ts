import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenOptions } from "../../src/index.js";
import type { Stats } from "../../src/api/read-stats.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { openTestMemory } from "../support/open-memories.js";
import { openWithMeaning } from "../support/open-with-meaning.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const now = () => new Date("2026-11-15T12:00:00Z");

describe("the questions of a project", () => {
  it("[R18] are counted by day and mode, after the answer, and none is kept", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openWithMeaning(fakeEmbedder(), [{ content: "the cache is warm" }], { db, now });
    await memory.recall("zanzibar wombats", { mode: "words" });
    await memory.recall("is the cache warm?", { mode: "words" });
    await memory.recall("is the zanzibar cache warm?");

    const meanwhile = await memory.stats();
    await memory.close();
    const after = await statsOf({ db, now });

    expect(meanwhile.recalls).toEqual([]);
    expect(after.recalls).toEqual([
      { day: "2026-11-15", mode: "hybrid", questions: 1, unanswered: 0, lifted: 0, topChanged: 0 },
      { day: "2026-11-15", mode: "words", questions: 2, unanswered: 1, lifted: 0, topChanged: 0 },
    ]);
    expect(readFileSync(db).includes("zanzibar")).toBe(false);
  });

  it("[R18] add up over processes, with what the code around did", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const codeGraph = { neighbours: async () => new Map([["near.ts", ["lifted.ts"]]]) };
    const inputs = [
      { content: "cache number 0", relatedFiles: ["lifted.ts"] },
      ...Array.from({ length: 10 }, (_, n) => ({ content: `cache number ${n + 1}`, relatedFiles: ["near.ts"] })),
    ];
    for (const options of [{ codeGraph }, {}]) {
      const memory = await openTestMemory({ db, now, ...options });
      await memory.rememberMany(inputs);
      await memory.recall("cache");
      await memory.close();
    }

    expect((await statsOf({ db, now })).recalls).toEqual([
      { day: "2026-11-15", mode: "words", questions: 2, unanswered: 0, lifted: 1, topChanged: 1 },
    ]);
  });

  it("[R18] [P1] are counted for their own project", async () => {
    const db = join(temporaryFolder(), "memory.db");
    for (const project of ["mine", "theirs"]) {
      const memory = await openTestMemory({ db, now, project });
      await memory.remember({ content: "cache" });
      if (project === "theirs") await memory.recall("cache");
      await memory.close();
    }

    expect((await statsOf({ db, now, project: "mine" })).recalls).toEqual([]);
    expect((await statsOf({ db, now, project: "theirs" })).recalls).toHaveLength(1);
  });

  it("[R18] [S5] create no file where nothing was ever remembered", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db, now });

    expect(await memory.recall("cache")).toEqual([]);
    await memory.close();

    expect(existsSync(db)).toBe(false);
  });
});

async function statsOf(options: OpenOptions): Promise<Stats> {
  return (await openTestMemory({ embedder: null, ...options })).stats();
}
