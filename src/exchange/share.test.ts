import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../test/open-memories.js";
import { temporaryFolder } from "../../test/temporary-folder.js";
import type { MemoryInput, TacitMemory } from "../index.js";

const shared = { visibility: "project" } as const;

describe("sharing", () => {
  it("[E8] writes one file a memory, the same bytes each time, and never what is personal", async () => {
    const { memory, folder } = await projectWith(
      { content: "Retries must be idempotent", type: "gotcha", name: "retries", ...shared },
      { content: "I dislike Mondays" },
      { content: "only for this session", scope: "session", ...shared },
    );

    const first = await memory.share();
    const [file = ""] = filesIn(folder);
    const bytes = readFileSync(join(folder, ".tacit/memories", file), "utf8");
    await memory.recall("retries");
    const again = await memory.share();

    expect(first).toMatchObject({ written: [file], removed: [], problems: [] });
    expect(filesIn(folder)).toHaveLength(1);
    expect(bytes).toContain("Retries must be idempotent");
    expect(again).toMatchObject({ written: [], unchanged: 1 });
    expect(readFileSync(join(folder, ".tacit/memories", file), "utf8")).toBe(bytes);
  });

  it("[E8] withholds what the scanner found something in, and says so", async () => {
    const key = ["AKIA", "QYLPMN5HFIQR7XYZ"].join("");
    const { memory, folder } = await projectWith({ content: `the key is ${key}`, ...shared });

    const report = await memory.share();

    expect(report.withheld).toHaveLength(1);
    expect(existsSync(join(folder, ".tacit"))).toBe(false);
  });

  it("[E8] makes a memory visible to the project when it is named", async () => {
    const { memory, folder } = await projectWith({ content: "We deploy on Tuesdays", name: "deploy-day" });

    await memory.share({ references: ["deploy-day"] });

    expect(filesIn(folder)).toHaveLength(1);
    expect(await memory.get("deploy-day")).toMatchObject({ visibility: "project" });
  });

  it("[E9] does not let a clone speak until its user accepts the project", async () => {
    const { memory, folder } = await projectWith({ content: "Tabs, never spaces", name: "tabs", ...shared });
    await memory.share();
    const stranger = await clone(folder);

    expect(await stranger.recall("tabs")).toEqual([]);
    expect(await stranger.notices()).toEqual([expect.stringContaining("1 memory that came with this folder waits")]);
    await expect(stranger.share()).rejects.toMatchObject({ code: "share-refused" });
    await stranger.accept();

    expect((await stranger.recall("tabs"))[0]?.memory).toMatchObject({ name: "tabs", content: "Tabs, never spaces" });
    expect(await stranger.notices()).toEqual([]);
  });

  it("[E10] reads a file back when it changes, and forgets what is removed", async () => {
    const { memory, folder } = await projectWith(
      { content: "Port 8080", name: "port", ...shared },
      { content: "Use pnpm", name: "manager", ...shared },
    );
    await memory.share();
    const [managerFile = "", portFile = ""] = filesIn(folder).toSorted();
    edit(folder, portFile, (text) => text.replace("Port 8080", "Port 9090"));
    rmSync(join(folder, ".tacit/memories", managerFile));
    const later = await reopen(memory, folder);

    expect(await later.get("port")).toMatchObject({ content: "Port 9090" });
    expect(await later.get("manager")).toBeUndefined();
    expect(await later.get("manager", { forgotten: true })).toMatchObject({ forgottenReason: "unshared" });
    expect((await later.history("port"))[0]).toMatchObject({ verb: "shared" });
  });

  it("[E10] brings back what returns with its file, as when a branch is switched", async () => {
    const { memory, folder } = await projectWith({ content: "Port 8080", name: "port", ...shared });
    await memory.share();
    const [file = ""] = filesIn(folder);
    const text = readFileSync(join(folder, ".tacit/memories", file), "utf8");
    await memory.remember({ content: "keeps the folder", name: "other", ...shared });
    await memory.share();
    rmSync(join(folder, ".tacit/memories", file));
    const without = await reopen(memory, folder);
    expect(await without.get("port")).toBeUndefined();
    writeFileSync(join(folder, ".tacit/memories", file), text);

    const back = await reopen(without, folder);

    expect(await back.get("port")).toMatchObject({ status: "active", content: "Port 8080" });
  });

  it("[E10] takes a folder that is not there for another branch, not for a removal of everything", async () => {
    const { memory, folder } = await projectWith({ content: "Port 8080", name: "port", ...shared });
    await memory.share();
    rmSync(join(folder, ".tacit"), { recursive: true });

    const later = await reopen(memory, folder);

    expect(await later.get("port")).toMatchObject({ status: "active" });
  });

  it("[E10] writes what changed here, and takes the file of a forgotten memory away", async () => {
    const { memory, folder } = await projectWith(
      { content: "Port 8080", name: "port", ...shared },
      { content: "Use pnpm", name: "manager", ...shared },
    );
    await memory.share();
    await memory.revise("port", { content: "Port 9090" });
    await memory.forget("manager");

    const report = await memory.share();

    expect(report).toMatchObject({ problems: [], written: [expect.stringContaining("port-")] });
    expect(report.removed).toEqual([expect.stringContaining("manager-")]);
    expect(filesIn(folder).map((file) => readFileSync(join(folder, ".tacit/memories", file), "utf8"))).toEqual([
      expect.stringContaining("Port 9090"),
    ]);
  });

  it("[E11] asks where a file and its memory both changed, and overwrites neither", async () => {
    const { memory, folder } = await projectWith({ content: "Port 8080", name: "port", ...shared });
    await memory.share();
    const [file = ""] = filesIn(folder);
    edit(folder, file, (text) => text.replace("8080", "7070"));
    await memory.revise("port", { content: "Port 9090" });

    const report = await memory.share();
    const kept = await memory.get("port");

    expect(report).toMatchObject({
      written: [],
      problems: [{ file: `.tacit/memories/${file}`, message: expect.stringContaining("both changed") }],
    });
    expect(kept).toMatchObject({ content: "Port 9090" });
    expect(await memory.share({ prefer: "files" })).toMatchObject({ problems: [] });
    expect(await memory.get("port")).toMatchObject({ content: "Port 7070" });
  });

  it("[E11] reports a merge conflict with its line, and leaves the memory as it was", async () => {
    const { memory, folder } = await projectWith({ content: "Port 8080", name: "port", ...shared });
    await memory.share();
    const [file = ""] = filesIn(folder);
    edit(folder, file, (text) =>
      text.replace("Port 8080", "<<<<<<< HEAD\nPort 8080\n=======\nPort 9090\n>>>>>>> theirs"),
    );
    const later = await reopen(memory, folder);

    expect(await later.get("port")).toMatchObject({ content: "Port 8080" });
    expect(await later.notices()).toEqual([
      expect.stringMatching(/\.tacit\/memories\/port-.*\.md:\d+: has a merge conflict/),
    ]);
    expect(await later.share()).toMatchObject({ written: [], removed: [], problems: [{ line: expect.any(Number) }] });
    expect(readFileSync(join(folder, ".tacit/memories", file), "utf8")).toContain("<<<<<<<");
  });

  it("[E11] one file that cannot be read hides no other", async () => {
    const { memory, folder } = await projectWith({ content: "Port 8080", name: "port", ...shared });
    await memory.share();
    writeFileSync(join(folder, ".tacit/memories/broken.md"), "---\ntype: [\n---\n\nx\n");
    writeFileSync(join(folder, ".tacit/memories/by-hand.md"), "Written by hand, without front matter\n");
    const later = await reopen(memory, folder);

    expect((await later.recall("written by hand"))[0]?.memory).toMatchObject({ visibility: "project" });
    expect(await later.notices()).toEqual([expect.stringContaining("broken.md")]);
  });

  it("[E9] follows no link out of the work tree", async () => {
    const { memory, folder } = await projectWith({ content: "Port 8080", name: "port", ...shared });
    await memory.share();
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, "secret.md"), "elsewhere on this machine\n");
    symlinkSync(join(elsewhere, "secret.md"), join(folder, ".tacit/memories/link.md"));
    const later = await reopen(memory, folder);

    expect(await later.recall("elsewhere")).toEqual([]);
    rmSync(join(folder, ".tacit"), { recursive: true });
    mkdirSync(join(folder, ".tacit"));
    symlinkSync(elsewhere, join(folder, ".tacit/memories"));
    await later.remember({ content: "never written there", ...shared });
    await expect(later.share()).rejects.toMatchObject({ code: "share-refused" });
    expect(readdirSync(elsewhere)).toEqual(["secret.md"]);
  });

  it("[E10] shares, clones and reads back the same memories", async () => {
    const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).filter((text) => /\p{L}/u.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(texts, { minLength: 1, maxLength: 5, selector: (text) => text.trim() }),
        async (contents) => {
          const { memory, folder } = await projectWith(
            ...contents.map((content, index): MemoryInput => ({
              content,
              name: `n${index}`,
              tags: [content.trim().slice(0, 20)],
              ...shared,
            })),
          );
          const report = await memory.share();
          const reader = await clone(folder);
          await reader.accept();

          const mine = await toldOf(memory);
          expect(await reader.notices()).toEqual([]);
          expect(await toldOf(reader)).toEqual(mine);
          expect(report.problems).toEqual([]);
          // What was read says the same again: nothing to write, on either side.
          expect(await reader.share()).toMatchObject({ written: [], removed: [], problems: [] });
          await memory.close();
          await reader.close();
        },
      ),
      { numRuns: 15 },
    );
  });
});

