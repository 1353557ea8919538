import { describe, expect, it } from "vitest";
import { openTrackedIndex } from "./tracked-index.js";

describe("what git has", () => {
  it("is its files and the folders that hold any", () => {
    const tracked = openTrackedIndex(new Set(["README.md", "src/ui/a.ts"]));

    expect(["README.md", "src/ui/a.ts", "src/ui", "src"].map((path) => tracked.has(path))).toEqual(Array(4).fill(true));
    expect(["src/ui/b.ts", "ui", "src/", ""].map((path) => tracked.has(path))).toEqual(Array(4).fill(false));
  });

  it("is nothing where there is no git, which is not the same as a repository without files", () => {
    const [without, empty] = [openTrackedIndex(undefined), openTrackedIndex(new Set())];

    expect([without.hasGit, empty.hasGit]).toEqual([false, true]);
    expect([without.has("a.ts"), empty.has("a.ts")]).toEqual([false, false]);
    expect(without.hasBelow("a.ts", new Set())).toBe(false);
  });

  it("is looked through once for each glob", () => {
    const tracked = openTrackedIndex(new Set(["docs/a.md"]));
    const asked: string[] = [];
    const matches = Object.assign(/^docs\/[^/]*\.md$/, {
      test: (file: string) => asked.push(file) > 0,
    });

    expect([tracked.hasMatch("docs/*.md", matches), tracked.hasMatch("docs/*.md", matches)]).toEqual([true, true]);
    expect(tracked.hasMatch("docs/*.ts", /\.ts$/)).toBe(false);
    expect(asked).toEqual(["docs/a.md"]);
  });

  it("is named from any of its folders on, unless every such file is left out", () => {
    const tracked = openTrackedIndex(new Set(["app/src/a.ts", "lib/src/a.ts", "b.ts"]));

    expect(tracked.hasBelow("src/a.ts", new Set(["app/src/a.ts"]))).toBe(true);
    expect(tracked.hasBelow("src/a.ts", new Set(["app/src/a.ts", "lib/src/a.ts"]))).toBe(false);
    expect(tracked.hasBelow("rc/a.ts", new Set())).toBe(false);
    expect(tracked.hasBelow("b.ts", new Set())).toBe(false);
  });
});
