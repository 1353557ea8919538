import { defineConfig } from "vitest/config";

// In `npm test` their costly properties are tried with a quarter of the examples (test/property-runs.ts), each trouble with three
// hooks instead of four, and each attack by two ways instead of five.
const shortened = [
  "src/codegraph/typescript/typescript.test.ts",
  "src/exchange/share.test.ts",
  "src/intake/keep-records.test.ts",
  "src/memory/{follow-moves,undo}.test.ts",
  "test/{exchange,graph-incremental,injection-fails-open,observer-hostile}.test.ts",
];

/** The same hard tests as in `npm test`, at full size: half an hour instead of two minutes. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/skip-reporter.ts"],
    include: ["test/torture/**/*.test.ts", ...shortened],
    setupFiles: ["test/own-home.ts", "test/skip-reasons.ts"],
    globalSetup: ["test/packed-tarball.ts"],
    env: { TACIT_TORTURE: "full" },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    // One after the other: each wants the machine for itself.
    fileParallelism: false,
  },
});
