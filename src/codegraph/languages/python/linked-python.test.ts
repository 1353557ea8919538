import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { nodeId } from "../../../base/ids/node-id.js";
import type { FileFacts } from "../../facts/facts.js";
import { linkFile, votesOf, winnerOf } from "../../link/link.js";
import type { LinkSources, Vote } from "../../link/linked-file.js";
import { openPython } from "./open-python.js";
import { createPythonResolver } from "./resolve-python-modules.js";

const folder = join(import.meta.dirname, "..", "..", "..", "..", "bench", "graph", "python");
const edges: { from: string; to: string; kind: string }[] = [];

beforeAll(async () => {
  const files = new Map(
    readdirSync(join(folder, "project"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".py"))
      .map(({ parentPath, name }): [string, string] => {
        const path = join(parentPath, name);
        return [relative(join(folder, "project"), path).replaceAll("\\", "/"), readFileSync(path, "utf8")];
      }),
  );
  edges.push(...(await linkAll(files)));
});

describe("a Python project whose calls are known", () => {
  it("has every call in its truth that was recorded while its tests ran", () => {
    const known = new Set([...pairsOf("calls"), ...pairsOf("dynamic"), ...pairsOf("implicit")]);

    expect(recordedCalls().filter((call) => !known.has(call))).toEqual([]);
    expect(recordedCalls().length).toBeGreaterThan(100);
  });

  it("has no import or call that is not true", () => {
    const known = new Set([...pairsOf("calls"), ...pairsOf("dynamic"), ...pairsOf("implicit")]);

    expect(found("imports").filter((edge) => !pairsOf("imports").includes(edge))).toEqual([]);
    expect(found("calls").filter((edge) => !known.has(edge) && !isMaking(edge))).toEqual([]);
  });

  it("has all of them that reading tells, but for a script whose folder only its runner knows", () => {
    const missing = (kind: "imports" | "calls") => pairsOf(kind).filter((edge) => !found(kind).includes(edge));

    expect(missing("imports")).toEqual(["tests/test_depot.py -> tools/seed.py"]);
    expect(missing("calls")).toEqual(["tests/test_depot.py#StoreTest.test_seeded -> tools/seed.py#seed"]);
  });
});

