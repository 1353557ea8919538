import { describe, expect, it } from "vitest";
import { isPassphrase } from "./passphrases.js";

describe("isPassphrase", () => {
  it.each(["correct horse battery staple", "Correct Horse Battery Staple", "kaktus sonne tür haus".replace("ü", "ue")])(
    "%j is one",
    (value) => {
      expect(isPassphrase(value, 3)).toBe(true);
    },
  );

  it.each([
    "enter your password",
    "must contain eight characters",
    "Password is required",
    "wrong user name",
    "correct horse",
    "see RFC 2617 there",
    "passwords do match",
  ])("%j is a sentence", (value) => {
    expect(isPassphrase(value, 3)).toBe(false);
  });
});
