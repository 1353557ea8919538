import { expect, it, onTestFinished } from "vitest";
import { Store, type Reader } from "../../storage/storage.js";
import { replaceCompanions } from "./companion-queries.js";
import type { Companion } from "./count-companions.js";

it("gives back what was put in, for the files that are asked about, the surest first", async () => {
  const store = await storeWithTrees();
  const rows = [pair("a.ts", "b.ts", 0.4), pair("a.ts", "naïve\n'.ts", 0.9), pair("b.ts", "a.ts", 1)];

  await store.write((writer) => replaceCompanions(writer, 1, rows));

  expect(await store.read((reader) => listCompanions(reader, 1, ["a.ts", "a.ts", "none.ts"]))).toEqual([
    pair("a.ts", "naïve\n'.ts", 0.9),
    pair("a.ts", "b.ts", 0.4),
  ]);
  expect(await store.read((reader) => listCompanions(reader, 1, []))).toEqual([]);
});

it("replaces those of one tree, and touches no other", async () => {
  const store = await storeWithTrees();
  await store.write((writer) => replaceCompanions(writer, 1, [pair("a.ts", "b.ts", 0.5)]));
  await store.write((writer) => replaceCompanions(writer, 2, [pair("a.ts", "b.ts", 0.5)]));

  await store.write((writer) => replaceCompanions(writer, 1, [pair("a.ts", "c.ts", 0.5)]));

  const companionsIn = (tree: number) => store.read((reader) => listCompanions(reader, tree, ["a.ts"]));
  expect(await companionsIn(1)).toEqual([pair("a.ts", "c.ts", 0.5)]);
  expect(await companionsIn(2)).toEqual([pair("a.ts", "b.ts", 0.5)]);
});

it("takes many at once", async () => {
  const store = await storeWithTrees();
  const rows = Array.from({ length: 2500 }, (_, at) => pair("a.ts", `${at}.ts`, 0.5));

  await store.write((writer) => replaceCompanions(writer, 1, rows));

  expect(await store.read((reader) => listCompanions(reader, 1, ["a.ts"]))).toHaveLength(2500);
});

function pair(path: string, companion: string, confidence: number): Companion {
  return { path, companion, support: 3, confidence };
}

async function storeWithTrees(): Promise<Store> {
  const store = new Store({ db: ":memory:", timeoutMs: 1000 });
  onTestFinished(() => store.close());
  await store.write(async (writer) => {
    await writer.run("INSERT INTO projects (number, id, name, created_at) VALUES (1, 'p', 'test', '2026-11-15')");
    await writer.run(
      `INSERT INTO code_trees (number, project_number, root, settings, indexed_at)
       VALUES (1, 1, '/a', '', '2026-11-15'), (2, 1, '/b', '', '2026-11-15')`,
    );
  });
  return store;
}

/** What changes with each of these files, by path, the surest first. */
async function listCompanions(reader: Reader, treeNumber: number, paths: readonly string[]): Promise<Companion[]> {
  const rows = await reader.rows(
    `SELECT c.path, c.companion, c.support, c.confidence
     FROM (SELECT DISTINCT value FROM json_each(:paths)) AS p
     JOIN code_companions AS c ON c.tree_number = :tree AND c.path = p.value
     ORDER BY c.path, c.confidence DESC, c.companion`,
    { tree: BigInt(treeNumber), paths: JSON.stringify(paths) },
  );
  return rows as unknown as Companion[];
}
