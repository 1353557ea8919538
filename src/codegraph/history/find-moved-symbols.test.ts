import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeId } from "../../base/ids/node-id.js";
import { findMovedSymbols, type SymbolKey } from "./find-moved-symbols.js";

const none = new Map<string, string>();

describe("a symbol that vanished", () => {
  it("is where its file went, members and the file itself included, even if its body changed", () => {
    const gone = ["", "Store", "Store.read", "open"].map((path) =>
      symbol("a.ts", path, { fingerprint: `old ${path}` }),
    );
    const appeared = ["", "Store", "Store.read", "other"].map((path) => symbol("b.ts", path));

    expect(findMovedSymbols(gone, appeared, new Map([["a.ts", "b.ts"]]))).toEqual([
      { from: "a.ts", to: "b.ts" },
      { from: "a.ts#Store", to: "b.ts#Store" },
      { from: "a.ts#Store.read", to: "b.ts#Store.read" },
    ]);
  });

  it("has another name where its body is, in its file or elsewhere", () => {
    const gone = [symbol("a.ts", "open", { fingerprint: "1" }), symbol("a.ts", "close", { fingerprint: "2" })];
    const appeared = [symbol("a.ts", "start", { fingerprint: "1" }), symbol("b.ts", "end", { fingerprint: "2" })];

    expect(findMovedSymbols(gone, appeared, none)).toEqual([
      { from: "a.ts#close", to: "b.ts#end" },
      { from: "a.ts#open", to: "a.ts#start" },
    ]);
  });

  it("is in the one other file that has its path and kind now", () => {
    const gone = [symbol("a.ts", "open", { fingerprint: "1" }), symbol("a.ts", "Store", { kind: "class" })];
    const appeared = [symbol("b.ts", "open", { fingerprint: "2" }), symbol("b.ts", "Store", { kind: "interface" })];

    expect(findMovedSymbols(gone, appeared, none)).toEqual([{ from: "a.ts#open", to: "b.ts#open" }]);
  });

  it("goes with its class, under the class's new name", () => {
    const gone = [
      symbol("a.ts", "Store", { kind: "class", fingerprint: "1" }),
      symbol("a.ts", "Store.#read"),
      symbol("a.ts", "Store.read~2", { name: "read" }),
      symbol("a.ts", "Store.write", { fingerprint: "2" }),
      symbol("a.ts", "Store.write.retry"),
    ];
    const appeared = [
      symbol("b.ts", "Db", { kind: "class", fingerprint: "1" }),
      symbol("b.ts", "Db.#read"),
      symbol("b.ts", "Db.read~2", { name: "read" }),
      symbol("b.ts", "Db.put", { fingerprint: "2" }),
      symbol("b.ts", "Db.put.retry"),
    ];

    expect(findMovedSymbols(gone, appeared, none)).toEqual([
      { from: "a.ts#Store", to: "b.ts#Db" },
      { from: "a.ts#Store.#read", to: "b.ts#Db.#read" },
      { from: "a.ts#Store.read~2", to: "b.ts#Db.read~2" },
      { from: "a.ts#Store.write", to: "b.ts#Db.put" },
      { from: "a.ts#Store.write.retry", to: "b.ts#Db.put.retry" },
    ]);
  });
});

describe("nothing is guessed", () => {
  it("between two bodies, two files, or two that claim the same", () => {
    const twice = [symbol("b.ts", "x", { fingerprint: "1" }), symbol("c.ts", "y", { fingerprint: "1" })];

    expect(findMovedSymbols([symbol("a.ts", "z", { fingerprint: "1" })], twice, none)).toEqual([]);
    expect(findMovedSymbols(twice, [symbol("a.ts", "z", { fingerprint: "1" })], none)).toEqual([]);
    expect(findMovedSymbols([symbol("a.ts", "f")], [symbol("b.ts", "f"), symbol("c.ts", "f")], none)).toEqual([]);
    const both = new Map([
      ["a.ts", "c.ts"],
      ["b.ts", "c.ts"],
    ]);
    expect(findMovedSymbols([symbol("a.ts", "f"), symbol("b.ts", "f")], [symbol("c.ts", "f")], both)).toEqual([]);
  });

  it("of a file by what it holds, of a member without its class, nor across kinds", () => {
    expect(findMovedSymbols([symbol("a.ts", "")], [symbol("b.ts", "")], none)).toEqual([]);
    expect(findMovedSymbols([symbol("a.ts", "Store.read")], [symbol("b.ts", "Store.read")], none)).toEqual([]);
    const [from, to] = [
      symbol("a.ts", "x", { kind: "class", fingerprint: "1" }),
      symbol("b.ts", "y", { kind: "function", fingerprint: "1" }),
    ];
    expect(findMovedSymbols([from], [to], none)).toEqual([]);
  });
});

describe("whatever vanished and appeared", () => {
  it("every symbol is used once, and the order does not matter", () => {
    fc.assert(
      fc.property(symbols(), symbols(), renames(), (gone, appeared, renamed) => {
        const moves = findMovedSymbols(gone, appeared, renamed);

        expect(new Set(moves.map(({ from }) => from)).size).toBe(moves.length);
        expect(new Set(moves.map(({ to }) => to)).size).toBe(moves.length);
        for (const { from, to } of moves) {
          expect(gone.some((one) => nodeId(one.file, one.path) === from)).toBe(true);
          expect(appeared.some((one) => nodeId(one.file, one.path) === to)).toBe(true);
          expect(from).not.toBe(to);
        }
        expect(findMovedSymbols(gone.toReversed(), appeared.toReversed(), renamed)).toEqual(moves);
      }),
    );
  });

  it("a renamed file takes all of its symbols with it", () => {
    fc.assert(
      fc.property(symbols(), (gone) => {
        const renamed = new Map([...new Set(gone.map(({ file }) => file))].map((file) => [file, `new/${file}`]));
        const appeared = gone.map((one) => ({ ...one, file: `new/${one.file}` }));

        const moves = findMovedSymbols(gone, appeared, renamed);

        expect(moves).toHaveLength(gone.length);
        for (const { from, to } of moves) expect(to).toBe(`new/${from}`);
      }),
    );
  });
});

function symbol(file: string, path: string, fields: Partial<SymbolKey> = {}): SymbolKey {
  return {
    file,
    path,
    kind: path === "" ? "file" : "function",
    name: path.slice(path.lastIndexOf(".") + 1),
    ...fields,
  };
}

function symbols(): fc.Arbitrary<SymbolKey[]> {
  const one = fc
    .record({
      file: fc.constantFrom("a.ts", "b.ts", "c.ts"),
      path: fc.constantFrom("", "A", "B", "A.x", "A.y", "B.x", "A.x.z", "A~2"),
      kind: fc.constantFrom<SymbolKey["kind"]>("class", "function"),
      fingerprint: fc.constantFrom(undefined, "1", "2", "3"),
    })
    .map(({ file, path, ...fields }) => symbol(file, path, fields));
  return fc.uniqueArray(one, { selector: ({ file, path }) => nodeId(file, path), maxLength: 12 });
}

function renames(): fc.Arbitrary<ReadonlyMap<string, string>> {
  const file = fc.constantFrom("a.ts", "b.ts", "c.ts");
  return fc.array(fc.tuple(file, file), { maxLength: 2 }).map((pairs) => new Map(pairs));
}
