import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editMarks, markOf } from "./edit-marks.js";
import { changesOfPatch, patchFiles } from "./patch-files.js";

describe("marks of an edit", () => {
  it("are the same however the blanks fall, and differ with the text", () => {
    expect(markOf("a  b\n\tc ")).toBe(markOf("a b c"));
    expect(markOf("ab c")).not.toBe(markOf("a bc"));
    expect(markOf("")).toMatch(/^[0-9a-f]{12}$/);
  });

  it("are twelve digits, and equal only for texts that are", () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const mark = markOf(text);
        const normal = text.replace(/[\t-\r ]+/g, " ").trim();
        expect(mark).toMatch(/^[0-9a-f]{12}$/);
        expect(seen.get(mark) ?? normal).toBe(normal);
        seen.set(mark, normal);
      }),
    );
  });

  it("show that an edit was taken back", () => {
    const there = editMarks({ old_string: "let a", new_string: "const a" });
    const back = editMarks({ oldString: "const a", newString: "let  a" });

    expect(there?.pairs[0]).toEqual(back?.pairs[0]?.toReversed());
  });

  it.each([
    [
      { old_string: "a", new_string: "b\nc" },
      { pairs: [[markOf("a"), markOf("b c")]], lines: 2 },
    ],
    [
      { old_str: "a", new_str: "" },
      { pairs: [[markOf("a"), markOf("")]], lines: 0 },
    ],
    [
      { command: "insert", insert_line: 3, insert_text: "x" },
      { pairs: [[markOf(""), markOf("x")]], lines: 1 },
    ],
    [{ content: "a\nb\n" }, { pairs: [], whole: markOf("a b"), lines: 2 }],
    [
      { old_string: "", new_string: "a" },
      { pairs: [], whole: markOf("a"), lines: 1 },
    ],
    [{ file_text: "a" }, { pairs: [], whole: markOf("a"), lines: 1 }],
    [
      { edits: [{ old_string: "a", new_string: "b" }, { old_string: "c", new_string: "d" }, null, 3] },
      {
        pairs: [
          [markOf("a"), markOf("b")],
          [markOf("c"), markOf("d")],
        ],
        lines: 2,
      },
    ],
    [
      { patch: "*** Begin Patch\n*** Update File: a.ts\n@@\n x\n-a\n+b\n*** End Patch" },
      { pairs: [[markOf("x a"), markOf("x b")]], lines: 2 },
    ],
    [{}, undefined],
    [{ old_string: 3, edits: "x" }, undefined],
  ])("of %j are %j", (input, marks) => {
    expect(editMarks(input)).toEqual(marks);
  });

  it("of a file of 200 KB take no time to speak of", () => {
    const content = "const value = compute(other);\n".repeat(7000);
    const start = performance.now();
    editMarks({ content });

    expect(performance.now() - start).toBeLessThan(50);
  });
});

describe("a patch", () => {
  it("names its files", () => {
    const patch = "*** Begin Patch\n*** Update File: src/a.ts\n*** Delete File: b.ts\n*** Add File: c d.ts\n+x\n";

    expect(patchFiles(patch)).toEqual(["src/a.ts", "b.ts", "c d.ts"]);
    expect(patchFiles("diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b")).toEqual(["x.ts"]);
    expect(patchFiles("--- /dev/null\n+++ b/new.ts\t2026-01-01\n+a")).toEqual(["new.ts"]);
  });

  it("tells each stretch of changed lines apart", () => {
    expect(changesOfPatch("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n c\n+d\n")).toEqual([
      { before: "a", after: "b" },
      { before: "c\n", after: "c\nd\n" },
    ]);
  });
});
