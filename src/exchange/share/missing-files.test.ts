import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { MemoryInput, TacitMemory } from "../../index.js";

const shared = { visibility: "project" } as const;

describe("a shared file that is missing", () => {
  it("[E14] is reported where no commit removes it, and its memory stays", async () => {
    const { memory, folder, files } = await sharing({ content: "Port 8080", name: "port", ...shared });
    commit(folder);
    rmSync(files[0] ?? "");

    const later = await reopen(memory, folder);
    const report = await later.exchange.share();

    expect(await later.get("port")).toMatchObject({ status: "active" });
    expect(await later.store.notices()).toEqual([
      expect.stringMatching(/port-.*\.md: the file is missing.*--missing restore/),
    ]);
    expect(report).toMatchObject({ written: [], removed: [], read: { forgotten: [] } });
    expect(report.missing).toEqual([
      { file: expect.stringContaining(".tacit/memories/port-"), id: (await later.get("port"))?.id },
    ]);
    expect(report.problems).toHaveLength(1);
    expect(filesIn(folder)).toEqual([]);
  });

  it("[E14] was perhaps never committed, or there is no repository at all: it is asked about all the same", async () => {
    const { memory, folder, files } = await sharing({ content: "Port 8080", name: "port", ...shared });
    rmSync(files[0] ?? "");
    const uncommitted = await memory.exchange.share();
    rmSync(join(folder, ".git"), { recursive: true });
    const later = await reopen(memory, folder);

    expect(uncommitted).toMatchObject({ read: { forgotten: [] }, missing: [{}] });
    expect(await later.get("port")).toMatchObject({ status: "active" });
  });

  it("[E14] is written again or forgotten when somebody says so, and only what is named", async () => {
    const { memory, folder, files } = await sharing(
      { content: "Port 8080", name: "port", ...shared },
      { content: "Use pnpm", name: "manager", ...shared },
    );
    const before = files.map((file) => readFileSync(file, "utf8"));
    for (const file of files) rmSync(file);

    const one = await memory.exchange.share({ references: ["port"], missing: "forget" });
    const ahead = await memory.exchange.share({ missing: "restore", dryRun: true });
    const rest = await memory.exchange.share({ missing: "restore" });

    expect(one).toMatchObject({ read: { forgotten: [expect.stringContaining("port-")] }, missing: [{}] });
    expect(await memory.get("port", { forgotten: true })).toMatchObject({ forgottenReason: "unshared" });
    expect(ahead).toMatchObject({ written: [expect.stringContaining("manager-")], missing: [] });
    expect(rest).toMatchObject({ written: [expect.stringContaining("manager-")], missing: [], problems: [] });
    expect(filesIn(folder).map((file) => readFileSync(file, "utf8"))).toEqual([before[0]]);
    expect(await memory.get("manager")).toMatchObject({ status: "active" });
  });

  it("[E14] is forgotten as soon as a commit removes it, also by a process that has reported it before", async () => {
    const { memory, folder, files } = await sharing({ content: "Port 8080", name: "port", ...shared });
    commit(folder);
    rmSync(files[0] ?? "");
    const before = await reopen(memory, folder);
    expect(await before.store.notices()).toHaveLength(1);
    commit(folder);

    const after = await reopen(before, folder);
    await after.exchange.share();

    expect(await after.get("port")).toBeUndefined();
    expect(await after.store.notices()).toEqual([]);
    expect(await after.exchange.share()).toMatchObject({ missing: [], problems: [] });
  });

  it("[E14] that another branch has is left alone, without a word", async () => {
    const { memory, folder } = await sharing();
    commit(folder);
    git(folder, "branch", "without");
    await memory.remember({ content: "Port 8080", name: "port", ...shared });
    await memory.exchange.share();
    commit(folder);
    git(folder, "checkout", "-q", "without");

    const there = await reopen(memory, folder);

    expect(await there.get("port")).toMatchObject({ status: "active" });
    expect(await there.store.notices()).toEqual([]);
    expect(await there.exchange.share()).toMatchObject({ written: [], missing: [], problems: [] });
  });

  it("[E14] and was shared again after a commit had removed it is not taken for removed", async () => {
    const { memory, folder, files } = await sharing({ content: "Port 8080", name: "port", ...shared });
    commit(folder);
    rmSync(files[0] ?? "");
    commitAt(folder, "2001-01-01T00:00:00Z");
    await memory.exchange.share({ missing: "restore" });
    expect(filesIn(folder)).toHaveLength(1);
    rmSync(files[0] ?? "");

    const later = await reopen(memory, folder);

    expect(await later.get("port")).toMatchObject({ status: "active" });
    expect(await later.store.notices()).toHaveLength(1);
  });

  it("[E14] takes no memory along that was changed since, unless that is said", async () => {
    const { memory, folder, files } = await sharing(
      { content: "Port 8080", name: "port", ...shared },
      { content: "Use pnpm", name: "manager", ...shared },
    );
    commit(folder);
    for (const file of files) rmSync(file);
    await memory.revise("manager", { content: "Use pnpm 9" });

    const report = await memory.exchange.share({ missing: "forget" });

    expect(report.read.forgotten).toEqual([expect.stringContaining("port-")]);
    expect(report.problems).toHaveLength(1);
    expect(await memory.get("manager")).toMatchObject({ content: "Use pnpm 9", status: "active" });
  });

  it("[E14] makes one notice with others, however many", async () => {
    const inputs = Array.from({ length: 9 }, (_, n): MemoryInput => ({
      content: `Rule ${n}`,
      name: `rule-${n}`,
      ...shared,
    }));
    const { memory, folder, files } = await sharing(...inputs);
    for (const file of files) rmSync(file);

    const later = await reopen(memory, folder);

    expect(await later.store.notices()).toEqual([expect.stringMatching(/9 files are missing.*rule-0-.*and 4 more/)]);
    expect(await later.list()).toHaveLength(9);
  });
});

