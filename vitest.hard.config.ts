import { defineConfig } from "vitest/config";
import { shared, together } from "./vitest.config.js";

// It needs modules afresh: it takes the place of one.
const apart = ["src/codegraph/indexing/parse-pool.hard.test.ts"];

// The slowest take 25 s on two cores, and 60 s were too few on a machine with eight times as much to do (2026-11).
const testTimeout = 180_000;

/** What is too slow for every commit: costly properties, processes one after the other, the real model, the packed tarball. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/support/skip-reporter.ts"],
    globalSetup: ["test/support/packed-tarball.ts", "test/support/quick-disk.ts"],
    maxWorkers: 2,
    projects: [
      { test: { ...shared, testTimeout, name: "apart", include: apart } },
      {
        test: {
          ...together,
          testTimeout,
          include: ["src/**/*.hard.test.ts", "test/**/*.hard.test.ts", "test/torture/**/*.test.ts"],
          exclude: [...apart, "test/remote/**", "test/agents/**", "src/codegraph/languages/fixtures/**"],
        },
      },
    ],
  },
});
