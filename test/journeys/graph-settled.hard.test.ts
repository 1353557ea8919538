import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { built, ended, holdLock } from "../support/child-process.js";
import { commitFiles, gitRepository, writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { askDatabase } from "../torture/programs.js";

const written = new Date("2026-11-01T12:00:00Z");

describe("files that were indexed a moment after they were written", () => {
  // A few are read by the process itself, more by its threads.
  it.each([3, 40])("[G43] are read once more by whoever asks next, and then by nobody: %i of them", async (count) => {
    const { root, db, paths } = await indexedAtOnce(count);

    const reads = [await readsOfImpact(root, db), await readsOfImpact(root, db), await readsOfImpact(root, db)];

    expect(reads).toEqual([paths, [], []]);
  });

  it("[G43] are read once more when only their time has changed, and then by nobody", async () => {
    const { root, db, paths } = await indexedAtOnce(3);
    await readsOfImpact(root, db);
    setTime(root, paths.slice(1), new Date(written.getTime() + 60_000));

    const reads = [await readsOfImpact(root, db), await readsOfImpact(root, db)];

    expect(reads).toEqual([paths.slice(1), []]);
  });

  it("[G43] are read again as long as their time is too near, so that a change which alters neither size nor time is seen", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: written.getTime() + 500 });
    onTestFinished(() => void vi.useRealTimers());
    const root = gitRepository();
    const memory = await openTestMemory({ db: join(temporaryFolder(), "memory.db"), directory: root });
    const write = (name: string) => {
      writeFiles(root, { "a.ts": `export function ${name}() {}\n` });
      setTime(root, ["a.ts"], written);
    };
    write("v0");
    await memory.index();

    for (const [name, laterMs] of Object.entries({ v1: 500, v2: 1000, v3: 2000, v4: 2001 })) {
      expect(await symbolsOf(memory)).toHaveLength(1);
      write(name);
      vi.setSystemTime(written.getTime() + laterMs);
      expect(await symbolsOf(memory), name).toEqual([`a.ts#${name}`]);
    }
  });

  it("[G43] are answered from while another process writes, and noted by whoever asks after that", async () => {
    const { root, db, paths } = await indexedAtOnce(3);
    const memory = await openTestMemory({ db, directory: root, project: undefined });
    const other = await holdLock(db);

    const { notes } = await memory.impact("src/f0.ts");
    const meanwhile = await readsOfImpact(root, db);
    other.kill("SIGKILL");
    await ended(other);
    const reads = [await readsOfImpact(root, db), await readsOfImpact(root, db)];

    expect(notes).toEqual([]);
    expect(meanwhile).toEqual(paths);
    expect(reads).toEqual([paths, []]);
  });
});

/** A repository in a store of its own that knows its files as read in the very moment they were written. */
async function indexedAtOnce(count: number): Promise<{ root: string; db: string; paths: string[] }> {
  const root = gitRepository();
  const db = join(temporaryFolder(), "memory.db");
  const paths = Array.from({ length: count }, (_, n) => `src/f${n}.ts`).toSorted();
  commitFiles(root, Object.fromEntries(paths.map((path, n) => [path, `export function f${n}() {}\n`])));
  setTime(root, paths, written);
  const memory = await openTestMemory({ db, directory: root, project: undefined });
  await memory.index();
  await memory.close();
  await askDatabase(db, "UPDATE code_files SET read_ms = modified_ms");
  return { root, db, paths };
}

/** Asks in a process of its own, and gives the files of the tree that were opened for the answer. */
async function readsOfImpact(root: string, db: string): Promise<string[]> {
  const noted = join(temporaryFolder(), "reads");
  const counting = pathToFileURL(join(import.meta.dirname, "..", "support", "count-reads.mjs")).href;
  const command = fileURLToPath(built("cli/main.js"));
  const child = spawn(process.execPath, ["--import", counting, command, "impact", "src/f0.ts", "--db", db, "--quiet"], {
    cwd: root,
    env: { ...process.env, READS: noted },
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await ended(child)).toBe(0);
  const opened = existsSync(noted) ? readFileSync(noted, "utf8").trim().split("\n") : [];
  rmSync(noted, { force: true });
  return opened
    .map((path) => relative(root, path))
    .filter((path) => path.startsWith("src/"))
    .toSorted();
}

function setTime(root: string, paths: readonly string[], time: Date): void {
  for (const path of paths) utimesSync(join(root, path), time, time);
  expect(statSync(join(root, paths[0] ?? "")).mtimeMs).toBe(time.getTime());
}

async function symbolsOf(memory: TacitMemory): Promise<string[]> {
  let text = "";
  for await (const piece of memory.exportGraph()) text += piece;
  const { nodes } = JSON.parse(text) as { nodes: { id: string }[] };
  return nodes.map(({ id }) => id).filter((id) => id.includes("#"));
}
