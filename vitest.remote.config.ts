import { defineConfig } from "vitest/config";

/** The suites of memory, embedding and recall once more, each store on a server of its own, and what servers do wrong. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/support/skip-reporter.ts"],
    include: [
      "test/remote/**/*.test.ts",
      "src/code-memory/links/*.test.ts",
      "src/memory/**/*.test.ts",
      "src/project/**/*.test.ts",
      "src/exchange/intake/*.test.ts",
      "src/embedding/**/*.test.ts",
      "src/retrieval/**/*.test.ts",
    ],
    // It opens no store.
    exclude: ["src/embedding/bundled/**"],
    globalSetup: ["test/remote/fetch-sqld.ts"],
    setupFiles: [
      "test/support/fast-check-seed.ts",
      "test/support/own-home.ts",
      "test/support/skip-reasons.ts",
      "test/remote/use-token.ts",
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
