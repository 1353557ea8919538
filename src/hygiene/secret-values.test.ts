import { describe, expect, it } from "vitest";
import { isCode, isCommonWord, isNumberedWords, isPlaceholder, isRandom, namesASecret } from "./secret-values.js";

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

  it.each(["password", "newPassword", "my-secret-token", "API_KEY"])("%j only names a secret", (value) => {
    expect(namesASecret(value)).toBe(true);
  });

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
