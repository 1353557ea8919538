import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assert, property, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../../test/support/git-repository.js";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { readGraph } from "../../../test/support/read-graph.js";
import { scipIndex, type WrittenDocument } from "../../../test/support/scip-index.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { MemoryError, type TacitMemory } from "../../index.js";
import { readIndex } from "./read-index.js";

const open = "scip-test npm shop 1.0.0 src/`a.ts`/open().";
const text = "export function open() {}\nexport function go(all) {\n  all.open();\n}\n";
const good: WrittenDocument = { path: "src/a.ts", text, defines: { [open]: "open" }, uses: [["open@2", open]] };

describe("what is no SCIP index", () => {
  it("[G26] is refused wherever it is cut off, and never read beyond its end", () => {
    const whole = scipIndex([good, { ...good, path: "src/b.ts" }]);
    const [first] = readIndex(whole).documents;
    const lengths = Array.from({ length: whole.length }, (_, length) => length);

    const passed = lengths.filter((length) => readAll(whole.slice(0, length)) !== "refused");

    // Cut between two parts, it is an index of fewer documents.
    expect(first?.path).toBe("src/a.ts");
    expect(passed.map((length) => readAll(whole.slice(0, length)))).toEqual([0, 1]);
  });

  it("[G26] says so, whatever bytes it has", () => {
    assert(
      property(uint8Array({ maxLength: 200 }), (bytes) => {
        readAll(bytes);
      }),
    );
    expect(readAll(Buffer.from('{"documents": []}'))).toBe("refused");
    expect(readAll(gzipSync(scipIndex([good])))).toBe("refused");
  });

  it("[G26] leaves everything as it was", async () => {
    const [memory, root] = await openWith();
    await memory.index({ scip: scipIndex([good]) });
    const before = await readGraph(memory);
    const whole = scipIndex([good]);
    writeFileSync(join(root, "..", "cut.scip"), whole.slice(0, -3));

    const cut = memory.index({ scip: join(root, "..", "cut.scip") });
    await expect(cut).rejects.toThrow("This is no SCIP index: it is cut off.");
    const missing = memory.index({ scip: join(root, "none.scip") });
    await expect(missing).rejects.toThrow(/^There is no such file: .*none\.scip$/);
    const foreign = memory.index({ scip: scipIndex([{ ...good, path: "lib/else.ts" }]) });
    await expect(foreign).rejects.toMatchObject({
      message: "None of the 1 documents of the SCIP index fits this tree.",
      hint: "lib/else.ts is no file of this tree, or git ignores it.",
    });

    expect(await readGraph(memory)).toEqual(before);
    expect((await memory.index()).precise).toBe(1);
  });
});

describe("documents that do not fit", () => {
  it("[G26] are refused one by one, with why, and the others are taken", async () => {
    const doesNotFit = "does not fit the file as it is: make the index again";
    const unnameable = "a symbol in it has characters that no name has";
    const outside = ["../src/a.ts", "src/../../a.ts", "/etc/passwd", "C:\\src\\a.ts", ""];
    const ranges = [[0, 0, 2_000_000_000], [2_000_000_000, 0, 4], [-1, -1, -1], [0, 17, 19], [1, 16, 18], [1]];
    const symbols = [`${open}\u0007`, "local \0"];
    const refused: [why: string, document: Partial<WrittenDocument>][] = [
      ...outside.map((path): (typeof refused)[number] => ["lies outside of the tree", { path }]),
      ["is in the index twice", { path: "./src/a.ts" }],
      ["is no file of this tree, or git ignores it", { path: "src" }],
      ...ranges.map((range, n): (typeof refused)[number] => [
        doesNotFit,
        { path: `src/range${n}.ts`, raw: [{ range, symbol: open, roles: 1 }] },
      ]),
      ["a symbol in it is longer than any name", { path: "src/long9.ts", uses: [["all", "x".repeat(10_001)]] }],
      ...symbols.map((symbol, n): (typeof refused)[number] => [
        unnameable,
        { path: `src/symbol${n}.ts`, uses: [["all", symbol]] },
      ]),
    ];
    const others = refused.flatMap(([, { path = "" }]) => (/\d\.ts$/.test(path) ? [[path, text]] : []));
    const [memory] = await openWith(Object.fromEntries(others) as Record<string, string>);

    const documents = refused.map(([, document]): WrittenDocument => ({ path: "", text, ...document }));
    const { scip } = await memory.index({ scip: scipIndex([good, ...documents]) });

    expect(scip?.taken).toBe(1);
    expect(scip?.refused).toEqual(refused.map(([why, { path }]) => ({ path, why })));
    const { edges } = await readGraph(memory);
    expect(edges.filter(({ source }) => source === "scip").map(({ from }) => from)).toEqual(["src/a.ts#go"]);
  });
});

/** How many documents can be read of it, every part of them. */
function readAll(bytes: Uint8Array): number | "refused" {
  try {
    return readIndex(bytes).documents.map(({ read }) => read()).length;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return "refused";
  }
}

async function openWith(others: Record<string, string> = {}): Promise<[TacitMemory, string]> {
  const root = join(realpathSync(temporaryFolder()), "tree");
  writeFiles(root, { "src/a.ts": text, ...others });
  const memory = await openTestMemory({ directory: root, project: undefined });
  await memory.index();
  return [memory, root];
}
