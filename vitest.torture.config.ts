import { defineConfig } from "vitest/config";

/** The same hard tests as in `npm test`, at full size: half an hour instead of two minutes. */
export default defineConfig({
  test: {
    include: ["test/torture/**/*.test.ts"],
    globalSetup: ["test/packed-tarball.ts"],
    env: { TACIT_TORTURE: "full" },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    // One after the other: each wants the machine for itself.
    fileParallelism: false,
  },
});