describe("a shared file that a power cut damaged", () => {
  const long = `Retries must be idempotent. ${"The queue delivers at least once. ".repeat(300)}`;
  it("[E15] is not overwritten where somebody edited it, though it holds a byte of zero", async () => {
    const { memory, folder, files } = await sharing({ content: "Port 8080", name: "port", ...shared });
    const [file = ""] = files;
    const edited = readFileSync(file, "utf8").replace("Port 8080", "Port 9090 \0 as of today");
    writeFileSync(file, edited);

    const report = await (await reopen(memory, folder)).exchange.share();

    expect(report.repaired).toEqual([]);
    expect(report.problems).toHaveLength(1);
    expect(readFileSync(file, "utf8")).toBe(edited);
  });

  it.each<[string, (file: string) => void]>([
    ["empty", (file) => truncateSync(file, 0)],
    ["empty, and committed so", commitEmpty],
    ["zeroed", (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length))],
    ["zeroed from its second sector", (file) => writeFileSync(file, readFileSync(file).fill(0, 512))],
    ["cut within its front matter", (file) => truncateSync(file, 30)],
    ["cut at a block", (file) => truncateSync(file, 4096)],
  ])("[E15] is written again from the store: %s", async (_, damage) => {
    const { memory, folder, files } = await sharing({ content: long, name: "retries", ...shared });
    const [file = ""] = files;
    const whole = readFileSync(file, "utf8");
    damage(file);

    const later = await reopen(memory, folder);
    const kept = await later.get("retries");
    const ahead = await later.exchange.share({ dryRun: true });
    const report = await later.exchange.share();

    expect(kept).toMatchObject({ content: long });
    expect(ahead).toMatchObject({ repaired: [expect.stringContaining("retries-")], problems: [] });
    expect(report).toMatchObject({ repaired: [expect.stringContaining("retries-")], written: [], problems: [] });
    expect(readFileSync(file, "utf8")).toBe(whole);
    expect(await later.exchange.share()).toMatchObject({ repaired: [], unchanged: 1, problems: [] });
  });

  it("[E15] is told of before anybody shares", async () => {
    const { memory, folder, files } = await sharing({ content: "Port 8080", name: "port", ...shared });
    truncateSync(files[0] ?? "", 0);

    const later = await reopen(memory, folder);

    expect(await later.store.notices()).toEqual([
      expect.stringMatching(/port-.*is damaged.*tacit share writes it again/),
    ]);
  });

  it("[E15] is left to git, which has a version that was never read here", async () => {
    const { memory, folder, files } = await sharing({ content: "Port 8080", name: "port", ...shared });
    const [file = ""] = files;
    commit(folder);
    writeFileSync(file, readFileSync(file, "utf8").replace("8080", "9090"));
    commit(folder);
    truncateSync(file, 0);

    const report = await memory.exchange.share();

    expect(report).toMatchObject({
      repaired: [],
      problems: [{ hint: expect.stringContaining("git checkout HEAD --") }],
    });
    expect(readFileSync(file, "utf8")).toBe("");
  });

  it("[E15] is no file that a person shortened or saved in another encoding, nor one that stands for no memory", async () => {
    const { memory, folder, files } = await sharing(
      { content: "First line.\n\nSecond line.", name: "two", ...shared },
      { content: "Port 8080", name: "wide", ...shared },
    );
    const [two = "", wide = ""] = files;
    writeFileSync(two, readFileSync(two, "utf8").replace("\n\nSecond line.\n", "\n"));
    const utf16 = Buffer.from(`\uFEFF${readFileSync(wide, "utf8")}`, "utf16le");
    writeFileSync(wide, utf16);
    mkdirSync(join(folder, ".tacit/memories"), { recursive: true });
    writeFileSync(join(folder, ".tacit/memories/theirs.md"), "");
    commit(folder);

    const report = await memory.exchange.share();

    expect(report.repaired).toEqual([]);
    expect(await memory.get("two")).toMatchObject({ content: "First line." });
    expect(readFileSync(wide)).toEqual(utf16);
    expect(report.problems.map(({ file }) => file)).toEqual([
      ".tacit/memories/theirs.md",
      expect.stringContaining(".tacit/memories/wide-"),
    ]);
  });
});

