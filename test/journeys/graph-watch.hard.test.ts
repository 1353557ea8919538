import { spawn } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { IndexReport } from "../../src/index.js";
import { built, ended } from "../support/child-process.js";
import { commitFiles, git, gitRepository, writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { watched, until } from "../support/watched-tree.js";

describe("watching a work tree", () => {
  it("[G14] makes one indexing of many changes that come together", async () => {
    const { root, reports, symbols } = await watched({ "src/a.ts": "export function one() {}\n" });

    for (let n = 0; n < 60; n += 1) {
      writeFiles(root, { [`src/f${n}.ts`]: `export function f${n}() {}\n` });
      if (n % 10 === 0) await sleep(50);
    }
    await until(() => reports.reduce((sum, { changed }) => sum + changed, 0) >= 61);
    const reported = await symbols();
    await sleep(1500);

    expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
    expect(reported).toHaveLength(61);
    // Two, unless the machine is so busy that some of the changes are heard of half a second after the others.
    expect(reports.length).toBeLessThan(6);
  });

  it("[G14] sees files in folders that are new, also in nested ones, and what goes away", async () => {
    const { root, symbols } = await watched({ "src/a.ts": "export function one() {}\n" });

    writeFiles(root, { "src/x/y/z/deep.ts": "export function deep() {}\n", "lib/b.py": "def two():\n    pass\n" });
    await until(async () => (await symbols()).length === 3);
    writeFiles(root, { "src/x/y/z/later.ts": "export function later() {}\n" });
    await until(async () => (await symbols()).includes("src/x/y/z/later.ts#later"));
    rmSync(join(root, "src"), { recursive: true });
    await until(async () => (await symbols()).length === 1);

    expect(await symbols()).toEqual(["lib/b.py#two"]);
  });

  it("[G14] sees a file that is put in the place of another, again and again", async () => {
    const { root, symbols } = await watched({ "src/a.ts": "export function v0() {}\n" });

    for (const name of ["v1", "v2", "v3"]) {
      writeFileSync(join(root, "src", ".a.ts.tmp"), `export function ${name}() {}\n`);
      renameSync(join(root, "src", ".a.ts.tmp"), join(root, "src", "a.ts"));
      await until(async () => (await symbols()).includes(`src/a.ts#${name}`));
    }

    expect(await symbols()).toEqual(["src/a.ts#v3"]);
  });

  it("[G14] [G44] follows git to another branch, and does not look at what git ignores or Tacit keeps", async () => {
    const root = gitRepository();
    commitFiles(root, { "a.ts": "export function one() {}\n", ".gitignore": "out/\n" });
    git(root, "checkout", "--quiet", "-b", "other");
    commitFiles(root, { "a.ts": "export function two() {}\n", "b.ts": "export function three() {}\n" });
    git(root, "checkout", "--quiet", "main");
    const { reports, symbols } = await watched({ "out/x.js": "", ".tacit/memories/a.md": "" }, root);

    git(root, "checkout", "--quiet", "other");
    await until(async () => (await symbols()).length === 2);
    await sleep(1000);
    const before = reports.length;
    writeFiles(root, { "out/x.js": "function x() {}\n", ".tacit/memories/a.md": "Prices are kept in cents.\n" });
    await sleep(1200);

    expect(await symbols()).toEqual(["a.ts#two", "b.ts#three"]);
    expect(reports.at(-1)).toMatchObject({ branch: "other" });
    expect(reports).toHaveLength(before);
  });

  it("[G14] comes to rest where the store lies in the work tree itself", async () => {
    const root = temporaryFolder();
    const { reports } = await watched({ "src/a.ts": "export function one() {}\n" }, root, join(root, "memory.db"));

    writeFiles(root, { "src/b.ts": "export function two() {}\n" });
    await until(() => reports.length > 1);
    await sleep(2500);

    expect(reports.map(({ changed, files }) => [changed, files])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it("[G14] ends by its signal, also in the middle of the first indexing", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "src/a.ts": "export function one() {}\n" });
    const memory = await openTestMemory({ db: join(temporaryFolder(), "memory.db"), directory: root });
    const [before, later] = [new AbortController(), new AbortController()];
    const reports: IndexReport[] = [];
    const onIndexed = (report: IndexReport) => reports.push(report);

    before.abort();
    await memory.code.watch({ signal: before.signal, onIndexed });
    await memory.code.watch({ signal: later.signal, onIndexed });
    later.abort();
    writeFiles(root, { "src/b.ts": "export function two() {}\n" });
    await sleep(1000);

    expect(reports.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  });

  it("[G14] watches nothing where the first indexing fails or is refused", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "src/a.ts": "export function one() {}\n" });
    const memory = await openTestMemory({ db: join(temporaryFolder(), "memory.db"), directory: root });
    let told = 0;
    const failing = memory.code.watch({
      onIndexed: () => {
        told += 1;
        throw new Error("enough");
      },
    });

    await expect(failing).rejects.toThrow("enough");
    writeFiles(root, { "src/b.ts": "export function two() {}\n" });
    await sleep(1000);
    await memory.projects.configure("project", "enabled", "false");
    await sleep(1100);

    expect(told).toBe(1);
    await expect(memory.code.watch()).rejects.toMatchObject({ code: "disabled" });
  });

  it("[G14] ends with close(): nothing keeps the process alive", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "src/a.ts": "export function one() {}\n" });
    const child = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { writeFileSync } from "node:fs";
         import { openMemory } from ${JSON.stringify(built("index.js"))};
         const memory = await openMemory({ db: process.argv[1] + "/memory.db", directory: process.argv[2], project: "p" });
         const watching = await memory.code.watch();
         // Closed in the middle of it: a change that was seen and not yet taken in.
         writeFileSync(process.argv[2] + "/src/b.ts", "export function two() {}");
         await new Promise((wake) => setTimeout(wake, 200));
         await watching.close();
         await memory.close();
         console.log("closed");`,
        temporaryFolder(),
        root,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((closed) => child.stdout.once("data", closed));

    const outcome = await Promise.race([ended(child), sleep(5000, "still there")]);

    expect(outcome).toBe(0);
  });
});
