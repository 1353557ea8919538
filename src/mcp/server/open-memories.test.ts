import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { openMemories } from "./open-memories.js";

it("[A10] closes the memory of a folder that was left, but not while a call uses it", async () => {
  const folder = temporaryFolder();
  const memories = openMemories({ db: join(folder, "memory.db"), project: "p" });
  onTestFinished(() => memories.close());
  const first = memories.contextAt(folder);
  const others = Array.from({ length: 8 }, () => memories.contextAt(temporaryFolder()));
  const visitOthers = async (): Promise<void> => {
    for (const other of others) await other.heldFor?.(other.memory);
  };

  const used = await first.heldFor?.(async () => {
    const memory = await first.memory();
    await visitOthers();
    expect(await memory.list()).toEqual([]);
    await memory.remember({ content: "Said by a call that takes long." });
    return memory;
  });
  await visitOthers();

  const codeOf = async (): Promise<unknown> => used?.list().catch(({ code }: { code: string }) => code);
  await expect.poll(codeOf).toBe("store-closed");
  expect(await (await first.memory()).list()).toHaveLength(1);
});
