import { describe, expect, it } from "vitest";
import { compareSymbol } from "./compare-symbol.js";
import { readSymbol, withMentions } from "./read-symbol.js";

describe("what a memory says of a value", () => {
  it.each<[text: string, before: string, now: string, reason: string | undefined]>([
    ["`X` is 5.", "X = 5", "X = 7", "`X` is `7` now, the memory says 5"],
    ["`X` gives up after 30 s.", "X = 30_000", "X = 60_000", "`X` is `60_000` now, the memory says 30 s"],
    ["`X` keeps it for 1 hour.", "X = 60 * 60", "X = 60 * 5", "`X` is `60 * 5` now, the memory says 1 hour"],
    [
      "`X` is eu-west-1.",
      "X = 'eu-west-1'",
      'X = "eu-central-1"',
      '`X` is `"eu-central-1"` now, the memory says eu-west-1',
    ],
    [
      "`X` has `retries`.",
      "X = { retries: 1 }",
      "X = { tries: 1 }",
      "`X` is `{tries: 1}` now, the memory says retries",
    ],
    ["`X` is 5.", "X = 5", "X: number = 5 // five", undefined],
    ["`X` matters to the proxy.", "X = 5", "X = 7", undefined],
    ["`X` is said to the user.", 'X = "the user is gone"', 'X = "nobody"', undefined],
    // Never true as far as can be seen, and nobody has verified it.
    ["X = 5 everywhere.", "X = 7", "X = 7", "`X` is `7`, the memory says 5"],
  ])("%s: %s becomes %s", (text, before, now, reason) => {
    const see = (line: string) => readSymbol([`export const ${line};`], definition);

    const seen = withMentions(see(before), text, "X");

    expect(compareSymbol({ content: text, userVerified: false }, seen, see(now), "X")).toBe(reason);
  });

  it("counts as it stands where a person has verified it", () => {
    const sight = readSymbol(["export const X = 7;"], definition);

    expect(compareSymbol({ content: "X = 5", userVerified: true }, sight.symbol, sight, "X")).toBeUndefined();
  });
});

const definition = { id: "a.ts#X", file: "a.ts", path: "X", name: "X", kind: "variable", startLine: 1, endLine: 1 };
