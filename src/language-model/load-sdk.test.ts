import { expect, it, onTestFinished } from "vitest";
import { loadSdk } from "./load-sdk.js";

it("keeps the SDK from printing among answers, and leaves a program that has decided otherwise alone", async () => {
  const before = globalThis.AI_SDK_LOG_WARNINGS;
  onTestFinished(() => void (globalThis.AI_SDK_LOG_WARNINGS = before));

  globalThis.AI_SDK_LOG_WARNINGS = undefined;
  await loadSdk();
  const unsaid = globalThis.AI_SDK_LOG_WARNINGS;
  globalThis.AI_SDK_LOG_WARNINGS = () => undefined;
  await loadSdk();

  expect(unsaid).toBe(false);
  expect(globalThis.AI_SDK_LOG_WARNINGS).toBeTypeOf("function");
});
