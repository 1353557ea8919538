import { describe, expect, it } from "vitest";
import type { CodeImpact } from "../../index.js";
import { openPage } from "../terminal/page.js";
import { renderImpact } from "./render-impact.js";

describe("renderImpact", () => {
  it("names tests, then dependents by depth and file, what is not resolved, and notes", () => {
    const text = render({
      dependents: [
        dependent("src/a.ts#run", ["src/store.ts#read"], ["calls"], 0.98, 12),
        dependent("src/b.ts", ["src/store.ts#read"], ["imports"], 1),
        dependent("src/a.ts#go", ["src/store.ts#read"], ["references"], 0.9),
        dependent("src/c.ts#main", ["src/store.ts#read", "src/a.ts#run"], ["calls", "calls"], 0.5),
      ],
      tests: [
        { file: "src/store.test.ts", depth: 1, through: "src/store.ts" },
        { file: "src/own.test.ts", depth: 0, through: "src/own.test.ts" },
      ],
      unresolved: { sites: 3, files: 2, names: ["read"] },
      notes: ["2 files have changed since."],
    });

    expect(text).toBe(`4 dependents of src/store.ts#read in 3 files

Tests to run
  src/store.test.ts  through src/store.ts
  src/own.test.ts

Directly
  src/a.ts:12  run → calls (0.98)
  src/a.ts  go → references (0.90)
  src/b.ts  → imports (1.00)

2 steps away
  src/c.ts  main → calls src/a.ts#run (0.50)

Not resolved: 3 calls in 2 files by the name read. They may be dependents too.

2 files have changed since.`);
  });

  it("shows as many dependents as fit, and says how many more there are and whether more may lie beyond", () => {
    const dependents = Array.from({ length: 50 }, (_, n) =>
      dependent(`src/f${n}.ts#run`, ["src/store.ts#read"], ["calls"], 0.98),
    );

    const text = render({ dependents, mayGoOn: true });

    expect(text).toContain("src/f39.ts");
    expect(text).not.toContain("src/f40.ts");
    expect(text).toContain(
      "… and 10 more dependents: --limit 50 shows them all.\nMore may lie beyond 1 step: --depth 2.",
    );
  });

  it("says that nothing is known, and when it was cut", () => {
    expect(render({})).toBe("Nothing known depends on src/store.ts#read.");
    expect(render({ isCut: true, dependents: [dependent("b.ts", ["src/store.ts#read"], ["imports"], 1)] })).toContain(
      "The nearest 1 dependent of src/store.ts#read in 1 file",
    );
  });

  it("takes the power out of names", () => {
    const text = render({ dependents: [dependent("evil\u001b[2J\n.ts#x", ["src/store.ts#read"], ["calls"], 1)] });

    expect(text).not.toContain("\u001b");
    expect(text.split("\n")).toHaveLength(4);
  });
});

function render(fields: Partial<CodeImpact>): string {
  const page = openPage({
    stream: {},
    env: {},
    // oxlint-disable-next-line no-control-regex -- control characters are what it is about
    clean: (text) => text.replaceAll(/[\u0000-\u001f]/g, "?"),
    now: new Date(0),
  });
  const impact: CodeImpact = {
    target: [
      { id: "src/store.ts#read", kind: "function", name: "read", file: "src/store.ts", startLine: 1, endLine: 2 },
    ],
    dependents: [],
    tests: [],
    unresolved: { sites: 0, files: 0, names: [] },
    isCut: false,
    mayGoOn: false,
    memories: [],
    concepts: [],
    notes: [],
    ...fields,
  };
  return renderImpact(impact, page);
}

function dependent(
  id: string,
  way: string[],
  kinds: CodeImpact["dependents"][number]["kinds"],
  confidence: number,
  line?: number,
): CodeImpact["dependents"][number] {
  const [file = "", name = file] = id.split("#");
  return {
    node: { id, kind: id.includes("#") ? "function" : "file", name, file, startLine: 1, endLine: 2 },
    depth: kinds.length,
    path: [...way, id],
    kinds,
    confidence,
    ...(line !== undefined && { line }),
  };
}
