import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { currentProcess } from "../../observer/processes/process-identity.js";
import { withFolderLock } from "./folder-lock.js";

describe("the lock of a folder", () => {
  it("lets one at a time work, in this process too, and leaves nothing behind, whatever the work throws", async () => {
    const folder = join(temporaryFolder(), "made");
    let working = 0;
    const work = async () => {
      working += 1;
      expect(working).toBe(1);
      await sleep(5);
      working -= 1;
      throw new Error("failed");
    };

    const done = await Promise.allSettled(Array.from({ length: 4 }, () => withFolderLock(folder, work)));

    expect(done.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => "rejected"));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["of a process that is dead", "999999999-1", 0],
    ["of a process that began at another time", `${process.pid}-1`, 0],
    ["that is nobody's", "", 10],
    ["that was held for longer than any work takes", `${currentProcess().pid}-${currentProcess().started}`, 61],
  ])("does not wait for one %s, and takes away what that was writing", async (_whose, mark, ageSeconds) => {
    const folder = temporaryFolder();
    const lock = join(folder, ".lock");
    const unfinished = ".MEMORY.md.0198c0de-0000-7000-8000-0123456789ab.part";
    writeFileSync(join(folder, unfinished), "half");
    writeFileSync(lock, mark);
    const then = Date.now() / 1000 - ageSeconds;
    utimesSync(lock, then, then);

    expect(await withFolderLock(folder, async () => existsSync(lock))).toBe(true);

    expect(readdirSync(folder)).toEqual([]);
  });

  it("says where it cannot be taken", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");

    await expect(withFolderLock(file, async () => 1)).rejects.toMatchObject({ code: "config-unwritable" });
  });
});
