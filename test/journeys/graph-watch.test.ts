import { describe, expect, it } from "vitest";
import { writeFiles } from "../support/git-repository.js";
import { watched, until } from "../support/watched-tree.js";

describe("watching a work tree", () => {
  it("[G14] has a change in the graph about half a second after it", async () => {
    const { root, reports, symbols } = await watched({ "src/a.ts": "export function one() {}\n" });
    const begun = performance.now();

    writeFiles(root, { "src/a.ts": "export function one() {}\nexport function two() {}\n" });
    await until(() => reports.length === 2);

    const tookMs = performance.now() - begun;
    expect(reports[1]).toMatchObject({ changed: 1 });
    expect(await symbols()).toEqual(["src/a.ts#one", "src/a.ts#two"]);
    expect(tookMs).toBeGreaterThan(400);
    expect(tookMs).toBeLessThan(4000);
  });
});
