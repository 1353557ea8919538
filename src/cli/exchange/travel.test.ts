/** Memories in and out on the command line: import, export, share. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runTacit, type TacitRun } from "../../../test/support/run-tacit.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tacit-travel-"));
  mkdirSync(join(folder, "project"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("export and import", () => {
  it("carry everything to another store, to the byte, through a file or a pipe", async () => {
    await tacit("remember", "We deploy on Tuesdays", "--name", "deploy", "--tag", "ci");
    await tacit("edit", "deploy", "We deploy on Wednesdays");
    await tacit("remember", "gone");
    await tacit("forget", "--query", "gone", "--yes");

    const wrote = await tacit("export", "--output", "../all.jsonl");
    const piped = (await tacit("export")).stdout;
    const took = await tacit("import", "../all.jsonl", "--trust", "--db", "../other.db");
    const again = await tacit("import", "../all.jsonl", "--trust", "--db", "../other.db", "--json");
    const there = (await tacit("export", "--db", "../other.db")).stdout;

    expect(wrote.stdout).toMatch(/^Wrote 2 memories to .*all\.jsonl\n$/);
    expect(piped).toBe(readFileSync(join(folder, "all.jsonl"), "utf8"));
    expect(took).toMatchObject({ code: 0, stdout: "From 1 file (jsonl): 2 new.\n" });
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, unchanged: 2, dryRun: false });
    expect(there).toBe(piped);
    expect(await tacitWithInput(piped, "import", "-", "--trust", "--db", "../third.db")).toMatchObject({
      code: 0,
      stdout: "From 1 file (jsonl): 2 new.\n",
    });
  });

  it("tell the line of the first error, as text and as JSON", async () => {
    writeFileSync(join(folder, "project", "bad.jsonl"), '{"content":"fine"}\n{"content":5}\n');

    const text = await tacit("import", "bad.jsonl");
    const json = await tacit("import", "bad.jsonl", "--json");

    expect(text).toMatchObject({ code: 1, stdout: "" });
    expect(text.stderr).toContain("bad.jsonl:2");
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: "import-refused", hint: expect.any(String) });
    expect(JSON.parse((await tacit("list", "--json")).stdout).memories).toEqual([]);
  });

  it("tell what was merged, and what had to go to stay within maxEntries", async () => {
    await tacit("config", "set", "maxEntries", "2", "--local");
    await tacit("remember", "first", "--tag", "a");
    writeFileSync(
      join(folder, "more.jsonl"),
      '{"content":"first","tags":["b"]}\n{"content":"second"}\n{"content":"third"}\n',
    );

    const { stdout } = await tacit("import", "../more.jsonl");

    expect(stdout).toMatch(
      /^From 1 file \(jsonl\): 2 new, 1 merged with the same text here\.\nForgot 1 memory to stay within maxEntries: \w{8} \(first\); tacit restore \w{8} brings it back\.\n$/,
    );
  });

  it("write a section for CLAUDE.md, and an archive", async () => {
    await tacit("remember", "Use pnpm", "--type", "convention");

    await tacit("export", "--format", "claude-md", "--output", "CLAUDE.md");
    await tacit("export", "--archive", "--output", "../archive");

    expect(readFileSync(join(folder, "project", "CLAUDE.md"), "utf8")).toContain("- Use pnpm");
    expect(readdirSync(join(folder, "archive")).toSorted()).toEqual([
      "README.md",
      "memories",
      "memories.jsonl",
      "memory.db",
    ]);
  });

  it.each([
    [["export", "--format", "md"], /needs --output/],
    [["export", "--json"], /needs --output/],
    [["export", "--archive"], /--archive/],
    [["export", "--limit", "3"], /--limit/],
    [["export", "--format", "xml"], /xml/],
    [["import"], /path/],
  ])("refuse %j as wrong usage", async (args, message) => {
    const run = await tacit(...args);

    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(message);
  });
});

describe("share", () => {
  it("says of --trust that the remote's default branch decides, not who merged", async () => {
    const { stdout } = await tacit("share", "--help");

    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "while the remote's default branch has it, whoever merged or pushed",
    );
    expect(stdout).not.toContain("others merged");
  });

  it("carries a memory to a colleague, who accepts the project once", async () => {
    git("project", "init", "-q");
    await tacit("remember", "Tabs, never spaces", "--name", "tabs");
    const shared = await tacit("share", "tabs");
    git("project", "add", "-A");
    git("project", "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "-m", "x");
    git(".", "clone", "-q", "project", "clone");

    const silent = await tacitIn("clone", "colleague", "recall", "tabs");
    const review = await tacitIn("clone", "colleague", "review");
    const accepted = await tacitIn("clone", "colleague", "project", "accept");
    const speaking = await tacitIn("clone", "colleague", "recall", "tabs");

    expect(shared.stdout).toContain("Wrote 1 file: tabs-");
    expect(silent.stdout).toContain("1 memory that came with this folder is pending");
    expect(silent.stdout).not.toContain("never spaces");
    expect(review.stdout).toMatch(
      /^Nothing waits for a review\.\n\n1 memory that came with this folder is pending.*\n$/,
    );
    expect(review.stdout).toContain("tacit project accept");
    expect(accepted.stdout).toContain("now active are 1 shared memory and what its own files say");
    expect(speaking.stdout).toContain("Tabs, never spaces");
  });

  it("exits with 1 and names the file and line of a merge conflict", async () => {
    git("project", "init", "-q");
    await tacit("remember", "Tabs, never spaces", "--name", "tabs");
    await tacit("share", "tabs");
    const file = readdirSync(join(folder, "project/.tacit/memories")).find((name) => name.endsWith(".md")) ?? "";
    const path = join(folder, "project/.tacit/memories", file);
    writeFileSync(path, `${readFileSync(path, "utf8")}<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n`);

    const run = await tacit("share");
    const json = await tacit("share", "--json");

    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(new RegExp(`${file}:\\d+: has a merge conflict`));
    expect(JSON.parse(json.stdout)).toMatchObject({ problems: [{ file: `.tacit/memories/${file}` }] });
    expect((await tacit("doctor")).stdout).toContain("has a merge conflict");
  });

  it("[E14] exits with 1 and keeps the memory where a file is missing, until somebody says what becomes of it", async () => {
    git("project", "init", "-q");
    await tacit("remember", "Tabs, never spaces", "--name", "tabs");
    await tacit("share", "tabs");
    const shelf = join(folder, "project/.tacit/memories");
    const file = readdirSync(shelf).find((name) => name.endsWith(".md")) ?? "";
    rmSync(join(shelf, file));

    const asked = await tacit("share");
    const kept = await tacit("recall", "tabs");
    const restored = await tacit("share", "--missing", "restore");
    rmSync(join(shelf, file));
    const forgotten = await tacit("share", "--missing", "forget");

    expect(asked.code).toBe(1);
    expect(asked.stdout).toContain(`${file}: the file is missing, and no commit since its last change removes it`);
    expect(kept.stdout).toContain("Tabs, never spaces");
    expect(restored.stdout).toContain(`Wrote 1 file: ${file}`);
    expect(forgotten).toMatchObject({ code: 0, stdout: expect.stringContaining("Forgot what is gone with 1 file") });
  });

  it("[E15] says which damaged file it repaired", async () => {
    git("project", "init", "-q");
    await tacit("remember", "Tabs, never spaces", "--name", "tabs");
    await tacit("share", "tabs");
    const shelf = join(folder, "project/.tacit/memories");
    const file = readdirSync(shelf).find((name) => name.endsWith(".md")) ?? "";
    writeFileSync(join(shelf, file), "");

    const run = await tacit("share");

    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining(`Repaired 1 file: ${file}`) });
    expect(readFileSync(join(shelf, file), "utf8")).toContain("Tabs, never spaces");
  });

  it("only tells what it would do with --dry-run", async () => {
    git("project", "init", "-q");
    await tacit("remember", "Tabs, never spaces", "--visibility", "project");

    expect((await tacit("share", "--dry-run")).stdout).toContain("Nothing is done yet");
    expect(existsSync(join(folder, "project", ".tacit"))).toBe(false);
  });
});

async function tacit(...args: string[]): Promise<TacitRun> {
  return tacitIn("project", "home", ...args);
}

function tacitIn(cwd: string, home: string, ...args: string[]): Promise<TacitRun> {
  return runTacit(args, { cwd: join(folder, cwd), env: { TACIT_HOME: join(folder, home) } });
}

function tacitWithInput(input: string, ...args: string[]): Promise<TacitRun> {
  return runTacit(args, { cwd: join(folder, "project"), env: { TACIT_HOME: join(folder, "home") }, input });
}

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: join(folder, cwd), stdio: "ignore" });
}
