import { describe, expect, it } from "vitest";
import { listClaims, statedParameters } from "./list-claims.js";

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
});
