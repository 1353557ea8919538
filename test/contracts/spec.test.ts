import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const rows = [...readFileSync(join(root, "docs", "SPEC.md"), "utf8").matchAll(/^\|\s*([A-Z]+\d+)(†?)\s*\|/gm)];
const promised = rows.map(([, id]) => id);
const marked = rows.filter(([, , mark]) => mark !== "").map(([, id]) => id);
const files = [...testsBelow(join(root, "src")), ...testsBelow(join(root, "test"))];
const tested = idsIn(files);
const testedBy = { quick: idsIn(files.filter(isQuick)), hard: idsIn(files.filter(isHard)) };

describe("docs/SPEC.md", () => {
  it("promises nothing that no test carries", () => {
    expect(promised.length).toBeGreaterThan(0);
    expect(promised.filter((id) => !tested.has(id))).toEqual([]);
  });

  it("lists every promise that a test carries, once", () => {
    expect([...tested].filter((id) => !promised.includes(id))).toEqual([]);
    expect(new Set(promised).size).toBe(promised.length);
  });

  it("marks the promises that `npm run test:hard` proves and `npm test` does not, and no others", () => {
    expect(marked.length).toBeGreaterThan(0);
    expect(marked).toEqual(promised.filter((id) => testedBy.hard.has(id) && !testedBy.quick.has(id)));
  });
});

function isHard(file: string): boolean {
  return file.endsWith(".hard.test.ts") || file.startsWith(join(root, "test", "torture") + sep);
}

/** Of `npm test`: neither hard, nor of a suite that needs a server or agents. */
function isQuick(file: string): boolean {
  return !isHard(file) && !["remote", "agents"].some((suite) => file.startsWith(join(root, "test", suite) + sep));
}

function idsIn(tests: string[]): Set<string | undefined> {
  return new Set(
    tests.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\[([A-Z]{1,2}\d{1,2})\]/g)].map(([, id]) => id)),
  );
}

function testsBelow(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? testsBelow(path) : path.endsWith(".test.ts") ? [path] : []));
}
