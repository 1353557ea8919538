import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { forAll, forOwner, replaceFile } from "./replace-file.js";

describe("replaceFile", () => {
  it("makes a file in the mode that was asked for, with its folder", async () => {
    const folder = temporaryFolder();

    await replaceFile(join(folder, "new", "mine.jsonl"), forOwner, (write) => write("mine"));
    await replaceFile(join(folder, "CLAUDE.md"), forAll, (write) => write("ours"));

    expect(modeOf(join(folder, "new", "mine.jsonl"))).toBe(0o600);
    expect(modeOf(join(folder, "new"))).toBe(0o700);
    expect(modeOf(join(folder, "CLAUDE.md"))).toBe(0o666 & ~process.umask());
  });

  it.each(["a file that is there", "a file that is not there yet"])("follows a link to %s", async (what) => {
    const folder = realpathSync(temporaryFolder());
    const [link, target] = [join(folder, "CLAUDE.md"), join(folder, "AGENTS.md")];
    symlinkSync("AGENTS.md", link);
    if (what === "a file that is there") writeFileSync(target, "old");

    await replaceFile(link, forAll, (write) => write("new"));

    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(lstatSync(target).isFile()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("new");
  });

  it("leaves a file its mode", async () => {
    const file = join(temporaryFolder(), "CLAUDE.md");
    writeFileSync(file, "old");
    chmodSync(file, 0o640);

    await replaceFile(file, forAll, (write) => write("new"));

    expect(modeOf(file)).toBe(0o640);
  });

  it("writes any number of pieces in their order", async () => {
    const file = join(temporaryFolder(), "x.jsonl");
    const pieces = Array.from({ length: 3000 }, (_, n) => `${n} ${"ä".repeat(50)}\n`);

    const count = await replaceFile(file, forOwner, async (write) => {
      for (const piece of pieces) await write(piece);
      return pieces.length;
    });

    expect(count).toBe(3000);
    expect(readFileSync(file, "utf8")).toBe(pieces.join(""));
  });

  it("leaves the old file, and whatever lies beside it, when the work fails", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "x.jsonl");
    const beside = `.x.jsonl.${process.pid}.tmp`;
    writeFileSync(file, "old");
    writeFileSync(join(folder, beside), "precious");
    const failure = new Error("the store is gone");

    const act = replaceFile(file, forOwner, async (write) => {
      await write("half");
      throw failure;
    });

    await expect(act).rejects.toBe(failure);
    expect(readdirSync(folder)).toEqual([beside, "x.jsonl"]);
    expect(readFileSync(file, "utf8")).toBe("old");
  });

  it("refuses what is no file, without touching it", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "folder"));

    for (const path of [join(folder, "folder"), "/dev/null"]) {
      await expect(replaceFile(path, forOwner, (write) => write("x"))).rejects.toMatchObject({
        code: "export-refused",
        message: `${path} is no regular file.`,
      });
    }
  });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
