import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OutlinePart } from "../facts/facts.js";
import { cutChunks } from "./cut-chunks.js";
import { sizeOf } from "../../../test/support/size-of-chunk.js";

describe("cutting a file into chunks", () => {
  it("gives a function its comment and its decorator", () => {
    const source = ["import a from 'a';", "", "// What it does.", "@logged", ...body("function read() {", 400), ""];

    const chunks = cutChunks(source.join("\n"), [part(0, 0, "import"), part(4, 5, "function", "read")], "a.ts");

    expect(chunks).toEqual([{ type: "function", name: "read", context: [], startLine: 1, endLine: 6 }]);
  });

  it("keeps a function of up to 4,000 characters whole, and cuts a longer one into parts that know their function", () => {
    const whole = linesOfSize(38, 100);
    const long = linesOfSize(60, 100);

    expect(cutChunks(whole.join("\n"), [part(0, 37, "function", "f", statements(38))], "a.ts")).toHaveLength(1);

    const chunks = cutChunks(long.join("\n"), [part(0, 59, "function", "f", statements(60))], "a.ts");

    expect(chunks.length).toBeGreaterThan(2);
    expect(new Set(chunks.map(({ type, name }) => `${type} ${name}`))).toEqual(new Set(["function f"]));
  });

  it("cuts a large class into its methods, which know their class", () => {
    const source = [...linesOfSize(4, 100), ...linesOfSize(10, 100), ...linesOfSize(10, 100)];
    const parts = [part(1, 3, "other"), part(4, 13, "function", "read"), part(14, 22, "function", "write")];

    const chunks = cutChunks(source.join("\n"), [part(0, 23, "class", "Store", parts)], "a.ts");

    expect(chunks).toEqual([
      { type: "class", name: "Store", context: [], startLine: 1, endLine: 4 },
      { type: "function", name: "read", context: ["Store"], startLine: 5, endLine: 14 },
      { type: "function", name: "write", context: ["Store"], startLine: 15, endLine: 24 },
    ]);
  });

  it("puts small neighbours together under the names of all", () => {
    const source = linesOfSize(6, 100);
    const outline = [0, 2, 4].map((at) => part(at, at + 1, "function", `f${at}`));

    const chunks = cutChunks(source.join("\n"), outline, "a.ts");

    expect(chunks).toEqual([{ type: "function", name: "f0, f2, f4", context: [], startLine: 1, endLine: 6 }]);
  });

  it("cuts what has no parts at a blank line", () => {
    const source = [...linesOfSize(15, 100), "", ...linesOfSize(15, 100)];

    const chunks = cutChunks(source.join("\n"), [part(0, 30, "other", "table")], "a.ts");

    expect(chunks.map(({ endLine }) => endLine)).toEqual([16, 31]);
    expect(chunks.map(({ name }) => name)).toEqual(["table", "table"]);
  });

  it("never cuts a line, however long", () => {
    expect(cutChunks("x".repeat(50_000), [part(0, 0, "other")], "a.min.js")).toHaveLength(1);
    expect(cutChunks("x".repeat(50_000), undefined, "data.json")).toHaveLength(1);
  });

  it("has nothing to say of an empty file", () => {
    expect(cutChunks("", [], "a.ts")).toEqual([]);
    expect(cutChunks("", undefined, "a.md")).toEqual([]);
  });

  it("cuts Markdown at its headings, and calls a piece after them", () => {
    const text = "word ".repeat(100);
    const source = ["# Guide", text, "## Install", text, "```sh", "# not a heading", "```", "## Use", text].join("\n");

    const chunks = cutChunks(source, undefined, "docs/guide.md");

    expect(chunks.map(({ name, context, startLine }) => [...context, name, startLine])).toEqual([
      ["Guide", 1],
      ["Guide", "Install", 3],
      ["Guide", "Use", 8],
    ]);
  });

  it("cuts other prose every 100 lines at least", () => {
    const chunks = cutChunks("a\n".repeat(250), undefined, "list.txt");

    expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 100],
      [101, 200],
      [201, 250],
    ]);
    expect(chunks.every(({ type }) => type === "prose")).toBe(true);
  });

  it("puts every line into one chunk, in order and within the limits, whatever the outline says", () => {
    fc.assert(
      fc.property(anyLines, anyOutline, fc.boolean(), (lines, outline, isProse) => {
        const chunks = cutChunks(lines.join("\n"), isProse ? undefined : outline, isProse ? "a.md" : "a.ts");

        const count = lines.join("\n") === "" ? 0 : lines.length - (lines.at(-1) === "" ? 1 : 0);
        let next = 1;
        for (const { startLine, endLine } of chunks) {
          expect(startLine).toBe(next);
          expect(endLine).toBeGreaterThanOrEqual(startLine);
          next = endLine + 1;
        }
        expect(next - 1).toBe(count);
        const tooLarge = chunks.filter(
          (chunk) =>
            chunk.startLine < chunk.endLine && sizeOf(chunk, lines) > (chunk.type === "function" ? 4000 : 2000),
        );
        expect(tooLarge).toEqual([]);
      }),
    );
  });

  it("leaves nothing small beside what has room for it", () => {
    fc.assert(
      fc.property(anyLines, anyOutline, (lines, outline) => {
        const chunks = cutChunks(lines.join("\n"), outline, "a.ts");

        const couldJoin = chunks.filter((chunk, at) => {
          const after = chunks[at + 1];
          const size = sizeOf(chunk, lines);
          return after && size < 300 && size + sizeOf(after, lines) <= 2000;
        });
        expect(couldJoin).toEqual([]);
      }),
    );
  });
});

const anyLines = fc.array(
  fc.oneof(
    fc.constant(""),
    fc.constant("# A heading"),
    fc.integer({ min: 1, max: 120 }).map((length) => ` ${"x".repeat(length)}`),
    { weight: 1, arbitrary: fc.integer({ min: 1000, max: 5000 }).map((length) => "y".repeat(length)) },
  ),
  { maxLength: 200 },
);

const { outline: anyOutline } = fc.letrec<{ outline: OutlinePart[]; part: OutlinePart }>((tie) => ({
  outline: fc.array(tie("part"), { maxLength: 6, depthIdentifier: "outline" }),
  part: fc
    .record({
      start: fc.nat(210),
      length: fc.nat(60),
      kind: fc.constantFrom("function" as const, "class" as const, "import" as const, "other" as const),
      name: fc.constantFrom("a", "b", ""),
      parts: fc.option(tie("outline"), { depthIdentifier: "outline", maxDepth: 3 }),
    })
    .map(({ start, length, parts, ...rest }) => ({ ...rest, start, end: start + length, ...(parts && { parts }) })),
}));

function part(
  start: number,
  end: number,
  kind: OutlinePart["kind"],
  name?: string,
  parts?: OutlinePart[],
): OutlinePart {
  return { start, end, kind, ...(name !== undefined && { name }), ...(parts && { parts }) };
}

/** A statement on every line between the first and the last. */
function statements(lines: number): OutlinePart[] {
  return Array.from({ length: lines - 2 }, (_, at) => part(at + 1, at + 1, "other"));
}

function body(first: string, size: number): string[] {
  return [first, "x".repeat(size)];
}

function linesOfSize(count: number, size: number): string[] {
  return Array.from({ length: count }, () => "x".repeat(size));
}