describe("linking Python", () => {
  it("knows what a star import brought, and which names of a package are modules", async () => {
    const linked = await linkAll(
      new Map([
        ["pkg/__init__.py", "from .core import *\n"],
        ["pkg/core.py", "def run(): pass\n"],
        ["pkg/extra.py", "def stop(): pass\n"],
        ["main.py", "from pkg import run, extra\nfrom pkg.core import *\ndef main():\n    run()\n    extra.stop()\n"],
      ]),
    );

    expect(pairs(linked, "imports")).toEqual([
      "pkg/__init__.py -> pkg/core.py",
      "main.py -> pkg/__init__.py",
      "main.py -> pkg/core.py",
      "main.py -> pkg/extra.py",
    ]);
    expect(pairs(linked, "calls")).toEqual(["main.py#main -> pkg/core.py#run", "main.py#main -> pkg/extra.py#stop"]);
  });

  it("takes with a star what __all__ lists, and without it nothing that begins with an underscore", async () => {
    const body = "def run(): pass\ndef stop(): pass\ndef _hide(): pass\n";
    const user = "def main():\n    run()\n    stop()\n    _hide()\n";
    const linked = await linkAll(
      new Map([
        ["listed.py", `__all__ = [\n    "run",  # the one\n    "_hide",\n]\n${body}`],
        ["unlisted.py", body],
        ["grown.py", `from listed import *\nimport listed\n__all__ = ["run"]\n__all__ += listed.__all__\n${body}`],
        ["a.py", `from listed import *\n${user}`],
        ["b.py", `from unlisted import *\n${user}`],
        ["c.py", `from grown import *\n${user}`],
        ["d.py", `from listed import stop\n${user}`],
        ["passing.py", '__all__ = ["run"]\nfrom unlisted import *\n'],
        ["e.py", `from passing import *\n${user}`],
      ]),
    );

    expect(pairs(linked, "calls")).toEqual([
      "a.py#main -> listed.py#run",
      "a.py#main -> listed.py#_hide",
      "b.py#main -> unlisted.py#run",
      "b.py#main -> unlisted.py#stop",
      "c.py#main -> grown.py#run",
      "c.py#main -> grown.py#stop",
      "d.py#main -> listed.py#stop",
      "e.py#main -> unlisted.py#run",
    ]);
  });

  it("leads to both what is imported and what stands in for it", async () => {
    const linked = await linkAll(
      new Map([
        ["fast.py", "class Row:\n    def load(self): pass\ndef parse(): pass\n"],
        [
          "compat.py",
          `try:
    from fast import Row, parse
except ImportError:
    class Row:
        def load(self): pass
    def parse(): pass
try:
    from nowhere import pack
except ImportError:
    def pack(): pass
def own(row: Row):
    parse()
    pack()
    row.load()
    keep(parse)
`,
        ],
        ["user.py", "from compat import Row, parse, pack\ndef use():\n    parse()\n    pack()\n    Row().load()\n"],
      ]),
    );

    expect(pairs(linked, "calls").toSorted()).toEqual([
      "compat.py#own -> compat.py#Row.load",
      "compat.py#own -> compat.py#pack",
      "compat.py#own -> compat.py#parse",
      "compat.py#own -> fast.py#Row.load",
      "compat.py#own -> fast.py#parse",
      "user.py#use -> compat.py#Row",
      "user.py#use -> compat.py#Row.load",
      "user.py#use -> compat.py#pack",
      "user.py#use -> compat.py#parse",
      "user.py#use -> fast.py#Row",
      "user.py#use -> fast.py#Row.load",
      "user.py#use -> fast.py#parse",
    ]);
    expect(pairs(linked, "references")).toEqual(
      expect.arrayContaining(["compat.py#own -> fast.py#parse", "compat.py#own -> compat.py#parse"]),
    );
  });

  it("takes a definition of the same block in place of what was imported there", async () => {
    const linked = await linkAll(
      new Map([
        ["a.py", "def f(): pass\n"],
        ["b.py", "from a import f\ndef f(): pass\ndef use(): f()\n"],
      ]),
    );

    expect(pairs(linked, "calls")).toEqual(["b.py#use -> b.py#f"]);
  });

  it("leads from a class to what runs when one is made", async () => {
    const linked = await linkAll(
      new Map([
        [
          "a.py",
          "def f(): pass\nclass Q:\n    def __init__(self): f()\nclass R(Q):\n    def __init__(self): super().__init__()\n",
        ],
        ["b.py", "from a import Q\ndef make(): return Q()\n"],
      ]),
    );

    expect(pairs(linked, "calls")).toEqual([
      "a.py#Q.__init__ -> a.py#f",
      "a.py#Q -> a.py#Q.__init__",
      "a.py#R.__init__ -> a.py#Q.__init__",
      "a.py#R -> a.py#R.__init__",
      "b.py#make -> a.py#Q",
    ]);
  });

  it("takes a method of the first parent that has it", async () => {
    const linked = await linkAll(
      new Map([
        ["a.py", "class One:\n    def go(self): pass\nclass Two:\n    def go(self): pass\n"],
        ["b.py", "from a import *\nclass Both(One, Two): pass\ndef f(): Both().go()\n"],
      ]),
    );

    expect(pairs(linked, "calls")).toEqual(["b.py#f -> a.py#One.go", "b.py#f -> b.py#Both"]);
  });

  it("knows what a decorator has made of a function", async () => {
    const linked = await linkAll(
      new Map([
        [
          "kit.py",
          "class Command:\n    def run(self): pass\ndef command(name):\n    def wrap(f) -> Command: return Command()\n    return wrap\n",
        ],
        ["app.py", "import kit\n@kit.command('x')\ndef serve(): pass\ndef main(): serve.run()\n"],
      ]),
    );

    expect(pairs(linked, "calls")).toContain("app.py#main -> kit.py#Command.run");
  });
});

async function linkAll(files: Map<string, string>): Promise<typeof edges> {
  const extract = await openPython();
  const facts = new Map<string, FileFacts>([...files].map(([path, source]) => [path, extract(path, source).facts]));
  const modules = createPythonResolver({ files: new Set(files.keys()) });
  const sources: LinkSources = { facts: (path) => facts.get(path), modules, winner: () => undefined };
  const votes = [...files.keys()].flatMap((path) => votesOf(path, sources));
  const winner = (name: string) => winnerOf(votes.filter(({ parameter }: Vote) => parameter === name));
  return [...files.keys()].flatMap((path) =>
    linkFile(path, { ...sources, winner }).edges.map(({ from, toFile, to, kind }) => ({
      from: nodeId(path, from),
      to: nodeId(toFile, to),
      kind,
    })),
  );
}

/** A class runs it whenever it is called, though no line says so: the truth does not list that. */
function isMaking(edge: string): boolean {
  return /^(.+) -> \1\.__(?:new|init|post_init)__$/.test(edge);
}

function pairs(linked: typeof edges, kind: string): string[] {
  return linked.filter((edge) => edge.kind === kind).map(({ from, to }) => `${from} -> ${to}`);
}

function found(kind: string): string[] {
  return pairs(edges, kind);
}

function pairsOf(kind: "imports" | "calls" | "dynamic" | "implicit"): string[] {
  const truth = readJson<Record<typeof kind, Record<string, string[]>>>("truth.json");
  return Object.entries(truth[kind]).flatMap(([from, all]) => all.map((to) => `${from} -> ${to}`));
}

function recordedCalls(): string[] {
  const recorded = readJson<{ calls: [string, string][]; implicit: [string, string][] }>("recorded.json");
  return [...recorded.calls, ...recorded.implicit].map(([from, to]) => `${from} -> ${to}`);
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as T;
}
