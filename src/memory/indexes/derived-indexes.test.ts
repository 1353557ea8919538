import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { Store } from "../../storage/storage.js";

describe("the derived indexes", () => {
  it.each([
    ["the words of a memory are missing", "DELETE FROM memory_words WHERE rowid = (SELECT min(key) FROM memories)"],
    [
      "the words of a memory are wrong",
      "UPDATE memory_words SET content = 'other' WHERE rowid = (SELECT min(key) FROM memories)",
    ],
    ["there are words of no memory", "INSERT INTO memory_words (rowid, content) VALUES (99999999999, 'stray')"],
    ["the facets are gone", "DELETE FROM memory_facets"],
  ])("[S10] are found out of step when %s, and rebuilt from the rows", async (_what, damage) => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    await memory.rememberMany([
      { content: "alpha centauri", tags: ["star"] },
      { content: "beta orionis", tags: ["star"] },
    ]);
    const store = new Store({ db, timeoutMs: 1000 });
    await store.write(async (writer) => writer.run(damage));
    await store.close();

    const before = await memory.store.diagnose();
    const after = await memory.store.repair();

    expect(before.ok).toBe(false);
    expect(before.checks.find(({ name }) => name === "indexes")).toMatchObject({
      status: "broken",
      hint: expect.stringContaining("--repair"),
    });
    expect(after.ok).toBe(true);
    expect(await memory.recall("alpha", { tags: ["star"] })).toHaveLength(1);
    expect(await memory.recall("stray")).toEqual([]);
  });

  it("[S10] are rebuilt by themselves when another version cut the words", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    await memory.remember({ content: "alpha centauri" });
    await memory.close();
    const store = new Store({ db, timeoutMs: 1000 });
    await store.write(async (writer) => {
      await writer.run("UPDATE store_state SET value = '0' WHERE name = 'tokenizer'");
      await writer.run("UPDATE memory_words SET content = 'zzz'");
    });
    await store.close();

    const reopened = await openTestMemory({ db });

    expect(await reopened.recall("alpha")).toHaveLength(1);
  });
});
