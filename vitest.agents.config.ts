import { defineConfig } from "vitest/config";

/** With the real agents, which are fetched from npm: `npm run test:agents`. */
export default defineConfig({
  test: {
    reporters: ["default", "./test/support/skip-reporter.ts"],
    include: ["test/agents/**/*.test.ts"],
    globalSetup: [
      "test/support/packed-tarball.ts",
      "test/agents/install-claude-code.ts",
      "test/agents/install-opencode.ts",
    ],
    setupFiles: ["test/support/own-home.ts", "test/support/skip-reasons.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // Each session is several programs at once.
    fileParallelism: false,
  },
});
