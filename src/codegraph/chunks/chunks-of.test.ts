import { describe, expect, it } from "vitest";
import { chunksOf } from "./chunks-of.js";

describe("the chunks of a file", () => {
  it("have the words of their lines, their name and their path", async () => {
    const source = "export function readStore() {\n  return openConnections;\n}\n";

    const [chunk] = await chunksOf("src/data-store.ts", source, [
      { start: 0, end: 2, kind: "function", name: "readStore" },
    ]);

    expect(chunk).toMatchObject({ type: "function", name: "readStore", startLine: 1, endLine: 3 });
    expect(chunk?.words).toEqual([
      "export function read store readstor return open connect openconnect",
      "read store readstor",
      "src data store datastor ts datastoret",
    ]);
  });

  it("hold nothing of a secret, in no column and not in a name", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const source = `# Deploy with ${secret}\n\nexport TOKEN=${secret}\n`;

    const chunks = await chunksOf("notes.md", source);

    expect(JSON.stringify(chunks).toLowerCase()).not.toContain("0123456789abcdef");
    expect(chunks[0]?.name).toContain("[redacted:");
  });

  it("hold nothing of a secret that the outline names", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const source = `test("${secret}", () => {\n});\n`;

    const chunks = await chunksOf("a.ts", source, [{ start: 0, end: 1, kind: "function", name: secret }]);

    expect(JSON.stringify(chunks)).not.toContain("0123456789");
  });

  it("are known by their text: the same file gives the same hashes, another place of it too", async () => {
    const method = Array.from({ length: 10 }, (_, n) => `  return value${n} + another${n} + somethingElse${n};`);
    const outline = (start: number) => [
      { start: 0, end: start - 1, kind: "function" as const, name: "a" },
      { start, end: start + 9, kind: "function" as const, name: "b" },
    ];
    const other = method.map((line) => line.replace("value", "changed"));

    const before = await chunksOf("a.ts", [...method, ...method].join("\n"), outline(10));
    const after = await chunksOf("a.ts", [...other, "  more();", ...method].join("\n"), outline(11));

    expect(before).toHaveLength(2);
    expect(after[1]).toMatchObject({ startLine: 12, textHash: before[1]?.textHash });
    expect(after[0]?.textHash).not.toBe(before[0]?.textHash);
  });
});
