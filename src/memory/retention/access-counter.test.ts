import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ended, holdLock } from "../../../test/support/child-process.js";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";

describe("counting uses", () => {
  it("[M11] never makes an answer wait: counts are dropped while another process holds the lock", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db, timeoutMs: 10_000 });
    await memory.remember({ content: "count me" });
    const holder = await holdLock(db);

    const started = Date.now();
    const found = await memory.recall("count");
    await memory.close();
    const tookMs = Date.now() - started;
    holder.kill();
    await ended(holder);

    const again = await openTestMemory({ db });
    expect(found).toHaveLength(1);
    // Waiting for the lock would have taken the ten seconds.
    expect(tookMs).toBeLessThan(5000);
    expect((await again.list())[0]?.accessCount).toBe(0);
  });

  it("[M11] writes what is left when the memory is closed", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    await memory.remember({ content: "count me" });

    await memory.recall("count");
    await memory.close();

    const again = await openTestMemory({ db });
    expect((await again.list())[0]?.accessCount).toBe(1);
  });
});
