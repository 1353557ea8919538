import { expect, it } from "vitest";
import { codeTree } from "../../../test/support/code-tree.js";
import { followStatedEdges } from "./follow-stated-edges.js";
import { listStated, stateEdges } from "./stated-edge-queries.js";

it("[G38] lets stated places follow as they were before all moves: the nearest that moved, and two that change places", async () => {
  const followed = await follow(
    ["src/a.ts", "src/b.ts#Store.read", "src/c.ts#Store.read", "src/d.ts"],
    [
      ["src/a.ts", "src/b.ts"],
      ["src/b.ts", "src/a.ts"],
      ["src/c.ts#Store", "src/b.ts#Shop"],
    ],
  );

  expect(followed).toEqual(["src/a.ts#Store.read", "src/b.ts", "src/b.ts#Shop.read", "src/d.ts"]);
});

it("[G38] leaves a place in both where another work tree still has it, and joins those that come together", async () => {
  const moves: [string, string][] = [["src/a.ts", "src/b.ts"]];

  const kept = await follow(["src/a.ts#open"], moves, (place) => place === "src/a.ts");
  const joined = await follow(["src/a.ts", "src/b.ts"], moves);

  expect(kept).toEqual(["src/a.ts#open", "src/b.ts#open"]);
  expect(joined).toEqual(["src/b.ts"]);
});

/** The places of a pattern after these moves. */
async function follow(
  places: string[],
  moves: [from: string, to: string][],
  keepOld: (place: string) => boolean = () => false,
) {
  const { store, tree } = await codeTree({});
  const going = moves.map(([from, to]) => ({ from, to }));
  const parts = {
    files: going.filter(({ from }) => !from.includes("#")),
    symbols: going.filter(({ from }) => from.includes("#")),
  };
  const edges = places.map((to) => ({ from: "pattern:x", kind: "applies_pattern" as const, to, confidence: 1 }));
  await store.write(async (writer) => {
    await stateEdges(writer, 1, edges, new Date(0));
    await followStatedEdges(writer, tree, parts, keepOld);
  });
  return (await store.read((reader) => listStated(reader, 1))).map(({ to }) => to);
}
