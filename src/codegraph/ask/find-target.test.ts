import { describe, expect, it } from "vitest";
import { codeTree, type CodeTree } from "../../../test/support/code-tree.js";
import { MemoryError } from "../../base/memory-error.js";
import { findTarget } from "./find-target.js";

describe("findTarget", () => {
  it("finds a file, a folder, a symbol by its path, by its last name, and without its file", async () => {
    const graph = await codeTree({
      nodes: ["src/a.ts#Store.read", "src/a.ts#Store", "src/a.ts#open", "src/in/b.ts#go"],
    });

    expect(await find(graph, "src/a.ts")).toEqual(["file", "src/a.ts"]);
    expect(await find(graph, "./src/a.ts")).toEqual(["file", "src/a.ts"]);
    expect(await find(graph, "src/a.ts#Store.read")).toEqual(["symbol", "src/a.ts#Store.read"]);
    expect(await find(graph, "src/a.ts#read")).toEqual(["symbol", "src/a.ts#Store.read"]);
    expect(await find(graph, "Store.read()")).toEqual(["symbol", "src/a.ts#Store.read"]);
    expect(await find(graph, "Store::read")).toEqual(["symbol", "src/a.ts#Store.read"]);
    expect(await find(graph, "read")).toEqual(["symbol", "src/a.ts#Store.read"]);
    expect(await find(graph, "open")).toEqual(["symbol", "src/a.ts#open"]);
    expect(await find(graph, "src/")).toEqual(["folder", "src/a.ts", "src/in/b.ts"]);
    expect(await find(graph, "src/in")).toEqual(["folder", "src/in/b.ts"]);
  });

  it("takes a name for what is called exactly so before what only ends so", async () => {
    const graph = await codeTree({ nodes: ["a.ts#read", "b.ts#Store.read", "b.ts#Other.read"] });

    expect(await find(graph, "read")).toEqual(["symbol", "a.ts#read"]);
  });

  it("has the members of a class, and the second of a name beside the first", async () => {
    const graph = await codeTree({
      nodes: ["a.ts#Store", "a.ts#Store.size", "a.ts#Store.size~2", "a.ts#Storey", "a.ts#Store~2", "a.ts#Store~2.x"],
    });

    const ofClass = await graph.ask(async (reader, tree) => findTarget(reader, tree, "a.ts#Store"));
    const ofPair = await graph.ask(async (reader, tree) => findTarget(reader, tree, "size"));

    expect(ofClass.own.map(({ path }) => path).toSorted()).toEqual([
      "Store",
      "Store.size",
      "Store.size~2",
      "Store~2",
      "Store~2.x",
    ]);
    expect(ofPair.own.map(({ path }) => path)).toEqual(["Store.size", "Store.size~2"]);
  });

  it("knows a file whose name holds a number sign, and is not led astray by signs of SQL", async () => {
    const graph = await codeTree({ nodes: ["src/100%.ts#a_b", "src/100x.ts#axb", "d.ts"] });
    await graph.store.write(async (writer) => {
      await writer.run("UPDATE code_files SET path = 'c#/d.ts' WHERE path = 'd.ts'");
    });

    expect(await find(graph, "src/100%.ts")).toEqual(["file", "src/100%.ts"]);
    expect(await find(graph, "src/100%.ts#a_b")).toEqual(["symbol", "src/100%.ts#a_b"]);
    expect(await find(graph, "a_b")).toEqual(["symbol", "src/100%.ts#a_b"]);
    expect(await find(graph, "c#/d.ts")).toEqual(["file", "c#/d.ts"]);
    expect((await refusal(graph, "src/100")).message).toContain("There is no file");
  });

  it("names the candidates where it could be several, at most five", async () => {
    const graph = await codeTree({ nodes: Array.from({ length: 7 }, (_, n) => `f${n}.ts#S.read`) });

    const { code, message, hint } = await refusal(graph, "read");

    expect(code).toBe("node-not-found");
    expect(message).toBe("read could be any of 7 symbols.");
    expect(hint).toBe(
      "Name one of them: f0.ts#S.read, f1.ts#S.read, f2.ts#S.read, f3.ts#S.read, f4.ts#S.read, or one of 2 more.",
    );
  });

  it("names what is close to what is not there", async () => {
    const graph = await codeTree({ nodes: ["src/memory/store.ts#readStore", "src/memory/store.ts#Store.close"] });

    expect((await refusal(graph, "raedStore")).hint).toBe("Did you mean src/memory/store.ts#readStore?");
    expect((await refusal(graph, "store.ts")).hint).toContain("src/memory/store.ts");
    expect((await refusal(graph, "src/memory/store.ts#clos")).hint).toBe(
      "Did you mean src/memory/store.ts#Store.close?",
    );
    expect((await refusal(graph, "zzz")).hint).toContain("tacit index");
    expect((await refusal(graph, "")).code).toBe("node-not-found");
  });

  it("does not read a whole tree to tell what may have been meant", async () => {
    const graph = await codeTree({
      nodes: [...Array.from({ length: 700 }, (_, n) => `src/f${n}.ts#ready${n}`), "src/z.ts#readStore"],
    });
    let longest = 0;
    const refused = graph.ask(async (reader, tree) =>
      findTarget(
        {
          rows: async (sql, args) => {
            const rows = await reader.rows(sql, args);
            for (const { nodes } of rows) longest = Math.max(longest, (JSON.parse(String(nodes ?? "[]")) as []).length);
            return rows;
          },
        },
        tree,
        "raedStore",
      ),
    );

    await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining("src/z.ts#readStore") });
    expect(longest).toBe(500);
  });

  it("takes the root for no target", async () => {
    const graph = await codeTree({ nodes: ["src/a.ts#open"] });

    for (const root of [".", "./", " ./. "]) {
      expect(await refusal(graph, root)).toMatchObject({
        code: "invalid-input",
        hint: expect.stringContaining("tacit impact src/"),
      });
    }
  });

  it("says so where the index holds nothing", async () => {
    const graph = await codeTree({});

    expect(await refusal(graph, "src/a.ts")).toMatchObject({
      code: "node-not-found",
      message: "The index of this folder holds no file.",
    });
  });
});

async function find(graph: CodeTree, target: string): Promise<string[]> {
  const { kind, nodes } = await graph.ask(async (reader, tree) => findTarget(reader, tree, target));
  return [kind, ...nodes.map(({ id }) => id)];
}

async function refusal(graph: CodeTree, target: string): Promise<MemoryError> {
  const error: unknown = await find(graph, target).catch((thrown: unknown) => thrown);
  if (!(error instanceof MemoryError)) throw new Error(`${target} was found`);
  return error;
}