/** A project that shares these, with the paths of their files. */
async function sharing(...inputs: MemoryInput[]): Promise<{ memory: TacitMemory; folder: string; files: string[] }> {
  const folder = temporaryFolder();
  git(folder, "init", "-q");
  git(folder, "config", "user.email", "t@localhost");
  const memory = await openTestMemory({
    db: join(temporaryFolder(), "memory.db"),
    project: undefined,
    directory: folder,
  });
  const first: MemoryInput[] = [{ content: "keeps the folder", name: "a-keeper", ...shared }];
  await memory.rememberMany(inputs.length > 0 ? inputs : first);
  await memory.exchange.share();
  return { memory, folder, files: filesIn(folder) };
}

/** A later process on the same store. */
async function reopen(memory: TacitMemory, folder: string): Promise<TacitMemory> {
  await memory.close();
  return openTestMemory({ db: memory.db, project: undefined, directory: folder });
}

function filesIn(folder: string): string[] {
  const shelf = join(folder, ".tacit/memories");
  return readdirSync(shelf)
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => join(shelf, name));
}

function commit(folder: string): void {
  git(folder, "add", "-A", "-f");
  git(folder, "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "--allow-empty", "-m", "x");
}

function commitEmpty(file: string): void {
  truncateSync(file, 0);
  commit(dirname(file));
}

function commitAt(folder: string, date: string): void {
  git(folder, "add", "-A", "-f");
  const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  const who = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
  execFileSync("git", [...who, "commit", "-q", "-m", "x"], { cwd: folder, stdio: "ignore", env });
}

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, { cwd, stdio: "ignore" });
}
