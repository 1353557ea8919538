import { mergeConfig } from "vitest/config";
import usual from "./vitest.config.js";

/** The same hard tests as in `npm test`, at full size: an hour instead of two minutes. */
export default mergeConfig(usual, {
  test: {
    include: ["test/torture/**/*.test.ts"],
    env: { TACIT_TORTURE: "full" },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
