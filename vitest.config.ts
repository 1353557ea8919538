import { defineConfig } from "vitest/config";

// They need modules afresh: they register types for the whole process.
const apart = ["src/methodology/*.test.ts"];

/** Here and in vitest.hard.config.ts. */
export const shared = {
  setupFiles: [
    "test/support/fast-check-seed.ts",
    "test/support/own-home.ts",
    "test/support/skip-reasons.ts",
    "test/support/sql-for-servers.ts",
  ],
  // Several suites start processes and wait for locks; two cores are shared between them.
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

/** Most files, here and in vitest.hard.config.ts. */
export const together = {
  ...shared,
  name: "together",
  // Each process loads a module once, and not once for every file that imports it: 254 files of src take
  // 91 s instead of 157, and 137 s of processor time instead of 245 (2026-11). What a file changes in its process is
  // put back by test/support/own-home.ts.
  isolate: false,
};

/** What a developer runs before every commit: `npm test`. Whatever takes longer is in `npm run test:hard`. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/support/skip-reporter.ts"],
    globalSetup: ["test/support/quick-disk.ts"],
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: "apart", include: apart } },
      {
        test: {
          ...together,
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/*.test.mjs"],
          exclude: [
            ...apart,
            "**/*.hard.test.ts",
            "test/torture/**",
            // They fetch a server and agents from npm: `npm run test:remote`, `npm run test:agents`.
            "test/remote/**",
            "test/agents/**",
            "src/codegraph/languages/fixtures/**",
          ],
        },
      },
    ],
  },
});
