import { beforeAll, describe, expect, it } from "vitest";
import * as fc from "fast-check";
import type { Extraction, FileFacts } from "../../facts/facts.js";
import { openTypeScript } from "./open-typescript.js";
import { expectSound, expectInOrder } from "../../../../test/support/sound-facts.js";

type Read = (path: string, source: string) => Extraction;
const parsers = ["oxc", "tree-sitter"] as const;
const readers = new Map<string, Read>();

beforeAll(async () => {
  for (const parser of parsers) readers.set(parser, await openTypeScript({ parser }));
});

describe.each(parsers)("what %s finds in TypeScript", (parser) => {
  const read = (source: string, path = "a.ts"): Extraction => (readers.get(parser) as Read)(path, source);
  const factsOf = (source: string, path?: string): FileFacts => read(source, path).facts;

  it("names classes, their members, and what they are written in", () => {
    const facts = factsOf(`
      export class Store {
        size = 0;
        onChange = () => {};
        static open() {}
        constructor(private readonly db: Db) {}
        get rows() { return 1; }
        set rows(value) {}
        read() { function retry() {} }
      }`);

    expect(pathsOf(facts)).toEqual([
      "class Store",
      "property Store.size",
      "method Store.onChange",
      "method Store.open",
      "property Store.db",
      "method Store.rows",
      "method Store.read",
      "function Store.read.retry",
    ]);
    expect(shapeOf(facts, "Store")).toMatchObject({
      kind: "class",
      statics: [["open", { symbol: numberOf(facts, "Store.open") }]],
    });
    expect(memberOf(facts, "Store", "rows")).toMatchObject({ isGetter: true });
    expect(memberOf(facts, "Store", "db")).toMatchObject({ type: ["name", "Db"] });
  });

  it("names interfaces, object types, enums, namespaces and aliases", () => {
    const facts = factsOf(`
      export interface Reader<T> extends Closable { read(key: string): T; size: number }
      type Options = { limit?: number };
      type Id = string | number;
      enum Colour { Red, Green }
      namespace shapes { export const unit = 1; export function area() {} }`);

    expect(pathsOf(facts)).toEqual([
      "interface Reader",
      "method Reader.read",
      "property Reader.size",
      "type Options",
      "property Options.limit",
      "type Id",
      "enum Colour",
      "namespace shapes",
      "variable shapes.unit",
      "function shapes.area",
    ]);
    expect(shapeOf(facts, "Reader").extends).toEqual([["type", ["name", "Closable"]]]);
    expect(symbolOf(facts, "Reader.read")).toMatchObject({ returns: ["name", "T"], parameters: [["name", "string"]] });
    expect(shapeOf(facts, "shapes").members.map(([name]) => name)).toEqual(["unit", "area"]);
  });

  it("takes a variable for what it holds, and a wrapped function for nobody's", () => {
    const facts = factsOf(`
      const run = async () => { const inner = function () {}; const local = 1; };
      const Model = class {};
      const wrapped = memo(() => { run(); });
      let later;
      later = new Store();`);

    expect(pathsOf(facts)).toEqual([
      "function run",
      "function run.inner",
      "class Model",
      "variable wrapped",
      "variable later",
    ]);
    expect(symbolOf(facts, "later").init).toEqual(["new", ["name", "Store"]]);
    expect(callersOf(facts, "run")).toEqual(["wrapped"]);
  });

  it("names methods of objects by what holds them", () => {
    const facts = factsOf(`
      export const api = { open() {}, nested: { deep: () => 1 } };
      function make() { const local = { close() {} }; use({ given() {} }); }
      export default { data() {} };`);

    expect(pathsOf(facts)).toEqual([
      "variable api",
      "method api.open",
      "method api.nested.deep",
      "function make",
      "method make.local.close",
      "method make.given",
      "variable default",
      "method default.data",
    ]);
  });

  it("makes one symbol of overloads, and numbers what has the same name", () => {
    const facts = factsOf(`
      function open(path: string): File;
      function open(path: unknown): unknown {
        return path;
      }
      if (a) { function twice() {} }
      if (b) { function twice() {} }
      const odd = { "twice~2"() {} };`);

    expect(pathsOf(facts)).toEqual([
      "function open",
      "function twice",
      "function twice~2",
      "variable odd",
      "method odd.twice~2",
    ]);
    expect(symbolOf(facts, "open")).toMatchObject({ start: 3, end: 5, returns: ["name", "File"], isCallable: true });
  });

  it("knows functions that are assigned to a property", () => {
    const facts = factsOf(
      `class Store {}
      Store.open = function () {};
      function Old() {}
      Old.prototype.read = function () { return this.read(); };
      exports.parse = function () {};
      module.exports.print = print;`,
      "a.js",
    );

    expect(pathsOf(facts)).toEqual([
      "class Store",
      "method Store.open",
      "function Old",
      "method Old.read",
      "function parse",
    ]);
    expect(facts.exports).toEqual([
      ["parse", ["local", "exports.parse"]],
      ["print", ["local", "print"]],
    ]);
  });

  it("binds names to where their values come from", () => {
    const facts = factsOf(`
      import fs, { read as load, type Stats } from "fs";
      import * as path from "path";
      import old = require("./old");
      const whole = require("./whole");
      const { part, other: renamed } = require("./parts");
      function f({ a, b: [c] }: Options, d = new Store(), ...rest: Row[]) {
        const { e } = d;
        for (const row of rest) row.go();
        try { } catch (error) { }
      }`);

    expect(facts.scopes[0]?.names).toEqual([
      ["fs", ["import", "fs", "default"]],
      ["load", ["import", "fs", "read"]],
      ["Stats", ["import", "fs", "Stats"]],
      ["path", ["import", "path", "*"]],
      ["old", ["value", null, ["module", "./old"]]],
      ["whole", ["value", null, ["module", "./whole"]]],
      ["part", ["import", "./parts", "part"]],
      ["renamed", ["import", "./parts", "other"]],
      ["f", ["symbol", 0]],
    ]);
    const options = ["type", ["name", "Options"]];
    expect(facts.scopes[symbolOf(facts, "f").scope ?? -1]?.names).toEqual([
      ["a", ["parameter", null, ["member", options, "a"]]],
      ["c", ["parameter", null, ["element", ["member", options, "b"]]]],
      ["d", ["parameter", null, ["new", ["name", "Store"]]]],
      ["rest", ["parameter", ["array", ["name", "Row"]], null]],
      ["e", ["value", null, ["member", ["name", "d"], "e"]]],
    ]);
    expect(bindingOf(facts, "row")).toEqual(["value", null, ["element", ["name", "rest"]]]);
    expect(symbolOf(facts, "f").parameters).toEqual([["name", "Options"], null, ["array", ["name", "Row"]]]);
  });

  it("knows what a callback is given, by a call and by the type it has", () => {
    const facts = factsOf(`
      rows.each((row, n) => row.go(n));
      const handler: Handler = (context) => context.go();`);

    expect(bindingOf(facts, "n")).toEqual(["parameter", null, ["given", ["member", ["name", "rows"], "each"], 0, 1]]);
    expect(bindingOf(facts, "context")).toEqual([
      "parameter",
      null,
      ["given", ["type", ["function", null, [["name", "Handler"]]]], 0, 0],
    ]);
  });

  it("tells what functions return: stated, or as they do it", () => {
    const facts = factsOf(`
      const short = () => new Store();
      function long(a) { if (a) return this.x; return () => { return 1; }; }
      async function stated(): Promise<Row[]> { return []; }`);

    expect(symbolOf(facts, "short").returned?.map(([fact]) => fact)).toEqual([["new", ["name", "Store"]]]);
    expect(symbolOf(facts, "long").returned?.map(([fact]) => fact)).toEqual([["member", ["this"], "x"]]);
    expect(symbolOf(facts, "stated").returns).toEqual(["name", "Promise", [["array", ["name", "Row"]]]]);
  });

  it("notes every call, and who makes it", () => {
    const facts = factsOf(
      `import { a, open, Row, rows, sealed, sql, Text } from "./open";
      @sealed class View extends Base { constructor() { super(); } draw() { return <Row.Item on={() => this.tick()}><Text/><div/></Row.Item>; } }
      function run() { open(1); open(2); new View(); sql\`x\`; a.b?.c(); (x ?? y)(); "s".trim(); rows[0].go(); }`,
      "a.tsx",
    );

    const runs = facts.uses.filter(([kind]) => kind !== "reference" && kind !== "type");
    expect(runs.map(([kind, fact, scope, , name]) => [kind, callerOf(facts, scope), fact, name])).toEqual([
      ["call", "View", ["name", "sealed"], undefined],
      ["call", "View", ["super"], undefined],
      ["element", "View.draw", ["member", ["name", "Row"], "Item"], undefined],
      ["call", "View.draw", ["member", ["this"], "tick"], undefined],
      ["element", "View.draw", ["name", "Text"], undefined],
      ["call", "run", ["name", "open"], undefined],
      ["call", "run", ["name", "open"], undefined],
      ["new", "run", ["name", "View"], undefined],
      ["call", "run", ["name", "sql"], undefined],
      ["call", "run", ["member", ["member", ["name", "a"], "b"], "c"], undefined],
      [
        "call",
        "run",
        [
          "either",
          [
            ["name", "x"],
            ["name", "y"],
          ],
        ],
        undefined,
      ],
      ["call", "run", null, "trim"],
      ["call", "run", ["member", ["element", ["name", "rows"]], "go"], undefined],
    ]);
  });

  it("notes a mention once for each symbol, and none of locals", () => {
    const facts = factsOf(`
      import { a } from "./a";
      import * as ns from "./ns";
      const top = 1;
      function f(local) { use(a, a, top, local, ns.x, ns.y.z); ns.run(); a.go(); return f; }`);

    expect(mentions(facts, "reference")).toEqual([
      ["name", "a"],
      ["name", "top"],
      ["member", ["name", "ns"], "x"],
      ["member", ["member", ["name", "ns"], "y"], "z"],
      ["name", "f"],
    ]);
  });

  it("notes nothing of what only the language or the runtime can know", () => {
    const facts = factsOf(`
      const top = Math.max(1);
      function f(own: Promise<string>) { expect(own).toBe(top); console.log(later()); new Set<Date>(); var later; }`);

    expect(facts.uses.map(([kind, fact]) => [kind, fact])).toEqual([
      ["reference", ["name", "top"]],
      ["call", ["name", "later"]],
    ]);
  });

  it("notes the types that are named", () => {
    const facts = factsOf(`
      import type { Base, Cast, Key, Limit, ns, Q, Reader, Row, Shape } from "./types";
      class A<T extends Limit> extends Base<Row> implements Reader<T> { x?: Map<Key, typeof ns.value>; }
      function f(this: Self, x: import("./y").Z): x is Shape & { p: Q["r"] } { return x as Cast; }`);

    expect(mentions(facts, "type")).toEqual(
      expect.arrayContaining([
        ["name", "Limit"],
        ["name", "Base"],
        ["name", "Row"],
        ["name", "Reader"],
        ["name", "Key"],
        ["of", ["member", ["name", "ns"], "value"]],
        ["module", "./y", "Z"],
        ["name", "Shape"],
        ["name", "Q"],
        ["name", "Cast"],
      ]),
    );
    expect(mentions(facts, "type")).not.toContainEqual(["name", "T"]);
    expect(facts.imports).toContainEqual({ specifier: "./y", line: 4, isType: true });
  });

  it("tells what is imported and exported", () => {
    const facts = factsOf(`
      import "./effect";
      import type { T } from "./types";
      export { a as b, c as default } from "./from";
      export * from "./all";
      export * as ns from "./ns";
      export const { x, y: [z] } = make();
      export { local as renamed };
      export type { T };
      const lazy = () => import("./lazy");`);

    expect(facts.imports).toEqual([
      { specifier: "./effect", line: 2 },
      { specifier: "./types", line: 3, isType: true },
      { specifier: "./from", line: 4 },
      { specifier: "./all", line: 5 },
      { specifier: "./ns", line: 6 },
      { specifier: "./lazy", line: 10 },
    ]);
    expect(facts.exports).toEqual([
      ["b", ["from", "./from", "a"]],
      ["default", ["from", "./from", "c"]],
      ["ns", ["from", "./ns", "*"]],
      ["x", ["local", "x"]],
      ["z", ["local", "z"]],
      ["renamed", ["local", "local"]],
      ["T", ["local", "T"]],
    ]);
    expect(facts.passedOn).toEqual(["./all"]);
  });

  it.each([
    ["export default function () {}", "function default", ["local", "default"]],
    ["export default class {}", "class default", ["local", "default"]],
    ["export default function named() {}", "function named", ["local", "named"]],
    ["export default () => 1", "variable default", ["local", "default"]],
    ["export default make({})", "variable default", ["local", "default"]],
    ["const x = 1; export = x", "variable x", ["local", "x"]],
    ["module.exports = class Foo {}", "class Foo", ["local", "default"]],
    ["module.exports = { a, b() {} }", "variable default", ["local", "default"]],
  ])("finds the default of %s", (source, path, exported) => {
    const facts = factsOf(source);

    expect(pathsOf(facts)[0]).toBe(path);
    expect(new Map(facts.exports).get("default")).toEqual(exported);
  });

  it("knows a body again under another name, and in another shape of white space", () => {
    const body = "(rows) { return rows.filter((row) => row.isOpen).map(({ id }) => id); }";
    const first = factsOf(`function one${body}`);
    const second = factsOf(`export   function two${body.replaceAll(" ", "\n  ")}`);
    const short = factsOf("function three() { return 1; }");

    expect(first.symbols[0]?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(second.symbols[0]?.fingerprint).toBe(first.symbols[0]?.fingerprint);
    expect(short.symbols[0]?.fingerprint).toBeUndefined();
  });

  it("outlines classes, functions, callbacks and objects", () => {
    const { outline } = read(
      [
        'import a from "a";',
        "",
        "@sealed",
        "export class Store {",
        "  read() {",
        "    one();",
        "    two();",
        "  }",
        "}",
        'describe("x", () => {',
        '  it("y", () => {',
        "    z();",
        "  });",
        "});",
        "one(); two();",
      ].join("\n"),
    );

    expect(outline).toEqual([
      { start: 0, end: 0, kind: "import" },
      {
        start: 2,
        end: 8,
        kind: "class",
        name: "Store",
        parts: [
          {
            start: 4,
            end: 7,
            kind: "function",
            name: "read",
            parts: [
              { start: 5, end: 5, kind: "other" },
              { start: 6, end: 6, kind: "other" },
            ],
          },
        ],
      },
      {
        start: 9,
        end: 13,
        kind: "other",
        parts: [{ start: 10, end: 12, kind: "other", parts: [{ start: 11, end: 11, kind: "other" }] }],
      },
      { start: 14, end: 14, kind: "other" },
    ]);
  });

  it.each([
    ["nothing", ""],
    ["a byte order mark", "\ufeffexport const a = 1;"],
    ["a line for the shell", "#!/usr/bin/env node\nexport const a = 1;"],
    ["carriage returns", "export const a = 1;\r\nexport function b() {\r\n}\r\n"],
    [
      "names of Object.prototype",
      "const __proto__ = 1; class constructor { constructor() {} __proto__() {} toString = 1 }",
    ],
    ["only a comment", "// nothing"],
  ])("reads a file with %s", (_, source) => {
    const extraction = read(source);

    expect(extraction.firstErrorLine).toBeUndefined();
    expect(JSON.parse(JSON.stringify(extraction))).toEqual(extraction);
  });

  it("sees what is called behind `await` and parentheses", () => {
    for (const path of ["a.js", "a.ts"]) {
      const facts = factsOf('import * as b from "./b";\nasync function f() { await (0, b.g)(1); }', path);

      expect(callersOf(facts, "g")).toEqual(["f"]);
    }
  });

  it("takes a `require` that the file declares for what it is", () => {
    const own = factsOf('function require(x) {}\nconst a = require("./a");\nconst { b } = require("./b");', "a.js");
    const given = factsOf('function f(require) { const { b } = require("./b"); }', "a.js");
    const created = factsOf('const require = createRequire(import.meta.url);\nconst a = require("./a");', "a.js");

    expect(own.imports).toEqual([]);
    expect(callersOf(own, "require")).toEqual(["a", ""]);
    expect(given.imports).toEqual([]);
    expect(created.imports).toEqual([{ specifier: "./a", line: 2 }]);
  });

  it("reads `namespace A.B.C` as one in the other", () => {
    const dotted = factsOf("export namespace A.B.C { export function f() {} }\nA.B.C.f();");
    const nested = factsOf(
      "export namespace A { export namespace B { export namespace C { export function f() {} } } }\nA.B.C.f();",
    );
    const withoutPrints = ({ symbols, ...rest }: FileFacts): unknown => ({
      ...rest,
      symbols: symbols.map((symbol) => ({ ...symbol, fingerprint: undefined })),
    });

    expect(pathsOf(dotted)).toEqual(["namespace A", "namespace A.B", "namespace A.B.C", "function A.B.C.f"]);
    expect(withoutPrints(dotted)).toEqual(withoutPrints(nested));
  });

  it("gives what parses of a file that does not, and says where that is", () => {
    const { facts, firstErrorLine } = read(
      "export function before() {}\n\nconst x = = ;\n\nexport function after() {}\n",
    );

    expect(pathsOf(facts)).toEqual(expect.arrayContaining(["function before", "function after"]));
    expect(firstErrorLine).toBe(3);
  });

  it("gets through what the older grammar does not know", () => {
    const { facts, firstErrorLine } = read(`
      export type * from "./types";
      interface Get {
        <K extends string>(key: K): One
        // and by another one
        <K extends number>(key: K): Two
      }
      function f() { using file = open(); await using other = open(); file.read(); }
      const a = await open<Row>();
      if (!a.get(b)!.c()) f();
      export class Last { abstract x: number }`);

    expect(firstErrorLine).toBeUndefined();
    expect(facts.passedOn).toEqual(["./types"]);
    expect(pathsOf(facts)).toEqual(["interface Get", "function f", "variable a", "class Last", "property Last.x"]);
    expect(bindingOf(facts, "file")).toEqual(["value", null, ["call", ["name", "open"]]]);
    expect(callersOf(facts, "c")).toEqual([""]);
  });

  it("survives what nobody writes", () => {
    const nested = (open: string, close: string, inner = "") => open.repeat(5000) + inner + close.repeat(5000);

    for (const source of [
      nested("(", ")", "1"),
      `x = ${nested("[", "]")}`,
      `x = ${nested("{ a: ", "}", "1")}`,
      nested("function f() {", "}"),
      `x = ${nested("<a>", "</a>")}`,
      `x = ${nested("`${", "}`", "1")}`,
      `x = ${nested("!", "", "1")}`,
      `x = a${nested(".b()", "")}`,
      nested("if (a) b; else ", "", "c;"),
      `type A = ${nested("(", ")", "1")}`,
      nested("(", ""),
    ]) {
      expect(read(source, "a.tsx").facts.scopes[0]).toBeDefined();
    }
  });

  it("never throws, and always refers to what is there", () => {
    const words = fc.constantFrom(
      ...'class function const { } ( ) [ ] => = , ; : . ? a b C extends import export from default "x" `${ }` < > / async await new this interface type enum @ ... * \n'.split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), (parts) => {
        const { facts, outline } = read(parts.join(" "), "a.tsx");

        expectSound(facts);
        expectInOrder(outline);
        expect(facts.scopes[0]?.parent).toBe(-1);
      }),
      { numRuns: 200 },
    );
  });
});