async function projectWith(...inputs: MemoryInput[]): Promise<{ memory: TacitMemory; folder: string }> {
  const folder = temporaryFolder();
  git(folder, "init", "-q");
  const memory = await openTestMemory({
    db: join(temporaryFolder(), "memory.db"),
    project: undefined,
    directory: folder,
  });
  await memory.rememberMany(inputs);
  return { memory, folder };
}

/** Somebody else's machine: another store, and a real clone. */
async function clone(folder: string): Promise<TacitMemory> {
  git(folder, "add", "-A", "-f");
  git(folder, "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "--allow-empty", "-m", "x");
  const there = join(temporaryFolder(), "clone");
  git(temporaryFolder(), "clone", "-q", folder, there);
  return openTestMemory({ db: join(temporaryFolder(), "memory.db"), project: undefined, directory: there });
}

/** A later process on the same store. */
async function reopen(memory: TacitMemory, folder: string): Promise<TacitMemory> {
  await memory.close();
  return openTestMemory({ db: memory.db, project: undefined, directory: folder });
}

async function toldOf(memory: TacitMemory) {
  const memories = await memory.list();
  return memories
    .filter(({ trustFlags }) => !trustFlags.includes("secret-redacted"))
    .map(({ id, content, type, name, tags, visibility, confidence, createdAt }) => {
      return { id, content, type, name, tags, visibility, confidence, createdAt };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function filesIn(folder: string): string[] {
  return readdirSync(join(folder, ".tacit/memories"))
    .filter((name) => name.endsWith(".md"))
    .toSorted();
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  const path = join(folder, ".tacit/memories", file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, { cwd, stdio: "ignore" });
}
