import { describe, expect, it } from "vitest";
import { countSites } from "./languages/call-sites.mjs";
import { compareTruth } from "./languages/compare-truth.mjs";
import { listImports, listUnresolved } from "./languages/imports.mjs";
import { leftOutOf } from "./languages/run-cecil.mjs";
import { readVerdicts, withSample } from "./languages/samples.mjs";

describe("calls beside a compiler", () => {
  const nodes = [
    node("A.java#A", "A", "class", 1, 20),
    node("A.java#A.run", "run", "method", 2, 5),
    node("A.java#A.put", "put", "method", 6, 8),
    node("A.java#A.put~2", "put", "method", 9, 11),
    node("B.java#B", "B", "class", 1, 9),
    node("B.java#B.B", "B", "method", 2, 3),
  ];
  const truth = (...calls) => ({
    calls: calls.map(([kind, toFile, toLine, name]) => ({
      kind,
      file: "A.java",
      line: 4,
      toFile,
      toLine,
      name,
      hasBody: true,
      others: [],
    })),
    unsure: [],
    leftOut: [],
  });

  it("are wrong where they lead elsewhere, and another overload is only wrong when it counts", () => {
    const edges = [call("A.java#A.run", "A.java#A.put")];
    const said = truth(["call", "A.java", 10, "put"]);

    const exact = compareTruth({ nodes, edges }, said, { isExact: true });
    const loose = compareTruth({ nodes, edges }, said, { isExact: false });

    expect(exact).toMatchObject({ said: 1, hits: 0, wanted: 1, found: 0 });
    expect(loose).toMatchObject({ said: 1, hits: 1, wanted: 1, found: 1 });
  });

  it("may lead to a class or to its constructor", () => {
    const said = truth(["new", "B.java", 3, "B"]);

    for (const to of ["B.java#B", "B.java#B.B"]) {
      const compared = compareTruth({ nodes, edges: [call("A.java#A.run", to)] }, said, { isExact: true });

      expect(compared).toMatchObject({ hits: 1, found: 1 });
    }
  });

  it("are not judged where the compiler knows nothing of that name, or has compiled nothing", () => {
    const edges = [call("A.java#A.run", "A.java#A.put")];
    const unsure = [{ file: "A.java", line: 4, name: "put" }];
    const leftOut = [{ file: "A.java", first: 3, last: 5 }];

    expect(compareTruth({ nodes, edges }, { ...truth(), unsure }, { isExact: true })).toMatchObject({
      said: 0,
      untold: 1,
    });
    expect(compareTruth({ nodes, edges }, { ...truth(), leftOut }, { isExact: true })).toMatchObject({
      said: 0,
      untold: 1,
    });
    expect(compareTruth({ nodes, edges }, truth(), { isExact: true })).toMatchObject({ said: 1, hits: 0, untold: 0 });
  });
});

describe("imports of the tree", () => {
  const cases = {
    go: [
      {
        "go.mod": "module example.com/app",
        "main.go": 'import (\n\t"fmt"\n\t"example.com/app/store"\n)\n',
        "store/open.go": "",
      },
      "store/open.go",
    ],
    rust: [
      { "Cargo.toml": 'name = "app"', "src/lib.rs": "mod store;\nuse std::fmt;", "src/store/mod.rs": "" },
      "src/store/mod.rs",
    ],
    java: [
      { "A.java": "package a;\nimport a.b.B.Inner;\nimport java.util.List;", "b/B.java": "package a.b;" },
      "b/B.java",
    ],
    csharp: [{ "A.cs": "using System;\nusing App.Store;", "B.cs": "namespace App.Store\n{" }, "B.cs"],
    c: [{ "src/a.c": '#include <stdio.h>\n#include "store/b.h"', "include/store/b.h": "" }, "include/store/b.h"],
    ruby: [{ "lib/a.rb": "require 'json'\nrequire_relative 'a/b'", "lib/a/b.rb": "" }, "lib/a/b.rb"],
    php: [
      { "a.php": "<?php\nuse App\\{B, C as D};\nuse Psr\\Log;", "b.php": "<?php\nnamespace App;\nfinal class B {}" },
      "b.php",
    ],
  };

  it.each(Object.entries(cases))("are told from those of other packages in %s", (language, [files, target]) => {
    const imports = listImports(language, new Map(Object.entries(files)));

    expect(imports.map(({ targets }) => targets)).toEqual([[target]]);
    expect(listUnresolved(imports, [])).toHaveLength(1);
    const [{ file: fromFile, line }] = imports;
    expect(listUnresolved(imports, [{ kind: "imports", fromFile, toFile: target, line }])).toEqual([]);
  });
});

it("counts calls that were found, that were not, and that lead out of the tree", () => {
  const facts = {
    symbols: [{ path: "run", kind: "function", isCallable: true, parent: -1 }],
    scopes: [
      { parent: -1, symbol: -1 },
      { parent: 0, symbol: 0 },
    ],
    uses: [
      ["call", ["name", "open"], 1, 2],
      ["call", ["name", "lost"], 1, 3],
      ["call", ["member", ["name", "fmt"], "Print"], 1, 4],
    ],
  };
  const edges = [{ kind: "calls", fromFile: "a.go", fromPath: "run", toPath: "open" }];
  const misses = [{ kind: "call", file: "a.go", path: "run", name: "lost", sites: 1 }];

  const counted = countSites({ factsOf: new Map([["a.go", facts]]), edges, misses });

  expect(counted).toEqual({ sites: 3, found: 1, missed: 1, outside: 1 });
});

it("knows which lines of C# are not compiled", () => {
  const text = [
    "#if !(NET20 || NET35)",
    "on",
    "#else",
    "off",
    "#endif",
    "#if NET20 && !X",
    "off",
    "#elif !X",
    "on",
    "#endif",
  ].join("\n");

  expect(leftOutOf(text)).toEqual([
    [3, 5],
    [6, 8],
  ]);
});

describe("samples judged by hand", () => {
  const edge = (to, verdict) => ({ from: "a.go#run", to, line: 4, verdict });
  const edges = [edge("a.go#open", "right"), edge("a.go#close", "wrong"), edge("a.go#read", "open")];
  const gin = { package: "gin", version: "1.8.1", seed: 7, edges };
  const cobra = { package: "cobra", version: "1.6.1", seed: 7, edges: [] };

  it("are kept of each package, and a new one takes the place of its own only", () => {
    const again = { ...gin, seed: 8 };

    expect(withSample([gin, cobra], again)).toEqual([cobra, again]);
  });

  it("count what is right of all that was judged, and of what the graph still says", () => {
    const graph = { edges: [call("a.go#run", "a.go#open"), call("a.go#run", "a.go#read")] };

    const counted = readVerdicts([cobra, gin], { name: "gin" }, graph);

    expect(counted).toEqual({ seed: 7, judged: 2, right: 1, stillThere: 1, stillRight: 1, open: 1 });
    expect(readVerdicts([cobra], { name: "gin" }, graph)).toBeUndefined();
  });
});

function node(id, name, kind, startLine, endLine) {
  return { id, name, kind, startLine, endLine, file: id.split("#")[0], isCallable: true };
}

function call(from, to) {
  return { kind: "calls", from, to, fromFile: from.split("#")[0], toFile: to.split("#")[0], line: 4, tier: "scope" };
}
