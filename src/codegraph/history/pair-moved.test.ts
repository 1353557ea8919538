import * as fc from "fast-check";
import { expect, it } from "vitest";
import { pairMoved } from "./pair-moved.js";

const emptyHash = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

it("pairs the only two files of a content, whatever they are called", () => {
  expect(pairMoved([file("a.ts", "1"), file("b.ts", "2")], [file("src/c.ts", "2"), file("d.ts", "3")])).toEqual([
    { from: "b.ts", to: "src/c.ts" },
  ]);
});

it("pairs by base name where several have the content, and leaves what could be another", () => {
  const gone = [file("a/x.ts", "1"), file("a/y.ts", "1"), file("a/z.ts", "1"), file("b/z.ts", "1")];
  const appeared = [file("c/x.ts", "1"), file("c/z.ts", "1"), file("c/other.ts", "1")];

  expect(pairMoved(gone, appeared)).toEqual([{ from: "a/x.ts", to: "c/x.ts" }]);
});

it("asks empty files for their name, and unread ones not at all", () => {
  expect(pairMoved([file("a/__init__.py", emptyHash)], [file("b/__init__.py", emptyHash)])).toHaveLength(1);
  expect(pairMoved([file("a/x.py", emptyHash)], [file("b/y.py", emptyHash)])).toEqual([]);
  expect(pairMoved([file("a/yarn.lock", "")], [file("b/yarn.lock", "")])).toEqual([]);
});

it("uses every file once, pairs only equal ones, and does not depend on the order", () => {
  const files = fc.uniqueArray(fc.record({ path: anyPath(), hash: fc.constantFrom("1", "2", "3", "") }), {
    selector: (one) => one.path,
    maxLength: 12,
  });

  fc.assert(
    fc.property(files, files, (gone, appeared) => {
      const pairs = pairMoved(gone, appeared);

      expect(new Set(pairs.map(({ from }) => from)).size).toBe(pairs.length);
      expect(new Set(pairs.map(({ to }) => to)).size).toBe(pairs.length);
      for (const { from, to } of pairs) {
        const hash = gone.find((one) => one.path === from)?.hash;
        expect(appeared.find((one) => one.path === to)?.hash).toBe(hash);
      }
      expect(sorted(pairMoved(gone.toReversed(), appeared.toReversed()))).toEqual(sorted(pairs));
    }),
  );
});

function file(path: string, hash: string): { path: string; hash: string } {
  return { path, hash };
}

function anyPath(): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("x", "y", "z")).map((parts) => parts.join("/"));
}

function sorted(pairs: { from: string; to: string }[]): string[] {
  return pairs.map(({ from, to }) => `${from} ${to}`).toSorted();
}
