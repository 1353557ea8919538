import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = join(import.meta.dirname, "..", "..");

it("what a suite of .ci/run comes to is counted and named: what passed, failed, was skipped and why, or could not be loaded", () => {
  const { counts, lines } = summaryOf({
    "good.test.mjs": `
      import { expect, it } from "vitest";
      it("holds", () => {});
      it("does not hold", () => expect(1).toBe(2));
      it["skip"]("is left out", () => {});
      it("lacks its data", ({ skip }) => skip("there is no data"));
    `,
    "bad.test.mjs": `throw new Error("cannot be loaded");`,
  });

  expect(counts).toBe("1 2 2");
  expect(lines.filter((line) => line.startsWith("──")).toSorted()).toEqual([
    "── FAILED bad.test.mjs",
    "── FAILED good.test.mjs: does not hold",
    "── skipped good.test.mjs: is left out",
    "── skipped good.test.mjs: lacks its data (there is no data)",
  ]);
  expect(lines.join("\n")).toContain("expected 1 to be 2");
  expect(lines.join("\n")).toContain("cannot be loaded");
});

it("an error that no test of a suite of .ci/run caught is one more failure", () => {
  const { counts, lines } = summaryOf({
    "late.test.mjs": `
      import { it } from "vitest";
      it("holds", () => { void Promise.reject(new Error("too late")); });
    `,
  });

  expect(counts).toBe("1 1 0");
  expect(lines.join("\n")).toContain("── FAILED an error that no test caught\nError: too late");
});

function summaryOf(files: Record<string, string>): { counts: string | undefined; lines: string[] } {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const summary = join(folder, "summary");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  spawnSync(process.execPath, [vitest, "run", `--reporter=${join(root, ".ci", "reporter.mjs")}`], {
    cwd: folder,
    env: { ...process.env, TACIT_CI_SUMMARY: summary },
  });
  const [counts, ...lines] = readFileSync(summary, "utf8").trimEnd().split("\n");
  return { counts, lines };
}
