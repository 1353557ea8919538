import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeFiles } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { readSource } from "./read-source.js";

it("gives the text of a file without its byte order mark, and the hash of all its bytes", async () => {
  const root = folder();
  writeFiles(root, { "src/a.ts": "\uFEFFlet ä = 1;\r\n", "empty.py": "" });
  const { size, mtimeMs } = statSync(join(root, "src/a.ts"));

  expect(await readSource(root, "src/a.ts")).toEqual({
    hash: createHash("sha1").update("\uFEFFlet ä = 1;\r\n").digest("hex"),
    size,
    modifiedMs: mtimeMs,
    text: "let ä = 1;\r\n",
  });
  expect(await readSource(root, "empty.py")).toMatchObject({ text: "", hash: createHash("sha1").digest("hex") });
});

it("tells why a file is skipped, and reads it only where its name and size do not tell", async () => {
  const root = folder();
  writeFiles(root, { "large.ts": "x\n".repeat(600_000), "yarn.lock": "x", "binary.ts": "\0" });
  writeFileSync(join(root, "exact.ts"), "a\n".repeat(512 * 1024));

  expect(await readSource(root, "large.ts")).toMatchObject({ hash: "", size: 1_200_000, skipped: "larger than 1 MB" });
  expect(await readSource(root, "yarn.lock")).toMatchObject({ hash: "", skipped: "lock file" });
  expect(await readSource(root, "binary.ts")).toMatchObject({
    hash: createHash("sha1").update("\0").digest("hex"),
    skipped: "binary",
  });
  expect(await readSource(root, "exact.ts")).toMatchObject({ size: 1024 * 1024, text: expect.any(String) });
});

it("does not wait for a pipe, and takes nothing for a file that is none", async () => {
  const root = folder();
  const outside = folder();
  writeFiles(outside, { "secret.ts": "let a;" });
  mkdirSync(join(root, "folder.ts"));
  execFileSync("mkfifo", [join(root, "pipe.ts")]);
  writeFiles(root, { "a.ts": "let a;" });
  symlinkSync("a.ts", join(root, "link.ts"));
  symlinkSync("link2.ts", join(root, "link2.ts"));
  symlinkSync(outside, join(root, "outside"));
  symlinkSync("/dev/zero", join(root, "zero.ts"));
  const server = createServer().listen(join(root, "socket.ts"));
  await new Promise((listening) => server.once("listening", listening));
  onTestFinished(() => void server.close());

  for (const path of [
    "folder.ts",
    "pipe.ts",
    "link.ts",
    "link2.ts",
    "outside/secret.ts",
    "zero.ts",
    "socket.ts",
    "gone.ts",
    "a.ts/b.ts",
    `${"x".repeat(300)}.ts`,
  ]) {
    expect(await readSource(root, path), path).toBeUndefined();
  }
});

it("reads a file that is longer than it was said to be to its end", async ({ skip }) => {
  skip(!existsSync("/proc/self/limits"), "there is no /proc/self/limits, whose size is said to be 0");
  const found = await readSource(realpathSync("/proc/self"), "limits");

  expect(found).toMatchObject({ size: 0, text: expect.stringContaining("Max open files") });
});

function folder(): string {
  return realpathSync(temporaryFolder());
}
