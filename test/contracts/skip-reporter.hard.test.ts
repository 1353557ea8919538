import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onlyFull } from "../torture/scale.js";

const root = join(import.meta.dirname, "..", "..");

const config = "vitest.hard.config.ts";
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
});

/** What `npm run test:hard` prints for the one test that is skipped everywhere. */
function run(...flags: string[]): string {
  const line = ["node_modules/vitest/vitest.mjs", "run", "--config", config, skipping, "-t", name, ...flags];
  // Nothing of it needs the packed tarball.
  const env = { ...process.env, TACIT_TORTURE: "", TACIT_INSTALLED_IN: root, NO_COLOR: "1" };
  return spawnSync(process.execPath, line, { cwd: root, env, encoding: "utf8" }).stdout;
}
