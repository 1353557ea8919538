import { describe, expect, it } from "vitest";
import type { SymbolKey } from "./find-moved-symbols.js";
import { inferRenames } from "./infer-renames.js";

describe("files that were moved and edited", () => {
  it("are told by the bodies that they still have", () => {
    const gone = symbols("a.ts", { read: "1", write: "2", close: "3" });
    const appeared = symbols("b.ts", { read: "1", write: "2", close: "changed", more: "4" });

    expect(inferRenames(seen(gone, appeared), new Map())).toEqual([{ from: "a.ts", to: "b.ts" }]);
  });

  it("are not told by names alone, nor by the lesser part", () => {
    const gone = symbols("a.ts", { main: "1", read: "2", write: "3" });

    expect(inferRenames(seen(gone, symbols("b.ts", { main: "other" })), new Map())).toEqual([]);
    expect(inferRenames(seen(gone, symbols("b.ts", { main: "1", read: "x", write: "y" })), new Map())).toEqual([]);
  });

  it("are not told where one was split in two, or two were put together", () => {
    const [one, two] = [symbols("a.ts", { read: "1", write: "2" }), symbols("b.ts", { open: "3", close: "4" })];
    const [first, second] = [symbols("c.ts", { read: "1", write: "2" }), symbols("c.ts", { open: "3", close: "4" })];
    const whole = symbols("a.ts", { read: "1", write: "2", open: "3", close: "4" });

    expect(inferRenames(seen([...one, ...two], [...first, ...second]), new Map())).toEqual([]);
    expect(inferRenames(seen(whole, [...first, ...symbols("d.ts", { open: "3", close: "4" })]), new Map())).toEqual([]);
  });

  it("are only those that are gone, to places that are new, and that nobody else has told of", () => {
    const gone = symbols("a.ts", { read: "1" });
    const appeared = symbols("b.ts", { read: "1" });
    const all = seen(gone, appeared);

    expect(inferRenames({ ...all, goneFiles: [] }, new Map())).toEqual([]);
    expect(inferRenames({ ...all, newFiles: [] }, new Map())).toEqual([]);
    expect(inferRenames(all, new Map([["a.ts", "z.ts"]]))).toEqual([]);
    expect(inferRenames(all, new Map([["y.ts", "b.ts"]]))).toEqual([]);
  });
});

function symbols(file: string, bodies: Record<string, string>): SymbolKey[] {
  return Object.entries(bodies).map(([path, fingerprint]) => ({
    file,
    path,
    name: path,
    kind: "function",
    fingerprint,
  }));
}

function seen(goneSymbols: SymbolKey[], newSymbols: SymbolKey[]) {
  const filesOf = (list: SymbolKey[]) => [...new Set(list.map(({ file }) => file))].map((path) => ({ path }));
  return { goneFiles: filesOf(goneSymbols), newFiles: filesOf(newSymbols), goneSymbols, newSymbols };
}
