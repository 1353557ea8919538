import { describe, expect, it } from "vitest";
import { codeTree, type CodeTree } from "../../../test/support/code-tree.js";
import { Store } from "../../storage/storage.js";
import { rankNodes, type RankOptions } from "./rank-nodes.js";

describe("ranks", () => {
  it("are highest for what most others need, add up to 1, and are the same every time", async () => {
    const graph = await codeTree({
      edges: ["a.ts#one calls d.ts#read", "b.ts#two calls d.ts#read", "c.ts#three calls d.ts#read 0.5"],
    });

    const ranks = await ranksOf(graph);

    expect([...ranks].toSorted((a, b) => b[1] - a[1])[0]?.[0]).toBe("d.ts#read");
    expect([...ranks.values()].reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 12);
    expect(await ranksOf(graph)).toEqual(ranks);
  });

  it("follow sure edges more often than doubtful ones", async () => {
    const graph = await codeTree({ edges: ["a.ts#one calls b.ts#sure 1", "a.ts#one calls c.ts#likely 0.5"] });

    const ranks = await ranksOf(graph);

    expect(ranks.get("b.ts#sure")).toBeGreaterThan(ranks.get("c.ts#likely") ?? 1);
  });

  it("are shared among what lies near the start; what cannot be reached from there has none", async () => {
    const graph = await codeTree({ edges: ["a.ts#one calls b.ts#two", "x.ts#far calls y.ts#away"] });

    const ranks = await ranksOf(graph, "a.ts#one");

    expect(ranks.get("a.ts#one")).toBeGreaterThan(ranks.get("b.ts#two") ?? 1);
    expect(ranks.get("b.ts#two")).toBeGreaterThan(0);
    expect(ranks.get("y.ts#away")).toBe(0);
  });

  it("go back to who uses something only where that is wanted", async () => {
    const graph = await codeTree({ edges: ["a.ts#user calls b.ts#used"] });

    expect((await ranksOf(graph, "b.ts#used")).get("a.ts#user")).toBe(0);
    expect((await ranksOf(graph, "b.ts#used", { back: 0.5 })).get("a.ts#user")).toBeGreaterThan(0);
  });

  it("know nothing of another tree, nor of a node that is not there", async () => {
    const store = new Store({ db: ":memory:", timeoutMs: 5000 });
    const mine = await codeTree({ edges: ["a.ts#one calls b.ts#two"] }, { store, root: "/mine" });
    await codeTree({ edges: ["c.ts#one calls d.ts#two"] }, { store, root: "/theirs" });

    const ranks = await mine.ask((reader, tree) => rankNodes(reader, tree, { start: new Map([[999_999, 1]]) }));
    await store.close();

    expect(ranks.size).toBe(4);
    expect([...ranks.values()].reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 12);
  });

  it("of a tree without files are none", async () => {
    expect((await ranksOf(await codeTree({}))).size).toBe(0);
  });
});

async function ranksOf(graph: CodeTree, from?: string, options: RankOptions = {}): Promise<Map<string, number>> {
  return graph.ask(async (reader, tree) => {
    const rows = await reader.rows(
      `SELECT n.number, f.path || iif(n.path = '', '', '#' || n.path) AS id FROM code_nodes AS n
       CROSS JOIN code_files AS f ON f.number = n.file_number`,
    );
    const ids = new Map(rows.map((row) => [Number(row["number"]), String(row["id"])]));
    const start = new Map([...ids].filter(([, id]) => id === from).map(([number]) => [number, 1]));
    const ranks = await rankNodes(reader, tree, { ...options, ...(from !== undefined && { start }) });
    return new Map([...ranks].map(([number, rank]) => [ids.get(number) ?? "", rank]));
  });
}
