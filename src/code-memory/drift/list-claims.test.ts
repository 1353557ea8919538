import { describe, expect, it } from "vitest";
import { listClaims, statedParameters } from "./list-claims.js";
import { listMentions } from "./mentions.js";

describe("what a text says of code", () => {
  it("are files without their lines, and scripts", () => {
    const { files, scripts } = listClaims(
      "See `src/a.ts:12`, ./lib/b.py and (docs/c.md). Not e.g. https://example.org/x.html or 3.5. Run npm run build:all, then yarn lint; yarn add x is none. npm test ends it.",
    );

    expect(files).toEqual(expect.arrayContaining(["src/a.ts", "lib/b.py", "docs/c.md"]));
    expect(files.join()).not.toContain("x.html");
    expect(scripts).toEqual(["build:all", "lint", "test"]);
  });

  it("are the parameters that it writes out", () => {
    expect(statedParameters("`retry(times, delayMs = 5)` waits", "retry")).toEqual(["times", "delayMs"]);
    expect(statedParameters("retry() and retryAll(x)", "retry")).toBeUndefined();
  });

  it("[G39] are found in no time, whatever the text consists of", () => {
    const texts = ["(", "+", "[a", ".", "./", "1,", "-"].map((part) => `npm run a${part.repeat(20_000)}b`);

    const begun = performance.now();
    for (const one of texts) [listClaims(one), listMentions(one)].flat();

    // Bracket by bracket and point by point they took 38 s.
    expect(performance.now() - begun).toBeLessThan(3000);
  });
});
