import { expect, it } from "vitest";
import { parseSymbol } from "./parse-symbol.js";

it("takes a symbol apart, with whatever a name may hold", () => {
  const symbol = "scip-typescript npm a  b 1.0 src/`a``b c.ts`/Store#`<get>size`().(key)[T]";

  expect(parseSymbol(symbol)).toMatchObject({
    package: "scip-typescript npm a  b 1.0 ",
    descriptors: [
      { name: "src", kind: "namespace" },
      { name: "a`b c.ts", kind: "namespace" },
      { name: "Store", kind: "type" },
      { name: "<get>size", kind: "method" },
      { name: "key", kind: "parameter" },
      { name: "T", kind: "typeParameter" },
    ],
  });
});

it("knows methods of one name, terms, macros and what a package does not have", () => {
  const kinds = ["open(+1).", "limit.", "print!", "item0:"].map((end) => parseSymbol(`s . . . ${end}`)?.descriptors[0]);

  expect(kinds).toMatchObject([
    { name: "open", kind: "method", end: 17 },
    { name: "limit", kind: "term" },
    { name: "print", kind: "macro" },
    { name: "item0", kind: "meta" },
  ]);
  expect(parseSymbol("local 12")).toMatchObject({ isLocal: true });
});

it("gives nothing for what is none", () => {
  expect(["", "a b c", "a b c d ", "a b c d open", "a b c d `open", "a b c d open("].map(parseSymbol)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
});
