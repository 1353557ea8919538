import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { onlyFull } from "../torture/scale.js";

const root = join(import.meta.dirname, "..", "..");

const skipping = "test/torture/locked-store.test.ts";
const name = "the command line exits 1 with store-locked when the lock is never given up";

describe("a skipped test", () => {
  it("is named with its reason by the last lines of a run", () => {
    expect(run().trimEnd().split("\n").slice(-3)).toEqual([
      "1 test skipped:",
      `  1 test: ${onlyFull}`,
      `    ${skipping} > ${name}`,
    ]);
  });

  it("has its reason in the JSON report", () => {
    const { testResults } = JSON.parse(run("--reporter=json")) as {
      testResults: { assertionResults: { title: string; meta: { skipped?: string } }[] }[];
    };

    const told = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ title }) => title === name);
    expect(told.map(({ meta }) => meta)).toEqual([{ skipped: onlyFull }]);
  });

  it("has a reason wherever one can be skipped", () => {
    const silent = /\.(?:skipIf|runIf)\b|\b(?:it|test|describe)\.(?:skip|todo)\b|\bskip\(\)/;
    const files = ["src", "test", "bench"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(root, folder, file)),
    );
    const tests = files.filter((file) => /\.test\.m?ts$|\.test\.mjs$/.test(file) && !file.includes("fixtures"));

    const without = tests.filter((file) => file !== import.meta.filename && silent.test(readFileSync(file, "utf8")));

    expect(tests.length).toBeGreaterThan(400);
    expect(without.map((file) => relative(root, file))).toEqual([]);
  });
});

/** What `npm test` prints for the one test that is skipped everywhere. */
function run(...flags: string[]): string {
  const line = ["node_modules/vitest/vitest.mjs", "run", skipping, "-t", name, ...flags];
  // Nothing of it needs the packed tarball.
  const env = { ...process.env, TACIT_TORTURE: "", TACIT_INSTALLED_IN: root, NO_COLOR: "1" };
  return spawnSync(process.execPath, line, { cwd: root, env, encoding: "utf8" }).stdout;
}
