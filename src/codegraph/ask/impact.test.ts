import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeTree, type CodeTree } from "../../../test/support/code-tree.js";
import { Store } from "../../storage/storage.js";
import { dependencies } from "./dependencies.js";
import { impact, type Impact, type ImpactOptions } from "./impact.js";
import { stepsSql } from "./step-queries.js";

describe("impact", () => {
  it("names who depends on a symbol, nearest first, with the way there", async () => {
    const graph = await codeTree({
      edges: [
        "src/b.ts#run calls src/a.ts#read 0.9 :7",
        "src/c.ts#main calls src/b.ts#run 0.5",
        "src/d.ts#other references src/a.ts#read",
        "src/a.ts#read calls src/e.ts#deeper",
      ],
    });

    const { dependents, target, isCut } = await ask(graph, "src/a.ts#read");

    expect(target).toMatchObject([{ id: "src/a.ts#read", kind: "function", name: "read", file: "src/a.ts" }]);
    expect(dependents).toMatchObject([
      { node: { id: "src/d.ts#other" }, depth: 1, kinds: ["references"], confidence: 1 },
      { node: { id: "src/b.ts#run" }, depth: 1, kinds: ["calls"], confidence: 0.9, line: 7 },
      {
        node: { id: "src/c.ts#main" },
        depth: 2,
        path: ["src/a.ts#read", "src/b.ts#run", "src/c.ts#main"],
        kinds: ["calls", "calls"],
        confidence: 0.45,
      },
    ]);
    expect(isCut).toBe(false);
  });

  it("takes the shortest way, and of the shortest the surest", async () => {
    const graph = await codeTree({
      edges: [
        "b.ts#x calls a.ts#t 0.4",
        "b.ts#y calls a.ts#t 0.8",
        "c.ts#z calls b.ts#x",
        "c.ts#z calls b.ts#y 0.9",
        "b.ts#y calls b.ts#x",
      ],
    });

    const { dependents } = await ask(graph, "a.ts#t");

    expect(waysOf(dependents)).toEqual(["b.ts#y", "b.ts#x", "b.ts#y > c.ts#z"]);
    expect(dependents.map(({ confidence }) => confidence)).toEqual([0.8, 0.4, 0.72]);
  });

  it("goes no deeper than it is told", async () => {
    const graph = await codeTree({
      edges: ["a.ts#b calls a.ts#a", "a.ts#c calls a.ts#b", "a.ts#d calls a.ts#c", "a.ts#e calls a.ts#d"],
    });

    expect(idsOf((await ask(graph, "a.ts#a", { depth: 1 })).dependents)).toEqual(["a.ts#b"]);
    expect(idsOf((await ask(graph, "a.ts#a")).dependents)).toEqual(["a.ts#b", "a.ts#c", "a.ts#d"]);
    expect((await ask(graph, "a.ts#a", { depth: 10 })).dependents).toHaveLength(4);
    await expect(ask(graph, "a.ts#a", { depth: 0 })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(ask(graph, "a.ts#a", { depth: 1.5 })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(ask(graph, "a.ts#a", { limit: 0.5 })).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("does not follow what only says where something is, or that it was touched", async () => {
    const graph = await codeTree({
      edges: ["a.ts contains a.ts#t", "b.ts exports a.ts#t", "c.ts changes_with a.ts", "a.ts exports a.ts#t"],
    });

    expect((await ask(graph, "a.ts#t")).dependents).toEqual([]);
    expect((await ask(graph, "a.ts")).dependents).toEqual([]);
  });

  it("of a file is that of all its symbols, of a class that of its members, of a folder that of its files", async () => {
    const graph = await codeTree({
      edges: [
        "src/b.ts imports src/in/a.ts",
        "src/c.ts#useRead calls src/in/a.ts#Store.read",
        "src/d.ts#useOpen calls src/in/a.ts#open",
        "src/in/a.ts#open calls src/in/a.ts#Store",
        "src/in/f.ts#inside calls src/in/a.ts#open",
      ],
    });

    const ofFile = await ask(graph, "src/in/a.ts");
    const ofClass = await ask(graph, "src/in/a.ts#Store", { depth: 1 });
    const ofFolder = await ask(graph, "src/in");

    expect(idsOf(ofFile.dependents)).toEqual([
      "src/b.ts",
      "src/c.ts#useRead",
      "src/d.ts#useOpen",
      "src/in/f.ts#inside",
    ]);
    expect(idsOf(ofClass.dependents)).toEqual(["src/c.ts#useRead", "src/in/a.ts#open"]);
    expect(idsOf(ofFolder.dependents)).toEqual(["src/b.ts", "src/c.ts#useRead", "src/d.ts#useOpen"]);
    expect(ofFolder.target.map(({ id }) => id)).toEqual(["src/in/a.ts", "src/in/f.ts"]);
  });

  it("goes on from a file that was reached to who imports it, never to who uses something of it", async () => {
    const graph = await codeTree({
      edges: ["b.ts calls a.ts#t", "c.ts imports b.ts", "d.ts#user calls b.ts#unrelated", "c.ts#f calls c.ts#g"],
    });

    expect(idsOf((await ask(graph, "a.ts#t")).dependents)).toEqual(["b.ts", "c.ts"]);
  });

  it("counts who calls a method through its interface or base class, half as surely", async () => {
    const graph = await codeTree({
      nodes: ["base.ts#Store interface", "base.ts#Store.read", "base.ts#Store.close"],
      edges: [
        "mem.ts#MemStore implements base.ts#Store 0.9",
        "mem.ts#MemStore.read calls mem.ts#find",
        "fs.ts#FsStore.read calls fs.ts#find",
        "fs.ts#FsStore implements base.ts#Store",
        "use.ts#use calls base.ts#Store.read 0.8",
        "use.ts#end calls base.ts#Store.close",
      ],
    });

    const { dependents } = await ask(graph, "mem.ts#MemStore.read");

    expect(dependents).toMatchObject([
      { node: { id: "base.ts#Store.read" }, kinds: ["implements"], confidence: 0.45 },
      { node: { id: "use.ts#use" }, kinds: ["implements", "calls"], confidence: 0.36 },
    ]);
    expect(idsOf((await ask(graph, "mem.ts#find")).dependents)).toEqual([
      "mem.ts#MemStore.read",
      "base.ts#Store.read",
      "use.ts#use",
    ]);
  });

  it("of a member of an interface is what implements it", async () => {
    const graph = await codeTree({
      nodes: ["base.ts#Store interface", "base.ts#Store.read", "mem.ts#MemStore.read", "mem.ts#MemStore.other"],
      edges: ["mem.ts#MemStore implements base.ts#Store", "use.ts#use calls mem.ts#MemStore.read"],
    });

    expect(idsOf((await ask(graph, "base.ts#Store.read")).dependents)).toEqual(["mem.ts#MemStore.read", "use.ts#use"]);
  });

  it("does not take a constructor for a member that its base shares", async () => {
    const graph = await codeTree({
      nodes: ["a.ts#Base.constructor", "a.ts#Derived.constructor"],
      edges: ["a.ts#Derived extends a.ts#Base", "a.ts#make calls a.ts#Base.constructor"],
    });

    expect((await ask(graph, "a.ts#Derived.constructor")).dependents).toEqual([]);
  });

  it("names the tests to run: those that were reached, the file's own, and those of the target", async () => {
    const graph = await codeTree({
      edges: [
        "src/a.test.ts tests src/a.ts",
        "src/b.ts#run calls src/a.ts#read",
        "src/b.test.ts tests src/b.ts",
        "src/b.test.ts#builder calls src/b.ts#run",
        "src/b.test.ts calls src/b.test.ts#builder",
        "src/z.test.ts tests src/z.ts",
      ],
    });

    const { tests } = await ask(graph, "src/a.ts#read");
    const ofFolder = await ask(graph, "src/", { depth: 1 });
    const ofTest = await ask(graph, "src/b.test.ts#builder");

    expect(tests).toEqual([
      { file: "src/a.test.ts", depth: 1, through: "src/a.ts" },
      { file: "src/b.test.ts", depth: 2, through: "src/b.ts#run" },
    ]);
    expect(ofFolder.tests.map(({ file, depth }) => [file, depth])).toEqual([
      ["src/a.test.ts", 0],
      ["src/b.test.ts", 0],
      ["src/z.test.ts", 0],
    ]);
    expect(ofTest.tests).toEqual([{ file: "src/b.test.ts", depth: 0, through: "src/b.test.ts" }]);
  });

  it("counts the calls by its name, outside of it, that lead to nothing known", async () => {
    const graph = await codeTree({
      nodes: ["a.ts#Store", "a.ts#Store.read", "a.ts#open", "a.ts#open.retry function", "a.ts#Shape interface"],
      misses: [
        ["b.ts#f", "read", 3],
        ["c.ts", "read", 2],
        ["c.ts", "open", 9],
        ["c.ts", "retry", 9],
        ["c.ts", "Shape", 9],
        ["a.ts#open", "read", 1],
        ["a.ts#Store.read", "read", 5],
      ],
    });

    const nothing = { sites: 0, files: 0, names: [] };
    expect((await ask(graph, "Store.read")).unresolved).toEqual({ sites: 6, files: 3, names: ["read"] });
    expect((await ask(graph, "a.ts")).unresolved).toEqual({ sites: 14, files: 2, names: ["open", "read"] });
    expect((await ask(graph, "a.ts#Shape")).unresolved).toEqual(nothing);
    expect((await dependenciesOf(graph, "a.ts")).unresolved).toEqual({ sites: 6, files: 1, names: ["read"] });
    expect((await dependenciesOf(graph, "b.ts#f")).unresolved).toEqual({ sites: 3, files: 1, names: ["read"] });
  });

  it("says when it was cut, and still names every test", async () => {
    const graph = await codeTree({
      edges: ["b.ts#x calls a.ts#t", "b.ts#y calls a.ts#t 0.5", "t.test.ts calls b.ts#y", "t.test.ts tests b.ts"],
    });

    const cut = await ask(graph, "a.ts#t", { limit: 1 });

    expect(idsOf(cut.dependents)).toEqual(["b.ts#x"]);
    expect(cut.isCut).toBe(true);
    expect(cut.tests.map(({ file }) => file)).toEqual(["t.test.ts"]);
    expect((await ask(graph, "a.ts#t", { limit: 3 })).isCut).toBe(false);
  });

  it("never tells of another tree or another project", async () => {
    const store = new Store({ db: ":memory:", timeoutMs: 5000 });
    const content = {
      edges: ["src/b.ts#run calls src/a.ts#read", "src/b.test.ts tests src/a.ts"],
      misses: [["src/b.ts", "read", 1]] as [string, string, number][],
    };
    const mine = await codeTree(content, { store });
    await codeTree({ ...content, edges: [...content.edges, "x.ts#secret calls src/a.ts#read"] }, { store, root: "/b" });
    await codeTree({ ...content, nodes: ["y.ts#hidden"] }, { store, project: "other" });

    const found = await ask(mine, "src/a.ts#read");

    expect(idsOf(found.dependents)).toEqual(["src/b.ts#run"]);
    expect(found.tests).toHaveLength(1);
    expect(found.unresolved.sites).toBe(1);
    await expect(ask(mine, "hidden")).rejects.toMatchObject({ code: "node-not-found" });
    await store.close();
  });

  it("uses an index for every step in either direction", async () => {
    const graph = await codeTree({ edges: ["a.ts#x calls a.ts#y"] });

    for (const direction of ["dependents", "dependencies"] as const) {
      const plan = await graph.ask(async (reader) =>
        reader.rows(`EXPLAIN QUERY PLAN ${stepsSql(direction)}`, { nodes: "[1]" }),
      );
      const details = plan.map((row) => String(row["detail"]));

      expect(details.filter((detail) => /^SCAN (?!reached\b|\(subquery)/.test(detail))).toEqual([]);
      expect(details.join("\n")).toMatch(
        /SEARCH e USING (?:COVERING )?INDEX code_edges_by_target \(to_node=\? AND kind=\?\)/,
      );
      expect(details.join("\n")).toMatch(/SEARCH e USING PRIMARY KEY \(from_node=\? AND kind=\?\)/);
      if (direction === "dependencies") continue;
      expect(details).toContain("SEARCH e USING COVERING INDEX code_edges_by_target (to_node=?)");
    }
  });
});

describe("dependencies", () => {
  it("names what a target needs, and what an interface may run", async () => {
    const graph = await codeTree({
      nodes: ["base.ts#Store interface", "base.ts#Store.read", "mem.ts#MemStore.read", "fs.ts#FsStore.read"],
      edges: [
        "mem.ts#MemStore implements base.ts#Store",
        "fs.ts#FsStore implements base.ts#Store",
        "use.ts#use calls base.ts#Store.read",
        "use.ts imports base.ts",
        "mem.ts#MemStore.read calls low.ts#low",
      ],
    });

    const near = await dependenciesOf(graph, "use.ts");
    const far = await dependenciesOf(graph, "use.ts#use", { depth: 3 });
    const ofMember = await dependenciesOf(graph, "mem.ts#MemStore.read", { depth: 3 });

    expect(idsOf(near.dependents)).toEqual(["base.ts", "base.ts#Store.read"]);
    expect(far.dependents.map(({ node, confidence }) => [node.id, confidence])).toEqual([
      ["base.ts#Store.read", 1],
      ["mem.ts#MemStore.read", 0.5],
      ["fs.ts#FsStore.read", 0.5],
      ["low.ts#low", 0.5],
    ]);
    expect(idsOf(ofMember.dependents).toSorted()).toEqual(["base.ts#Store.read", "low.ts#low"]);
  });

  it("reaches what impact reaches from the other end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 20, selector: ([a, b]) => `${a} ${b}` }),
        fc.integer({ min: 1, max: 4 }),
        async (pairs, depth) => {
          const store = new Store({ db: ":memory:", timeoutMs: 5000 });
          const nodes = Array.from({ length: 8 }, (_, n) => `f${n}.ts#s${n}`);
          const edges = pairs.map(([a, b]) => `f${a}.ts#s${a} calls f${b}.ts#s${b}`);
          const graph = await codeTree({ nodes, edges }, { store });
          const depths = await Promise.all(
            nodes.map(async (id) => ({
              up: new Map((await ask(graph, id, { depth })).dependents.map(({ node, depth: at }) => [node.id, at])),
              down: new Map(
                (await dependenciesOf(graph, id, { depth })).dependents.map(({ node, depth: at }) => [node.id, at]),
              ),
            })),
          );
          await store.close();

          const distances = distancesOver(pairs, 8);
          nodes.forEach((a, from) => {
            nodes.forEach((b, to) => {
              const distance = distances[from]?.[to] ?? Infinity;
              const expected = from !== to && distance <= depth ? distance : undefined;
              expect(depths[from]?.down.get(b)).toBe(expected);
              expect(depths[to]?.up.get(a)).toBe(expected);
            });
          });
        },
      ),
      { numRuns: 25 },
    );
  });
});

async function ask(graph: CodeTree, target: string, options?: ImpactOptions): Promise<Impact> {
  return graph.ask(async (reader, tree) => impact(reader, tree, target, options));
}

async function dependenciesOf(graph: CodeTree, target: string, options?: ImpactOptions): Promise<Impact> {
  return graph.ask(async (reader, tree) => dependencies(reader, tree, target, options));
}

function idsOf(dependents: Impact["dependents"]): string[] {
  return dependents.map(({ node }) => node.id);
}

function waysOf(dependents: Impact["dependents"]): string[] {
  return dependents.map(({ path }) => path.slice(1).join(" > "));
}

/** By Floyd and Warshall: nothing of what is tested. */
function distancesOver(pairs: [number, number][], size: number): number[][] {
  const distances = Array.from({ length: size }, () => Array.from({ length: size }, () => Infinity));
  const at = (a: number, b: number) => distances[a]?.[b] ?? Infinity;
  for (const [a, b] of pairs) (distances[a] ?? [])[b] = 1;
  for (let via = 0; via < size; via++) {
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) (distances[a] ?? [])[b] = Math.min(at(a, b), at(a, via) + at(via, b));
    }
  }
  return distances;
}
