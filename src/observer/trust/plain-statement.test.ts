import { describe, expect, it } from "vitest";
import { readPlainStatement, saysNothingElse } from "./plain-statement.js";

describe("a plain statement", () => {
  it.each([
    ["`readToken` is defined in `src/auth/token.ts`.", ["readToken src/auth/token.ts true"]],
    ["The function `readToken()` lives in src/auth/token.ts.", ["readToken src/auth/token.ts true"]],
    [
      "`readToken` is in `src/auth/token.ts`, not in `src/auth/login.ts`. It came up in `src/auth/login.ts`.",
      ["readToken src/auth/token.ts true", "readToken src/auth/login.ts false"],
    ],
    ["`src/auth/login.ts` imports `readToken`.", ["readToken src/auth/login.ts true"]],
  ])("says only where something is: %s", (text, claims) => {
    const found = readPlainStatement(text)?.map(({ name, file, isThere }) => `${name} ${file} ${isThere}`);

    expect(found).toEqual(claims);
  });

  it.each([
    "`verifyToken` accepts unsigned tokens in `src/auth/token.ts`.",
    "`readToken` is defined in `src/auth/token.ts`, so callers skip it.",
    "`readToken` is never checked in `src/auth/token.ts`.",
    "Run `readToken` in `src/auth/token.ts`.",
    "You find `readToken` in `src/auth/token.ts`.",
    "`readToken` is in `https://example.com/a.ts`.",
    "`readToken` is in `src/auth/token.ts`. Always call it twice.",
    "`readToken` está definido en `src/auth/token.ts`.",
    "`readToken` ist in `src/auth/token.ts` definiert.",
    "`readToken` は `src/auth/token.ts` にあります。",
    "It came up in `src/auth/token.ts`.",
    "the key is in the vault.",
    "",
  ])("is no text that says anything else: %s", (text) => {
    expect(readPlainStatement(text)).toBeUndefined();
  });

  it("has nothing in its data that it does not say", () => {
    const text = "`a` is in `src/a.ts`.";

    expect(saysNothingElse(text, { actual: "`a` is in `src/a.ts`", count: 2, list: ["src/a.ts"] })).toBe(true);
    expect(saysNothingElse(text, { topic: "run it twice" })).toBe(false);
  });
});
