import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Extraction, FileFacts, MemberFact, SymbolFact } from "../../facts/facts.js";
import { openPython } from "./open-python.js";

let extract: (path: string, source: string) => Extraction;

beforeAll(async () => {
  extract = await openPython();
});

describe("symbols of a Python file", () => {
  it("are its classes, functions, methods, attributes and module variables, by the path they are written at", () => {
    const { symbols } = read(`
      LIMIT = 3
      class Store:
          size: int = 0
          def read(self):
              def inner(): pass
          class Row:
              async def load(self): pass
      def open(): pass
      twice = lambda x: x + x
    `);

    expect(symbols.map(({ path, kind, isCallable }) => [path, kind, isCallable === true])).toEqual([
      ["LIMIT", "variable", false],
      ["Store", "class", true],
      ["Store.size", "property", false],
      ["Store.read", "method", true],
      ["Store.read.inner", "function", true],
      ["Store.Row", "class", true],
      ["Store.Row.load", "method", true],
      ["open", "function", true],
      ["twice", "function", true],
    ]);
  });

  it("have lines with their decorators, and a parent", () => {
    const { symbols } = read(
      "import x\n\n@x.one\n@x.two(3)\ndef f():\n    pass\n\n\nclass A:\n    def g(self):\n        pass\n",
    );

    expect(symbols.map(({ path, start, end, parent }) => [path, start, end, parent])).toEqual([
      ["f", 3, 6, -1],
      ["A", 9, 11, -1],
      ["A.g", 10, 11, 1],
    ]);
  });

  it("are told apart where a name is defined twice, of which the first stays in another branch, the last in the same", () => {
    const facts = read(`
      if x:
          def f(): pass
      else:
          def f(): pass
      def g(): pass
      def g(): pass
    `);

    expect(facts.symbols.map(({ path }) => path)).toEqual(["f", "f~2", "g", "g~2"]);
    expect(nameIn(facts, 0, "f")).toEqual(["symbol", 0]);
    expect(nameIn(facts, 0, "g")).toEqual(["symbol", 3]);
  });

  it("are one for a property with its setter, and one for overloads with what they stand for", () => {
    const facts = read(`
      from typing import overload
      class A:
          @property
          def size(self) -> int: return 1
          @size.setter
          def size(self, value): self._size = grow(value)
      @overload
      def f(x: int) -> A: ...
      @overload
      def f(x: str) -> str: ...
      def f(x): return A()
    `);

    expect(facts.symbols.map(({ path, start, end }) => [path, start, end])).toEqual([
      ["A", 3, 7],
      ["A.size", 4, 7],
      ["f", 12, 12],
    ]);
    expect(symbol(facts, "f")).toMatchObject({
      isCallable: true,
      returned: [[["call", ["name", "A"]], expect.any(Number)]],
    });
    expect(member(facts, "A", "size")).toEqual({ symbol: 1, isGetter: true });
    expect(callsOf(facts)).toContainEqual(["A.size", ["name", "grow"]]);
  });

  it("cannot be called where they are abstract, or say in a protocol what others do", () => {
    const facts = read(`
      class Shape(ABC):
          @abstractmethod
          def area(self): ...
      class Store(Protocol):
          def read(self) -> str: ...
          def close(self): self.flush()
    `);

    const callable = facts.symbols.filter(({ isCallable }) => isCallable).map(({ path }) => path);
    expect(callable).toEqual(["Shape", "Store", "Store.close"]);
  });

  it("have the same fingerprint under another name and indentation, and none where there is little of them", () => {
    const body = "return compute_something(value, other_value, third_value)";
    const [one] = read(`def first(value):\n    ${body}\n`).symbols;
    const two = read(`class A:\n    def second(value):\n            ${body}\n`).symbols[1];
    const [other] = read(`def first(value):\n    ${body} + 1\n`).symbols;

    expect(one?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(two?.fingerprint).toBe(one?.fingerprint);
    expect(other?.fingerprint).not.toBe(one?.fingerprint);
    expect(read("def f(): pass\n").symbols[0]?.fingerprint).toBeUndefined();
  });
});

describe("names of a Python file", () => {
  it("of a class are not seen from its methods", () => {
    const facts = read(`
      class A:
          size = 1
          double = size * 2
          def read(self): return size
    `);

    const method = facts.scopes.findIndex(({ symbol: at }) => facts.symbols[at]?.path === "A.read");
    expect(facts.scopes[method]?.parent).toBe(0);
    expect(facts.uses.filter(([kind]) => kind === "reference")).toEqual([]);
  });

  it("honour global and nonlocal", () => {
    const facts = read(`
      def outer():
          global store
          store = Store()
          row = None
          def inner():
              nonlocal row
              row = Row()
    `);

    expect(nameIn(facts, 0, "store")).toEqual(["value", null, ["call", ["name", "Store"]]]);
    expect(nameIn(facts, 1, "row")).toEqual(["value", null, ["call", ["name", "Row"]]]);
    expect(facts.scopes[2]?.names).toEqual([]);
  });

  it("come from with, for, except, walrus, unpacking and patterns", () => {
    const facts = read(`
      def f(rows, pairs):
          with open_store() as store: pass
          for row in rows: pass
          for key, value in pairs.items(): pass
          for at, each in enumerate(rows): pass
          try: pass
          except Broken as error: pass
          if (found := look()): pass
          a, b = one(), two()
          c, d = both()
          match found:
              case Point(x=0, y=where) as point: pass
    `);

    expect(nameIn(facts, 1, "store")).toEqual([
      "value",
      null,
      [
        "either",
        [
          ["call", ["member", ["call", ["name", "open_store"]], "__enter__"]],
          ["call", ["name", "open_store"]],
        ],
      ],
    ]);
    expect(nameIn(facts, 1, "row")).toEqual(["value", null, ["element", ["name", "rows"]]]);
    expect(nameIn(facts, 1, "value")).toEqual(["value", null, ["element", ["name", "pairs"]]]);
    expect(nameIn(facts, 1, "each")).toEqual(["value", null, ["element", ["name", "rows"]]]);
    expect(nameIn(facts, 1, "error")).toEqual(["value", null, ["type", ["name", "Broken"]]]);
    expect(nameIn(facts, 1, "found")).toEqual(["value", null, ["call", ["name", "look"]]]);
    expect(nameIn(facts, 1, "b")).toEqual(["value", null, ["call", ["name", "two"]]]);
    expect(nameIn(facts, 1, "d")?.[2]).toEqual([
      "either",
      [
        ["member", ["call", ["name", "both"]], "1"],
        ["element", ["call", ["name", "both"]]],
      ],
    ]);
    expect(nameIn(facts, 1, "point")).toEqual(["value", null, ["type", ["name", "Point"]]]);
    expect(nameIn(facts, 1, "where")).toEqual(["value", null, null]);
  });

  it("are what isinstance says, below it and after a way out", () => {
    const facts = read(`
      def f(x, y):
          if isinstance(x, Store): x.read()
          if not isinstance(y, Row): return
          y.load()
    `);

    const scopes = facts.uses.filter(([, what]) => what?.[0] === "member").map(([, , scope]) => scope);
    expect(scopes.map((scope) => facts.scopes[scope]?.names)).toEqual([
      [["x", ["value", null, ["type", ["name", "Store"]]]]],
      [["y", ["value", null, ["type", ["name", "Row"]]]]],
    ]);
  });

  it("of imports say from where, and dotted ones lead to their module", () => {
    const facts = read(`
      import a.b.c, d as e
      from . import x
      from ..pkg.mod import y as z
      from q import *
      a.b.c.run()
    `);

    expect(facts.scopes[0]?.names).toEqual([
      ["a", ["import", "a", "*"]],
      ["e", ["import", "d", "*"]],
      ["x", ["import", ".", "x"]],
      ["z", ["import", "..pkg.mod", "y"]],
    ]);
    expect(facts.passedOn).toEqual(["q"]);
    expect(facts.imports.map(({ specifier, line }) => [specifier, line])).toEqual([
      ["a.b.c", 2],
      ["d", 2],
      [".", 3],
      ["..pkg.mod", 4],
      ["q", 5],
    ]);
    expect(callsOf(facts)).toEqual([["", ["member", ["module", "a.b.c"], "run"]]]);
  });

  it("may be imported from one of two modules, only for types, or by importlib", () => {
    const facts = read(`
      import importlib
      from typing import TYPE_CHECKING
      if TYPE_CHECKING:
          from .store import Store
      try:
          from fast import loads
      except ImportError:
          from slow import loads
      plugin = importlib.import_module("plugins.csv")
    `);

    expect(facts.imports.filter(({ isType }) => isType)).toEqual([{ specifier: ".store", line: 5, isType: true }]);
    expect(nameIn(facts, 0, "loads")?.[2]).toEqual([
      "either",
      [
        ["member", ["module", "fast"], "loads"],
        ["member", ["module", "slow"], "loads"],
      ],
    ]);
    expect(symbol(facts, "plugin")?.init).toEqual(["module", "plugins.csv"]);
    expect(facts.imports.map(({ specifier }) => specifier)).toContain("plugins.csv");
  });

  it("that a module lists in __all__ are its exports, and every other can be had too", () => {
    const facts = read("__all__ = ['a']\n__all__ += ['b']\ndef a(): pass\ndef c(): pass\n");

    expect(facts.exports).toEqual([
      ["a", ["local", "a"]],
      ["b", ["local", "b"]],
    ]);
    expect(facts.isOpen).toBe(true);
  });
});

describe("types of a Python file", () => {
  it.each([
    ["Store", ["name", "Store"]],
    ['"Store"', ["name", "Store"]],
    ["ns.Store", ["name", "ns.Store"]],
    ["Optional[Store]", ["name", "Store"]],
    ["Store | None", ["name", "Store"]],
    ['"Store | None"', ["name", "Store"]],
    [
      "Union[A, B]",
      [
        "either",
        [
          ["name", "A"],
          ["name", "B"],
        ],
      ],
    ],
    ["list[Store]", ["array", ["name", "Store"]]],
    ["Dict[str, Store]", ["array", ["name", "Store"]]],
    ["typing.Iterator[Store]", ["array", ["name", "Store"]]],
    ["type[Store]", ["of", ["name", "Store"]]],
    ["Callable[[A], B]", ["function", ["name", "B"], [["name", "A"]]]],
    ["Box[Store]", ["name", "Box", [["name", "Store"]]]],
    ["Any", null],
    ["Literal['Store']", null],
  ])("%s is read as it is meant", (written, expected) => {
    const facts = read(`import typing\ndef f(x: ${written}): pass\n`);

    expect(nameIn(facts, 1, "x")).toEqual(["parameter", expected, null]);
  });

  it("of members come from the body of the class, from __init__ and from other methods", () => {
    const facts = read(`
      class A(Base, Generic[T]):
          store: Store
          kinds = make_kinds()
          def __init__(self, rows: Rows):
              self.rows = rows
              self.cache = None
              self.typed: Cache = build()
          def open(self):
              self.cache = Cache()
              self.items = []
              self.items.append(Item())
    `);

    expect(facts.shapes[0]?.extends).toEqual([
      ["name", "Base"],
      ["name", "Generic"],
    ]);
    expect(member(facts, "A", "store")).toMatchObject({ type: ["name", "Store"] });
    expect(member(facts, "A", "kinds")).toMatchObject({ init: ["call", ["name", "make_kinds"]] });
    expect(member(facts, "A", "rows")).toMatchObject({ init: ["name", "rows"] });
    expect(member(facts, "A", "cache")).toMatchObject({ init: ["call", ["name", "Cache"]] });
    expect(member(facts, "A", "typed")).toMatchObject({ type: ["name", "Cache"] });
    expect(member(facts, "A", "items")).toMatchObject({
      init: ["type", ["array", ["of", ["call", ["name", "Item"]]]]],
    });
  });

  it("of a tuple are those of its places", () => {
    const facts = read(`
      import typing as t
      def both() -> tuple[Store, int]: ...
      def each(x): return Row(), x
      row = t.cast(Row, both())
    `);

    const { returns } = symbol(facts, "both") ?? {};
    expect(returns?.[0]).toBe("shape");
    expect(facts.shapes.map(({ members }) => members)).toEqual([
      [
        ["0", { type: ["name", "Store"] }],
        ["1", { type: ["name", "int"] }],
      ],
      [
        ["0", { init: ["call", ["name", "Row"]] }],
        ["1", { init: ["name", "x"] }],
      ],
    ]);
    expect(symbol(facts, "row")?.init).toEqual(["type", ["name", "Row"]]);
  });

  it("of what a function gives: what it returns, yields, or hands to with", () => {
    const facts = read(`
      def stated() -> "Store": ...
      def made(): return Store()
      def rows():
          for x in y: yield Row(x)
      @contextmanager
      def opened(): yield Store()
      @contextmanager
      def typed() -> Iterator[Store]: yield make()
    `);

    expect(symbol(facts, "stated")?.returns).toEqual(["name", "Store"]);
    expect(symbol(facts, "made")?.returned?.map(([value]) => value)).toEqual([["call", ["name", "Store"]]]);
    expect(symbol(facts, "rows")?.returned?.map(([value]) => value)).toEqual([
      ["type", ["array", ["of", ["call", ["name", "Row"]]]]],
    ]);
    expect(symbol(facts, "opened")?.returned?.map(([value]) => value)).toEqual([["call", ["name", "Store"]]]);
    expect(symbol(facts, "typed")?.returns).toEqual(["name", "Store"]);
  });
});

describe("uses of a Python file", () => {
  it("are calls by the function they stand in, comprehensions and nameless lambdas included", () => {
    const facts = read(`
      class A(Base):
          kind = make()
          def read(self, rows):
              super().read()
              self.load()
              return [row.size() for row in rows if check(row)]
          @classmethod
          def build(cls): return cls()
      go = lambda: run()
      each(lambda x: x.stop())
      print(len(A.build().rows))
    `);

    expect(callsOf(facts)).toEqual([
      ["A", ["name", "make"]],
      ["A.read", ["member", ["super"], "read"]],
      ["A.read", ["member", ["this"], "load"]],
      ["A.read", ["member", ["name", "row"], "size"]],
      ["A.read", ["name", "check"]],
      ["A.build", ["name", "cls"]],
      ["go", ["name", "run"]],
      ["", ["name", "each"]],
      ["", ["member", ["name", "x"], "stop"]],
      ["", ["member", ["name", "A"], "build"]],
    ]);
  });

  it("are a call where a decorator is one, else a reference", () => {
    const facts = read("from x import one, two\n@one\n@two(3)\ndef f(): pass\n");

    expect(facts.uses.map(([kind, expression]) => [kind, expression])).toEqual([
      ["reference", ["name", "one"]],
      ["call", ["name", "two"]],
    ]);
  });

  it("of a decorator that has the name of its method lead out of the class", () => {
    const facts = read(`
      from hooks import check, after
      class A:
          @check("x")
          def check(self): pass
          @after
          def after(self): pass
    `);

    const found = facts.uses.map(([kind, what, scope]) => [kind, what?.[1], facts.scopes[scope]]);
    expect(found).toEqual([
      ["call", "check", { parent: 0, symbol: 0, shape: 0, names: [] }],
      ["reference", "after", { parent: 0, symbol: 0, shape: 0, names: [] }],
    ]);
  });

  it("are references to what is not local, and types, each once for a function", () => {
    const facts = read(`
      import os
      from x import Store, handler
      def f(store: Store, other: "Store"):
          local = 1
          register(handler, key=handler, path=os.path)
          return local
    `);

    expect(facts.uses.map(([kind, what]) => [kind, what])).toEqual([
      ["type", ["name", "Store"]],
      ["call", ["name", "register"]],
      ["reference", ["name", "handler"]],
      ["reference", ["member", ["name", "os"], "path"]],
    ]);
  });

  it("give the parameter of a test what its fixture gives", () => {
    const { facts } = extract(
      "tests/test_store.py",
      "import pytest\n@pytest.fixture\ndef store(): yield Store()\n@pytest.mark.parametrize('n, m', [])\n@pytest.mark.parametrize('row', rows)\ndef test_a(store, runner, n, row): pass\n",
    );
    const at = facts.scopes.findIndex(({ symbol: index }) => facts.symbols[index]?.path === "test_a");

    expect(nameIn(facts, at, "store")).toEqual([
      "parameter",
      null,
      ["call", ["member", ["module", ".test_store"], "store"]],
    ]);
    expect(nameIn(facts, at, "runner")?.[2]).toEqual([
      "either",
      [
        ["call", ["member", ["module", ".conftest"], "runner"]],
        ["call", ["member", ["module", "..conftest"], "runner"]],
      ],
    ]);
    expect(nameIn(facts, at, "n")).toEqual(["parameter", null, null]);
    expect(nameIn(facts, at, "row")).toEqual(["parameter", null, ["element", ["name", "rows"]]]);
  });
});

describe("the outline of a Python file", () => {
  it("is its statements and those of their bodies, in lines from 0 that never overlap", () => {
    const source =
      "import a\nx = 1; y = 2\n\n@dec\ndef f():\n    a()\n    b()\n\nclass A:\n    z = 1\n    def g(self):\n        pass\n";

    expect(extract("a.py", source).outline).toEqual([
      { start: 0, end: 0, kind: "import" },
      { start: 1, end: 1, kind: "other" },
      {
        start: 3,
        end: 6,
        kind: "function",
        name: "f",
        parts: [
          { start: 5, end: 5, kind: "other" },
          { start: 6, end: 6, kind: "other" },
        ],
      },
      {
        start: 8,
        end: 11,
        kind: "class",
        name: "A",
        parts: [
          { start: 9, end: 9, kind: "other" },
          { start: 10, end: 11, kind: "function", name: "g" },
        ],
      },
    ]);
  });
});

describe("a Python file that is not as it should be", () => {
  it("says where it could not be parsed, and gives what could be", () => {
    const { facts, firstErrorLine } = extract("a.py", "def a():\n    b()\n\nclass (:\n\ndef c():\n    d()\n");

    expect(firstErrorLine).toBe(4);
    expect(facts.symbols.map(({ path }) => path)).toContain("a");
    expect(callsOf(facts)).toContainEqual(["a", ["name", "b"]]);
  });

  it.each([
    ["is empty", ""],
    ["has a byte order mark", "\uFEFFdef f():\n    g()\n"],
    ["has CRLF", "def f():\r\n    g()\r\n\r\nclass A:\r\n    pass\r\n"],
    ["has tabs", "def f():\n\tif x:\n\t\tg()\n"],
    ["is of Python 2", 'def f():\n    print "a", g()\n    exec "b"\n    raise E, "c"\n'],
    ["has names of objects", "class __proto__:\n    constructor = g()\n    def toString(self): self.__proto__ = g()\n"],
  ])("is read where it %s", (_, source) => {
    const { facts } = extract("a.py", source);

    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    expect(callsOf(facts).some(([, what]) => JSON.stringify(what) === '["name","g"]')).toBe(source !== "");
  });

  it("ends a function on its last line, with CRLF too", () => {
    expect(read("def f():\r\n    g()\r\n\r\n\r\nx = 1\r\n").symbols[0]).toMatchObject({ start: 1, end: 2 });
  });

  it.each([
    ["parentheses", `${"(".repeat(5000)}1${")".repeat(5000)}`],
    ["lists", `${"[".repeat(5000)}1${"]".repeat(5000)}`],
    ["calls", `x${".f()".repeat(5000)}`],
    ["sums", `1${" + f(1)".repeat(5000)}`],
    ["lambdas", `${"lambda: ".repeat(5000)}1`],
    [
      "blocks",
      Array.from({ length: 1500 }, (_, n) => `${" ".repeat(n)}if x:\n`).join("") + " ".repeat(1500) + "pass\n",
    ],
    [
      "functions",
      Array.from({ length: 1000 }, (_, n) => `${" ".repeat(n)}def f():\n`).join("") + " ".repeat(1000) + "pass\n",
    ],
  ])("does not overflow with nested %s", (_, source) => {
    expect(() => JSON.stringify(extract("a.py", source))).not.toThrow();
  });

  it("refers only to what is there, whatever is cut off or mixed up", () => {
    const pieces = fc.constantFrom(
      ...sample.split("\n").map((line) => `${line}\n`),
      "(",
      "[",
      ":",
      '"',
      "\t",
      "def ",
      "class ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (lines) => {
        const { facts, outline } = extract("tests/test_a.py", lines.join(""));

        expect(new Set(facts.symbols.map(({ path }) => path)).size).toBe(facts.symbols.length);
        for (const one of facts.symbols) expect(one.end).toBeGreaterThanOrEqual(one.start);
        for (const scope of facts.scopes) {
          expect(scope.parent).toBeLessThan(facts.scopes.length);
          expect(scope.symbol).toBeLessThan(facts.symbols.length);
          expect(scope.shape).toBeLessThan(facts.shapes.length);
        }
        for (const [, , scope] of facts.uses) expect(facts.scopes[scope]).toBeDefined();
        outline.forEach((part, n) => expect(part.start).toBeGreaterThan(outline[n - 1]?.end ?? -1));
      }),
      { numRuns: 150 },
    );
  });
});

