import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/*.test.mjs"],
    // They fetch a server and agents from npm: `npm run test:remote`, `npm run test:agents`.
    exclude: ["test/remote/**", "test/agents/**"],
    globalSetup: ["test/packed-tarball.ts"],
    setupFiles: ["test/fast-check-seed.ts", "test/own-home.ts"],
    // Several suites start processes and wait for locks; two cores are shared between them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
