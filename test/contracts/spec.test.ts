import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const promised = [...readFileSync(join(root, "docs", "SPEC.md"), "utf8").matchAll(/^\|\s*([A-Z]+\d+)\s*\|/gm)].map(
  ([, id]) => id,
);
const tested = new Set(
  testsBelow(join(root, "src"))
    .concat(testsBelow(join(root, "test")))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\[([A-Z]{1,2}\d{1,2})\]/g)].map(([, id]) => id)),
);

describe("docs/SPEC.md", () => {
  it("promises nothing that no test carries", () => {
    expect(promised.length).toBeGreaterThan(0);
    expect(promised.filter((id) => !tested.has(id))).toEqual([]);
  });

  it("lists every promise that a test carries, once", () => {
    expect([...tested].filter((id) => !promised.includes(id))).toEqual([]);
    expect(new Set(promised).size).toBe(promised.length);
  });
});

function testsBelow(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? testsBelow(path) : path.endsWith(".test.ts") ? [path] : []));
}
