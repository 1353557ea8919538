import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, it, vi } from "vitest";
import { writeFiles } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { wholeMs, type FileToParse, type ParsedFile } from "./parse-file.js";
import { parseFiles } from "./parse-pool.js";

const built = vi.hoisted(() => ({ worker: "" }));
vi.mock("../../base/built-file.js", () => ({ builtFile: () => new URL(built.worker) }));

// In the place of the thread that parses: what a file is called tells what becomes of it. It notes what it was told to parse.
const thread = `
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
parentPort.on("message", ({ root, files }) => {
  for (const { path } of files) {
    appendFileSync(join(root, "tried"), path + "\\n");
    const tries = readFileSync(join(root, "tried"), "utf8").split("\\n").filter((tried) => tried === path).length;
    if (path.startsWith("hangs") && (tries === 1 || !path.includes("once"))) for (;;);
    if (path.startsWith("dies") && (tries === 1 || !path.includes("once"))) throw new Error("no room for \\ud800");
    if (path.startsWith("lacks")) parentPort.postMessage({ path, state: "skipped", problem: "of a thread", lacksParser: true });
    else parentPort.postMessage({ path, state: "whole" });
  }
});
parentPort.postMessage("ready");
`;
const patienceMs = 500;

it("[G5] a file at which a thread dies or hangs is tried once more, and those behind it are not lost", async () => {
  const { root, files } = folderWith(thread, ["dies once.ts", "hangs once.ts", "dies.ts", "hangs.ts"]);

  const parsed = await all(root, files);

  const refused = parsed.filter(({ state }) => state === "skipped");
  expect(parsed.map(({ path }) => path).toSorted()).toEqual(files.map(({ path }) => path).toSorted());
  expect(refused.map(({ path, problem }) => ({ path, problem }))).toEqual([
    { path: "dies.ts", problem: "could not be parsed: no room for \uFFFD" },
    { path: "hangs.ts", problem: "takes too long to parse" },
  ]);
  expect(tries(root, "dies.ts")).toBe(2);
});

it("[G5] what a thread refused is looked at again by the next indexing, in a thread, and then left alone", async () => {
  const { root, files } = folderWith(thread, ["hangs.ts"]);
  const first = (await all(root, files)).find(({ state }) => state === "skipped");
  const [again] = await all(root, [{ path: "hangs.ts", hash: first?.hash ?? "none" }]);

  const { size, mtimeMs } = statSync(join(root, "hangs.ts"));
  expect(first).toMatchObject({ hash: "", size, modifiedMs: 0 });
  expect(again).toMatchObject({ state: "skipped", size, modifiedMs: wholeMs(mtimeMs) });
});

it("[G45] what a thread has no parser for is parsed here, unless it may have ended a thread before", async () => {
  const { root, files } = folderWith(thread, ["lacks.ts", "lacks and failed.ts"]);
  const known = files.map((file) => (file.path === "lacks and failed.ts" ? { ...file, hash: "" } : file));

  const parsed = (await all(root, known)).filter(({ state }) => state === "skipped");

  // There is none here either: it is looked at again by the next indexing.
  const { size } = statSync(join(root, "lacks.ts"));
  expect(parsed).toMatchObject([
    { path: "lacks.ts", hash: "", size, modifiedMs: 0, problem: expect.stringContaining("could not be parsed") },
    { path: "lacks and failed.ts", problem: "of a thread" },
  ]);
});

it("[G5] a thread that cannot start stops the indexing, and blames no file", async () => {
  const { root, files } = folderWith('throw new Error("no such parser");');

  await expect(all(root, files)).rejects.toMatchObject({
    code: "store-failed",
    message: expect.stringContaining("no such parser"),
  });
});

it("no more is parsed than the one who writes can take", async () => {
  const { root, files } = folderWith(thread, [], 1000);
  let [most, taken] = [0, 0];

  for await (const parsed of parseFiles(root, files, { threads: 2 })) {
    if (taken === 0) await sleep(1000);
    taken += 1;
    if (taken % 100 === 0) most = Math.max(most, triedFiles(root).length - taken);
    expect(parsed.state).toBe("whole");
  }

  expect(taken).toBe(1000);
  expect(most).toBeLessThan(256 + 2 * 16 + 1);
});

it("a listener that leaves early, while threads wait for room, ends them", async () => {
  const { root, files } = folderWith(thread, [], 1000);
  for await (const parsed of parseFiles(root, files, { threads: 2 })) {
    await sleep(1000);
    if (parsed.state === "whole") break;
  }
  const tried = triedFiles(root).length;

  await sleep(200);

  expect(triedFiles(root).length).toBe(tried);
});

function folderWith(worker: string, special: string[] = [], count = 30): { root: string; files: FileToParse[] } {
  const root = temporaryFolder();
  const script = join(temporaryFolder(), "worker.mjs");
  writeFileSync(script, worker);
  built.worker = pathToFileURL(script).href;
  const names = [...special, ...Array.from({ length: count }, (_, n) => `file${n}.ts`)];
  writeFiles(root, Object.fromEntries(special.map((name) => [name, "let a = 1;\n"])));
  return { root, files: names.map((path) => ({ path })) };
}

async function all(root: string, files: readonly FileToParse[]): Promise<ParsedFile[]> {
  const parsed: ParsedFile[] = [];
  for await (const file of parseFiles(root, files, { threads: 1, patienceMs })) parsed.push(file);
  return parsed;
}

function triedFiles(root: string): string[] {
  return readFileSync(join(root, "tried"), "utf8").trim().split("\n");
}

function tries(root: string, path: string): number {
  return triedFiles(root).filter((tried) => tried === path).length;
}
