import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { addInit } from "../../src/cli/init/init.js";
import type { TacitMemory } from "../../src/index.js";
import { commitFiles, git, gitRepository, writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { readGraph, sayEdges } from "../support/read-graph.js";
import { runLine, textOf } from "../support/run-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// No edge of the code ties these together.
const apart = { "src/price.ts": "export const price = 0;\n", "docs/price.md": "# 0\n", "src/menu.ts": "export {};\n" };

describe("files that change together", () => {
  it("[G8] are neighbours and edges, once history was asked for", async () => {
    const root = gitRepository();
    commitFiles(root, apart);
    changeTogether(root, 4, ["src/price.ts", "docs/price.md"]);
    const memory = await openTestMemory({ directory: root });

    const { commits: untold } = await memory.index();
    const before = await memory.code.neighbours(["src/price.ts"]);
    const { commits } = await memory.index({ history: true });

    expect(untold).toBeUndefined();
    expect(before.get("src/price.ts")).toEqual([]);
    expect(commits).toBe(4);
    expect((await memory.code.neighbours(["src/price.ts"])).get("src/price.ts")).toEqual(["docs/price.md"]);
    expect((await memory.code.neighbours(["docs/price.md"])).get("docs/price.md")).toEqual(["src/price.ts"]);
    expect(await together(memory)).toEqual([
      {
        from: "docs/price.md",
        to: "src/price.ts",
        kind: "changes_with",
        tier: "history",
        confidence: 1,
        source: "git",
      },
      {
        from: "src/price.ts",
        to: "docs/price.md",
        kind: "changes_with",
        tier: "history",
        confidence: 1,
        source: "git",
      },
    ]);
  });

  it("[TR75] are not told where one of them is ignored", async () => {
    const root = gitRepository();
    commitFiles(root, { ...apart, ".tacitignore": "docs/\n" });
    changeTogether(root, 4, ["src/price.ts", "docs/price.md"]);
    const memory = await openTestMemory({ directory: root });

    await memory.index({ history: true });

    expect((await memory.code.neighbours(["src/price.ts"])).get("src/price.ts")).toEqual([]);
    expect(await together(memory)).toEqual([]);
  });

  it("[G8] are told as sure as they are: in how many of a file's own commits", async () => {
    const root = gitRepository();
    commitFiles(root, {});
    changeTogether(root, 3, ["src/price.ts", "docs/price.md"]);
    changeTogether(root, 3, ["src/price.ts"]);

    const edges = await together(await counted(root));

    expect(edges.map(({ from, confidence }) => [from, confidence])).toEqual([
      ["docs/price.md", 1],
      ["src/price.ts", 0.5],
    ]);
  });

  it("[G8] are counted anew by later indexings, once git's head has moved", async () => {
    const root = gitRepository();
    commitFiles(root, apart);
    const memory = await counted(root);
    const before = await together(memory);
    changeTogether(root, 3, ["src/price.ts", "src/menu.ts"]);

    const { commits } = await memory.index();
    const again = await memory.index();

    expect(before).toEqual([]);
    expect(commits).toBe(3);
    expect(again.commits).toBeUndefined();
    expect(sayTogether(await together(memory))).toEqual(["src/menu.ts src/price.ts", "src/price.ts src/menu.ts"]);
  });

  it("[G8] are counted again by an indexing that begins anew", async () => {
    const root = gitRepository();
    commitFiles(root, apart);
    changeTogether(root, 3, ["src/price.ts", "src/menu.ts"]);
    const memory = await counted(root);
    const before = await together(memory);

    const { commits } = await memory.index({ fresh: true });

    expect(commits).toBe(3);
    expect(before).toHaveLength(2);
    expect(await together(memory)).toEqual(before);
  });

  it("[G8] are not those of merges, of commits of many files, of chance, nor of files that are gone", async () => {
    const root = gitRepository();
    commitFiles(root, apart);
    // By chance, twice.
    changeTogether(root, 2, ["src/price.ts", "src/menu.ts"]);
    // In commits of forty files.
    changeTogether(
      root,
      4,
      Array.from({ length: 40 }, (_, n) => `bulk/file-${n}.ts`),
    );
    // In merges: each file changed on a branch of its own.
    for (let round = 0; round < 4; round += 1) {
      git(root, "switch", "--quiet", "--create", `side-${round}`);
      changeTogether(root, 1, ["side/one.ts"]);
      git(root, "switch", "--quiet", "main");
      changeTogether(root, 1, ["side/two.ts"]);
      git(root, "merge", "--quiet", "--no-ff", "--no-edit", `side-${round}`);
    }
    // With a file that is no more.
    changeTogether(root, 4, ["src/price.ts", "src/gone.ts"]);
    rmSync(join(root, "src/gone.ts"));
    commitFiles(root, {});

    const memory = await counted(root);

    expect(await together(memory)).toEqual([]);
    expect((await memory.code.neighbours(["side/one.ts"])).get("side/one.ts")).toEqual([]);
  });

  it("[G8] keep their history when one of them is renamed", async () => {
    const root = gitRepository();
    commitFiles(root, {});
    changeTogether(root, 4, ["src/price.ts", "docs/price.md"]);
    git(root, "mv", "src/price.ts", "src/cost.ts");
    commitFiles(root, {});

    expect(sayTogether(await together(await counted(root)))).toEqual([
      "docs/price.md src/cost.ts",
      "src/cost.ts docs/price.md",
    ]);
  });

  it("[G8] are learnt by tacit init, with the code, and without a trace in the work tree", async () => {
    const root = gitRepository();
    commitFiles(root, apart);
    changeTogether(root, 4, ["src/price.ts", "docs/price.md"]);
    const memory = await openTestMemory({ directory: root });

    const { answer } = await runLine(memory, addInit, ["init"]);

    expect(textOf(answer)).toMatch(/code +3 files/);
    expect(await together(memory)).toHaveLength(2);
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  it("[G8] are none outside of git, and in a repository without a commit", async () => {
    const [plain, empty] = [temporaryFolder(), gitRepository()];
    for (const root of [plain, empty]) {
      writeFiles(root, apart);
      const memory = await openTestMemory({ directory: root });

      const report = await memory.index({ history: true });

      expect(report.files).toBe(3);
      expect(report.commits).toBeUndefined();
      expect(await together(memory)).toEqual([]);
    }
  });

  it("[G8] do not count as dependents: nothing breaks", async () => {
    const root = gitRepository();
    commitFiles(root, apart);
    changeTogether(root, 4, ["src/price.ts", "docs/price.md"]);
    const memory = await counted(root);

    expect((await memory.impact("src/price.ts")).dependents).toEqual([]);
    expect(sayEdges(await readGraph(memory))).toContain("src/price.ts changes_with docs/price.md");
  });
});

type Edge = Awaited<ReturnType<typeof readGraph>>["edges"][number];

async function counted(root: string): Promise<TacitMemory> {
  const memory = await openTestMemory({ directory: root });
  await memory.index({ history: true });
  return memory;
}

async function together(memory: TacitMemory): Promise<Edge[]> {
  return (await readGraph(memory)).edges.filter(({ kind }) => kind === "changes_with");
}

function sayTogether(edges: Edge[]): string[] {
  return edges.map(({ from, to }) => `${from} ${to}`);
}

/** So many commits, each of which changes all of these files. */
function changeTogether(root: string, commits: number, files: string[]): void {
  for (let n = 0; n < commits; n += 1) {
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      appendFileSync(join(root, file), `// A change of ${file}, the ${n}th.\n`);
    }
    commitFiles(root, {});
  }
}
