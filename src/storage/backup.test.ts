import { existsSync, readdirSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { built, ended, startProgram } from "../../test/support/child-process.js";
import { openTestMemory } from "../../test/support/open-memories.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";

describe("a back-up", () => {
  it("[S9] is a whole and sound store, taken while another process writes", async () => {
    const folder = temporaryFolder();
    const db = join(folder, "memory.db");
    const memory = await openTestMemory({ db });
    await memory.rememberMany(Array.from({ length: 50 }, (_, n) => ({ content: `kept ${n}`, name: `n${n}` })));
    const writer = await startProgram(`
      import { openMemory } from ${JSON.stringify(built("index.js"))};
      const memory = await openMemory({ db: ${JSON.stringify(db)}, project: "test" });
      for (let n = 0; n < 10_000; n += 1) { await memory.remember({ content: "busy " + n }); if (n === 0) console.log("busy"); }
    `);

    const report = await memory.store.backup(join(folder, "copies", "one.db"));
    writer.kill();
    await ended(writer);

    const copy = await openTestMemory({ db: report.file });
    expect(report.memories).toBeGreaterThanOrEqual(51);
    expect((await copy.store.diagnose()).checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect((await copy.get("n49"))?.content).toBe("kept 49");
    expect(await copy.recall("kept", { limit: 3 })).toHaveLength(3);
    expect(readdirSync(join(folder, "copies")).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("[S9] never overwrites a file, and leaves no half one behind", async () => {
    const folder = temporaryFolder();
    const memory = await openTestMemory({ db: join(folder, "memory.db") });
    await memory.remember({ content: "x" });
    writeFileSync(join(folder, "precious.txt"), "mine");

    await expect(memory.store.backup(join(folder, "precious.txt"))).rejects.toMatchObject({ code: "backup-refused" });

    expect(readFileSync(join(folder, "precious.txt"), "utf8")).toBe("mine");
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  });

  it("says so when there is nothing to back up", async () => {
    const folder = temporaryFolder();
    const memory = await openTestMemory({ db: join(folder, "memory.db") });

    await expect(memory.store.backup(join(folder, "copy.db"))).rejects.toMatchObject({ code: "backup-refused" });
    expect(existsSync(join(folder, "copy.db"))).toBe(false);
  });
});
