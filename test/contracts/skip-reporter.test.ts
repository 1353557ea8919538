import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

describe("a skipped test", () => {
  it("has a reason wherever one can be skipped", () => {
    const silent = /\.(?:skipIf|runIf)\b|\b(?:it|test|describe)\.(?:skip|todo)\b|\bskip\(\)/;
    const files = ["src", "test", "bench"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(root, folder, file)),
    );
    const tests = files.filter((file) => /\.test\.m?ts$|\.test\.mjs$/.test(file) && !file.includes("fixtures"));

    const without = tests.filter((file) => file !== import.meta.filename && silent.test(readFileSync(file, "utf8")));

    expect(tests.length).toBeGreaterThan(400);
    expect(without.map((file) => relative(root, file))).toEqual([]);
  });
});
