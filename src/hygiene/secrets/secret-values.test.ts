import { describe, expect, it } from "vitest";
import {
  isCode,
  isCommonWord,
  isNumberedWords,
  isPlaceholder,
  isRandom,
  isScrambled,
  isStrong,
  isUserAndPassword,
  namesASecret,
} from "./secret-values.js";

describe("secret values", () => {
  it.each([
    "",
    "***",
    "xxxx",
    "...",
    "${A}",
    "$A",
    "$a",
    "{{a}}",
    "<a>",
    "%A%",
    "%s",
    "your-key",
    "changeme",
    "[hidden]",
  ])("%j is a placeholder", (value) => {
    expect(isPlaceholder(value)).toBe(true);
  });

  it.each(["hunter2", "$tr0ngPassw0rd", "p@ss", "xylophone", "yours"])("%j is no placeholder", (value) => {
    expect(isPlaceholder(value)).toBe(false);
  });

  it.each(["password", "newPassword", "my-secret-token", "API_KEY", "password2", "Password1:"])(
    "%j only names a secret",
    (value) => {
      expect(namesASecret(value)).toBe(true);
    },
  );

  it.each([
    "swordfish",
    "2024-01-31",
    "v1.2.3-rc1",
    "64-bytes",
    "sha256",
    "/etc/pass1",
    "a1b2",
    "key1.pem",
    "https://a1",
  ])("%j is not random", (value) => {
    expect(isRandom(value, 6)).toBe(false);
  });

  it.each(["a1b2c3d4e5f6", "Xk29dkfj2kd8Q7", "0a1b-2c3d-4e5f", "QmVkcm9ja0FQSUtleSNFYQ"])(
    "%j is scrambled",
    (value) => {
      expect(isScrambled(value, 12)).toBe(true);
    },
  );

  it.each([
    "placeOpenBraceOnNewLine",
    "unicode.REPLACEMENT_CHARACTER",
    "sha256",
    "2024-01-31T10:20",
    "my-token-1-of-2",
  ])("%j is not scrambled", (value) => {
    expect(isScrambled(value, 6)).toBe(false);
  });

  it("tells a strong password by its sorts of characters", () => {
    expect(["Hunter2x", "hunter2!", "HUNTER2!"].map(isStrong)).toEqual([true, true, true]);
    expect(["hunter22", "Hunter2", "camelCase", "Min 8 chars!"].map(isStrong)).toEqual([false, false, false, false]);
  });

  it("knows a user and a password in base64", () => {
    expect(["Ym9iOmh1bnRlcjI=", "authentication", "abc"].map(isUserAndPassword)).toEqual([true, false, false]);
  });

  it("tells code, numbered words and common words from values", () => {
    expect([isCode("getToken()"), isCode("config.token"), isCode("a?.b"), isCode("p@ss(1)")]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([isNumberedWords("my-token-1"), isNumberedWords("a1b2c3")]).toEqual([true, false]);
    expect([isCommonWord("String"), isCommonWord("swordfish")]).toEqual([true, false]);
  });
});
