import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ended, holdLock } from "../../../test/support/child-process.js";
import { projectContext } from "../../../test/support/keep-records.js";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { Store } from "../../storage/storage.js";
import { type ChangeSubscriber, openChanges } from "../change/change.js";
import { revise } from "../edit/revise.js";
import { remember } from "../remember/remember-memories.js";
import { AccessCounter } from "./access-counter.js";

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

  it("[CH3] drops what waits for the lock while the text is corrected", async () => {
    const store = new Store({ db: ":memory:", timeoutMs: 5000 });
    onTestFinished(() => store.close());
    const context = await projectContext({ store });
    const [said] = await remember(context, [{ content: "count me" }]);
    const id = said?.id ?? "";
    const counter = new AccessCounter(store, context.now);
    counter.count([id]);
    let flushed: Promise<void> | undefined;
    const waits: ChangeSubscriber = {
      name: "share",
      within: async () => void (flushed = counter.flush()),
    };

    await revise({ ...context, changes: openChanges(waits, counter.subscriber) }, id, { content: "count me not" });
    await flushed;

    const counted = await store.read((reader) => reader.rows("SELECT uses_since_correction AS uses FROM memories"));
    expect(counted).toMatchObject([{ uses: 0 }]);
  });
});
