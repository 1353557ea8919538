import { describe, expect, it } from "vitest";
import { contentLimitBytes, refuseOversized, refuseUnstorable } from "./refuse-unstorable.js";

describe("refuseUnstorable", () => {
  it("takes whole surrogate pairs and control characters other than NUL", () => {
    expect(() => refuseUnstorable("😀 \u0001 \u001b \uFFFD", "content")).not.toThrow();
  });

  it.each(["\ud83d", "a\ude00", "\ude00\ud83d"])("refuses %j", (text) => {
    expect(() => refuseUnstorable(text, "content")).toThrow("half of a surrogate pair");
  });
});

describe("refuseOversized", () => {
  it("names the field, the size and the limit", () => {
    expect(() => refuseOversized("a".repeat(contentLimitBytes + 1), "metadata.log", "")).toThrow(
      "metadata.log has 65537 bytes, more than the 65536 that are kept",
    );
  });
});