const sample = `
class A(Base):
    x: int = 3
    @property
    def p(self): return self._p
    @p.setter
    def p(self, v): self._p = v
    def f(self, a, *b, c=Foo(), **d) -> "A":
        with open(a) as h, go() as (i, j):
            self.x, self.y = 1, b
            return super().f(a)[0]
for k, v in x.items(): pass
def test_it(fixture):
    global G
    G = [q(z) for z in y if z]
    return a, b
f = lambda s: s.run()
from . import *
try: import a.b
except (E, F) as error: raise
`;

function read(source: string): FileFacts {
  const lines = source.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const least = Math.min(...indents);
  return extract("a.py", lines.map((line) => line.slice(least)).join("\n")).facts;
}

function symbol(facts: FileFacts, path: string): SymbolFact | undefined {
  return facts.symbols.find((one) => one.path === path);
}

function nameIn(facts: FileFacts, scope: number, name: string) {
  return facts.scopes[scope]?.names.find(([one]) => one === name)?.[1];
}

function member(facts: FileFacts, path: string, name: string): MemberFact | undefined {
  const shape = facts.shapes.find(({ symbol: index }) => facts.symbols[index]?.path === path);
  return shape?.members.find(([one]) => one === name)?.[1];
}

/** Who calls what, in order. */
function callsOf(facts: FileFacts): [string, unknown][] {
  return facts.uses
    .filter(([kind]) => kind === "call")
    .map(([, expression, scope]) => [facts.symbols[facts.scopes[scope]?.symbol ?? -1]?.path ?? "", expression]);
}