function pathsOf({ symbols }: FileFacts): string[] {
  return symbols.toSorted((a, b) => a.start - b.start).map(({ kind, path }) => `${kind} ${path}`);
}

function numberOf({ symbols }: FileFacts, path: string): number {
  return symbols.findIndex((symbol) => symbol.path === path);
}

function symbolOf(facts: FileFacts, path: string): FileFacts["symbols"][number] {
  return facts.symbols[numberOf(facts, path)] as FileFacts["symbols"][number];
}

function shapeOf(facts: FileFacts, path: string): FileFacts["shapes"][number] {
  return facts.shapes.find(({ symbol }) => symbol === numberOf(facts, path)) as FileFacts["shapes"][number];
}

function memberOf(facts: FileFacts, path: string, name: string): unknown {
  return new Map(shapeOf(facts, path).members).get(name);
}

function bindingOf({ scopes }: FileFacts, name: string): unknown {
  return scopes.flatMap(({ names }) => names).find(([bound]) => bound === name)?.[1];
}

function callerOf({ scopes, symbols }: FileFacts, scope: number): string {
  return symbols[scopes[scope]?.symbol ?? -1]?.path ?? "";
}

function callersOf(facts: FileFacts, name: string): string[] {
  const calls = facts.uses.filter(([kind, callee]) => kind === "call" && callee?.at(-1) === name);
  return calls.map(([, , scope]) => callerOf(facts, scope));
}

function mentions({ uses }: FileFacts, kind: "reference" | "type"): unknown[] {
  return uses.filter((use) => use[0] === kind).map(([, fact]) => fact);
}
