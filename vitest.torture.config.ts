import { defineConfig } from "vitest/config";

// In `npm test` and `npm run test:hard` their costly properties are tried with a quarter of the examples
// (test/support/property-runs.ts), each trouble with three hooks instead of four, and each attack by two ways instead of five.
const shortened = [
  "src/codegraph/languages/typescript/typescript.hard.test.ts",
  "src/exchange/share/share-memories.test.ts",
  "src/exchange/intake/store-records.test.ts",
  "src/code-memory/links/follow-moves.test.ts",
  "src/memory/undo.hard.test.ts",
  "test/journeys/{exchange,graph-incremental}.hard.test.ts",
  "test/hostile/{injection-fails-open,injection-hostile,observer-damaged,observer-hostile}.hard.test.ts",
];

/** The same hard tests as in `npm run test:hard`, at full size: half an hour instead of two minutes. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/support/skip-reporter.ts"],
    include: ["test/torture/**/*.test.ts", ...shortened],
    setupFiles: ["test/support/own-home.ts", "test/support/skip-reasons.ts"],
    globalSetup: ["test/support/packed-tarball.ts"],
    env: { TACIT_TORTURE: "full" },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    // One after the other: each wants the machine for itself.
    fileParallelism: false,
  },
});
