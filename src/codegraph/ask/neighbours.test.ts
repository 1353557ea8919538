import { describe, expect, it } from "vitest";
import { codeTree, type CodeTree } from "../../../test/support/code-tree.js";
import { Store } from "../../storage/storage.js";
import { neighbours } from "./neighbours.js";

describe("neighbours", () => {
  it("are tied by edges in both directions, and by having changed together; nearest first", async () => {
    const graph = await codeTree({
      nodes: ["alone.ts"],
      edges: [
        "a.ts imports one.ts",
        "a.ts imports many.ts",
        "a.ts#x calls many.ts#y",
        "a.ts#x calls many.ts#z",
        "user.ts#u calls a.ts#x 0.6",
        "a.ts contains a.ts#x",
      ],
      companions: [
        ["a.ts", "doc.md", 0.9],
        ["a.ts", "gone.ts", 0.9],
        ["doc.md", "a.ts", 0.2],
      ],
    });
    await graph.store.write(async (writer) => {
      await writer.run("UPDATE code_files SET path = 'doc.md' WHERE path = 'alone.ts'");
    });

    const found = await ask(graph, ["a.ts", "nowhere.ts"]);

    expect([...found]).toEqual([["a.ts", ["many.ts", "doc.md", "user.ts", "one.ts"]]]);
  });

  it("has an empty list for a file that is tied to nothing", async () => {
    const graph = await codeTree({ nodes: ["a.ts#x"] });

    expect([...(await ask(graph, ["a.ts"]))]).toEqual([["a.ts", []]]);
  });

  it("puts what everybody imports behind what few do", async () => {
    const graph = await codeTree({
      edges: [
        "a.ts imports base.ts",
        "a.ts#f calls base.ts#g",
        "a.ts imports near.ts",
        ...Array.from({ length: 40 }, (_, n) => `f${n}.ts imports base.ts`),
      ],
    });

    expect((await ask(graph, ["a.ts"])).get("a.ts")).toEqual(["near.ts", "base.ts"]);
  });

  it("are at most twenty a file", async () => {
    const graph = await codeTree({ edges: Array.from({ length: 30 }, (_, n) => `f${n}.ts imports a.ts`) });

    expect((await ask(graph, ["a.ts"])).get("a.ts")).toHaveLength(20);
  });

  it("never come from another tree", async () => {
    const store = new Store({ db: ":memory:", timeoutMs: 5000 });
    const mine = await codeTree({ edges: ["a.ts imports b.ts"] }, { store });
    await codeTree(
      { edges: ["a.ts imports secret.ts"], companions: [["a.ts", "secret.ts", 1]] },
      { store, project: "other" },
    );

    expect((await ask(mine, ["a.ts"])).get("a.ts")).toEqual(["b.ts"]);
    await store.close();
  });
});

async function ask(graph: CodeTree, files: string[]): Promise<Map<string, string[]>> {
  return graph.ask(async (reader, tree) => neighbours(reader, tree, files));
}
