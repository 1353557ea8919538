import { execFileSync } from "node:child_process";
import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { readGraph } from "../support/read-graph.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// Fetched from the registry: `npm test` needs none.
const indexer = "@sourcegraph/scip-typescript@0.4.0";

it("[G24] takes in what scip-typescript writes of a project", { timeout: 300_000 }, async () => {
  const root = realpathSync(temporaryFolder());
  writeFiles(root, {
    "package.json": '{ "name": "shop", "version": "1.0.0", "private": true }',
    "tsconfig.json": '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }',
    "src/disk.ts":
      "export class Disk {\n  constructor(readonly name: string) {}\n  read(key: number) {\n    return key;\n  }\n}\n",
    // What comes out of a generic map, only a checker knows.
    "src/run.ts":
      'import { Disk } from "./disk";\nconst pick = <K extends "a", T extends Record<K, unknown>>(all: T, key: K): T[K] => all[key];\nexport const run = () => pick({ a: new Disk("ä") }, "a").read(1);\n',
  });
  const index = join(temporaryFolder(), "index.scip");
  const memory = await openTestMemory({ directory: root, project: undefined });

  const before = await memory.index();
  execFileSync(process.execPath, [installIndexer(), "index", "--output", index], { cwd: root, stdio: "pipe" });
  const { scip } = await memory.index({ scip: index });

  const { edges } = await readGraph(memory);
  const calls = edges.filter(({ kind }) => kind === "calls").map(({ from, to, tier }) => `${from} ${to} ${tier}`);
  expect(before.precise).toBe(0);
  expect(scip).toMatchObject({ tool: "scip-typescript 0.4.0", documents: 2, taken: 2, refused: [] });
  expect(calls.toSorted()).toEqual([
    "src/run.ts#run src/disk.ts#Disk precise",
    "src/run.ts#run src/disk.ts#Disk.read precise",
    "src/run.ts#run src/run.ts#pick precise",
  ]);
});

function installIndexer(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", indexer], {
    cwd: folder,
    stdio: "pipe",
    shell: process.platform === "win32",
  });
  return join(folder, "node_modules", "@sourcegraph", "scip-typescript", "dist", "src", "main.js");
}
