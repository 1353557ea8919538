import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { trapIn } from "../../../test/support/git-trap.js";
import { sampleRecord } from "../../../test/support/sample-record.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Memory } from "../../memory/memory.js";
import { lookUpFiles, openFileChanges, type FileChanges } from "./file-changes.js";

const now = new Date("2026-11-15T12:00:00.000Z");

afterEach(() => vi.unstubAllEnvs());

describe("changes since a commit", () => {
  it("are counted by commit for each file, 0 included, and for a folder by its files", async () => {
    const root = repository();
    const first = commit(root, { "src/a.ts": "1", "src/b.ts": "1", "docs/c.md": "1" });
    commit(root, { "src/a.ts": "2" });
    commit(root, { "src/a.ts": "3", "src/b.ts": "3" });

    const files = ["src/a.ts", "./src/b.ts", join(root, "docs/c.md"), "src", "src/never.ts"];

    expect(Object.fromEntries(await open(root).changesSince(first, files))).toEqual({
      "src/a.ts": 2,
      "./src/b.ts": 1,
      [join(root, "docs/c.md")]: 0,
      src: 2,
      "src/never.ts": 0,
    });
    expect(await open(root).changesSince(first.slice(0, 10), ["src/a.ts"])).toEqual(new Map([["src/a.ts", 2]]));
  });

  it("are those of the file itself, whatever its name", async () => {
    const root = repository();
    const names = [
      "--output=x",
      "*.ts",
      ":(top)b",
      "naïve ü.ts",
      'quo"te.ts',
      "line\nbreak.ts",
      "\nfirst",
      "back\\slash",
    ];
    const first = commit(root, { "x.ts": "1" });
    commit(root, { "x.ts": "2", ...Object.fromEntries(names.map((name) => [name, "1"])) });
    commit(root, { "x.ts": "3" });

    const changes = await open(root).changesSince(first, names);

    expect(changes).toEqual(new Map(names.map((name) => [name, 1])));
    expect(existsSync(join(root, "x"))).toBe(false);
  });

  it("are asked for again when HEAD has moved, and not before", async () => {
    const root = repository();
    const first = commit(root, { "a.ts": "1", "b.ts": "1" });
    commit(root, { "a.ts": "2" });
    const asked = countingGit();
    const files = open(root);

    const before = [await files.changesSince(first, ["a.ts"]), await files.changesSince(first, ["a.ts"])];
    const startsBefore = asked();
    commit(root, { "a.ts": "3" });
    const startsByTest = asked();
    const after = await files.changesSince(first, ["a.ts"]);

    expect(before.map((changes) => changes.get("a.ts"))).toEqual([1, 1]);
    expect(startsBefore).toBe(1);
    expect(after.get("a.ts")).toBe(2);
    expect(asked()).toBe(startsByTest + 1);
  });
});

describe("churn", () => {
  it("counts the commits of the last 90 days", async () => {
    const root = repository();
    commit(root, { "a.ts": "1", "b.ts": "1" }, "2026-01-01T00:00:00Z");
    commit(root, { "a.ts": "2", "b.ts": "2" }, "2026-08-01T00:00:00Z");
    commit(root, { "a.ts": "3" }, "2026-09-01T00:00:00Z");
    commit(root, { "a.ts": "4" }, "2026-11-01T00:00:00Z");
    const asked = countingGit();
    const files = open(root);

    expect(await files.churn(["a.ts", "b.ts"])).toEqual(
      new Map([
        ["a.ts", 2],
        ["b.ts", 0],
      ]),
    );
    expect(await files.churn(["c.ts"])).toEqual(new Map([["c.ts", 0]]));
    expect(asked()).toBe(1);
  });

  it("does not take the first commit of a shallow clone for a change of every file", async () => {
    const source = repository();
    commit(source, { "a.ts": "1", "b.ts": "1" });
    commit(source, { "a.ts": "2" });
    const clone = join(temporaryFolder(), "clone");
    git(dirname(clone), "clone", "--quiet", "--depth=1", pathToFileURL(source).href, clone);

    expect(await open(clone).churn(["a.ts", "b.ts"])).toEqual(
      new Map([
        ["a.ts", 0],
        ["b.ts", 0],
      ]),
    );
  });
});

describe("nothing is known", () => {
  it("without git, without a repository and before the first commit", async () => {
    const empty = repository();
    const root = repository();
    const first = commit(root, { "a.ts": "1" });
    const questions = [open(temporaryFolder()), open(join(root, "not-there")), open(empty)];

    for (const files of questions) {
      expect(await files.changesSince(first, ["a.ts"])).toEqual(new Map());
      expect(await files.churn(["a.ts"])).toEqual(new Map());
    }
    vi.stubEnv("PATH", temporaryFolder());
    expect(await open(root).changesSince(first, ["a.ts"])).toEqual(new Map());
    expect(await open(root).churn(["a.ts"])).toEqual(new Map());
  });

  it("of a commit that is not there, lies beyond a shallow clone, or is no commit", async () => {
    const source = repository();
    const first = commit(source, { "a.ts": "1" });
    commit(source, { "a.ts": "2" });
    const clone = join(temporaryFolder(), "clone");
    git(dirname(clone), "clone", "--quiet", "--depth=1", pathToFileURL(source).href, clone);
    const tree = git(source, "rev-parse", `${first}^{tree}`);

    for (const [root, since] of [
      [source, "0".repeat(40)],
      [clone, first],
      [source, tree],
      [source, "HEAD~1"],
      [source, "--output=x"],
      [source, `${first}~0`],
      [source, ""],
    ] as const) {
      expect(await open(root).changesSince(since, ["a.ts"]), since).toEqual(new Map());
    }
  });

  it("of what lies outside the root, and of a path that no system takes", async () => {
    const root = repository();
    const first = commit(root, { "a.ts": "1" });
    const outside = ["../secret", "/etc/passwd", "a/../../b", ".", ""];

    for (const files of [outside, ["nul\0.ts"], ["x".repeat(3_000_000)]]) {
      expect(await open(root).changesSince(first, files)).toEqual(new Map());
      expect([...(await open(root).modifiedAt(files)).keys()]).toEqual([]);
    }
    expect(await open(root).churn(outside)).toEqual(new Map());
  });

  it("after closing", async () => {
    const root = repository();
    const first = commit(root, { "a.ts": "1" });
    const files = open(root);

    files.close();

    expect(await files.changesSince(first, ["a.ts"])).toEqual(new Map());
  });
});

describe("a git that hangs", () => {
  it("is ended after the deadline, and not asked again until HEAD moves", async () => {
    const root = repository();
    const first = commit(root, { "a.ts": "1" });
    const second = commit(root, { "a.ts": "2" });
    const files = open(root, 300);
    const { starts, pids, mend } = hangingGit();

    const answers = await Promise.all([files.changesSince(first, ["a.ts"]), files.changesSince(second, ["a.ts"])]);
    const [pid] = pids();
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
    const again = await files.churn(["a.ts"]);

    expect([...answers, again]).toEqual([new Map(), new Map(), new Map()]);
    expect(starts()).toBe(1);
    mend();
    commit(root, { "a.ts": "3" });
    expect(await open(root).changesSince(first, ["a.ts"])).toEqual(new Map([["a.ts", 2]]));
    expect(await files.changesSince(second, ["a.ts"])).toEqual(new Map([["a.ts", 1]]));
  });

  it("is ended by closing", async () => {
    const root = repository();
    const first = commit(root, { "a.ts": "1" });
    const files = open(root, 60_000);
    const { pids } = hangingGit();

    const answer = files.changesSince(first, ["a.ts"]);
    await vi.waitFor(() => expect(pids()).toHaveLength(1));
    files.close();

    expect(await answer).toEqual(new Map());
    await vi.waitFor(() => expect(isRunning(pids()[0])).toBe(false));
  });
});

describe("a repository of a stranger", () => {
  it("fetches nothing that a partial clone lacks", async () => {
    const root = repository();
    const first = commit(root, { "src/a.ts": "1" });
    commit(root, { "src/a.ts": "2" });
    const trap = trapIn(root);
    const missing = git(root, "rev-parse", "HEAD:src");
    rmSync(join(root, ".git/objects", missing.slice(0, 2), missing.slice(2)));
    git(root, "config", "core.repositoryFormatVersion", "1");
    git(root, "config", "extensions.partialClone", "origin");
    git(root, "config", "remote.origin.promisor", "true");
    git(root, "config", "remote.origin.url", `ext::${trap.program}`);
    git(root, "config", "protocol.ext.allow", "always");

    expect(await open(root).changesSince(first, ["src/a.ts"])).toEqual(new Map());
    expect(trap.wasSprung()).toBe(false);
    expect(() => git(root, "log", "--name-only", "-1", "--format=")).toThrow("failed");
    expect(trap.wasSprung()).toBe(true);
  });

  it("does not answer for another one: not the one around a broken .git, nor a bare one that poses as the root", async () => {
    const outer = repository();
    const first = commit(outer, { "a.ts": "1", "broken/a.ts": "1" });
    commit(outer, { "a.ts": "2", "broken/a.ts": "2" });
    const bare = join(temporaryFolder(), "bare");
    git(outer, "clone", "--quiet", "--bare", outer, bare);
    for (const root of [join(outer, "broken"), bare]) {
      mkdirSync(join(root, ".git"));
      writeFileSync(join(root, ".git", "HEAD"), first);

      expect(await open(root).changesSince(first, ["a.ts"])).toEqual(new Map());
    }
  });

  it("is not asked through variables that point elsewhere", async () => {
    const root = repository();
    const other = repository();
    const first = commit(root, { "a.ts": "1" });
    commit(root, { "a.ts": "2" });
    vi.stubEnv("GIT_DIR", join(other, ".git"));
    vi.stubEnv("GIT_TRACE", join(root, "trace"));

    expect(await open(root).changesSince(first, ["a.ts"])).toEqual(new Map([["a.ts", 1]]));
    expect(existsSync(join(root, "trace"))).toBe(false);
  });
});

describe("times of files", () => {
  it("are told for files, and that one is gone", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src/a.ts"), "1");
    utimesSync(join(root, "src/a.ts"), now, now);

    expect(await open(root).modifiedAt(["src/a.ts", "src", "src/b.ts", "src/a.ts/c", "../x"])).toEqual(
      new Map<string, Date | "gone">([
        ["src/a.ts", now],
        ["src/b.ts", "gone"],
        ["src/a.ts/c", "gone"],
      ]),
    );
    expect(await open(join(root, "not-there")).modifiedAt(["a.ts"])).toEqual(new Map());
  });
});

describe("looking up the files of memories", () => {
  it("asks git once for each commit, and gives every memory what is known", async () => {
    const root = repository();
    const first = commit(root, { "a.ts": "1", "b.ts": "1" });
    const second = commit(root, { "a.ts": "2" });
    commit(root, { "a.ts": "3", "b.ts": "3" });
    const asked = countingGit();

    const known = await lookUpFiles(open(root), [
      memory("1", { commit: first, relatedFiles: ["a.ts"] }),
      memory("2", { commit: first, relatedFiles: ["b.ts", "gone.ts"] }),
      memory("3", { commit: second, relatedFiles: ["a.ts"] }),
      memory("4", { relatedFiles: ["a.ts"] }),
    ]);

    expect(known.get("1")?.changes.get("a.ts")).toBe(2);
    expect(known.get("2")?.changes.get("b.ts")).toBe(1);
    expect(known.get("2")?.modifiedAt.get("gone.ts")).toBe("gone");
    expect(known.get("3")?.changes.get("a.ts")).toBe(1);
    expect(known.get("4")?.changes).toEqual(new Map());
    expect(known.get("4")?.modifiedAt.get("a.ts")).toBeInstanceOf(Date);
    expect(asked()).toBe(2);
  });
});

function open(root: string, timeoutMs = 20_000): FileChanges {
  const files = openFileChanges(root, { timeoutMs, now: () => now });
  onTestFinished(() => files.close());
  return files;
}

function memory(id: string, fields: Partial<Memory>): Memory {
  return { ...sampleRecord({ id, ...fields }), project: "test", status: "active", currentConfidence: 0.8 };
}

function repository(): string {
  const root = temporaryFolder();
  git(root, "-c", "init.defaultBranch=main", "init", "--quiet");
  return root;
}

/** Commits these files and gives the hash. */
function commit(root: string, files: Record<string, string>, at = "2026-11-10T00:00:00Z"): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  git(root, "add", "--all");
  gitWith({ GIT_COMMITTER_DATE: at }, root, ["commit", "--quiet", "--message", "a change"]);
  return git(root, "rev-parse", "HEAD");
}

function git(folder: string, ...args: string[]): string {
  return gitWith({}, folder, args);
}

function gitWith(variables: Record<string, string>, cwd: string, args: string[]): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const own = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1", ...variables };
  const env = { ...Object.fromEntries(inherited), ...own };
  const person = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  return execFileSync("git", [...person, ...args], { cwd, env, encoding: "utf8", stdio: "pipe" }).trim();
}

/** Puts a commit with a signature in the place of the newest one: git has signatures checked by the program it is told. */
/** Tells how often git was started from now on. */
function countingGit(): () => number {
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  return fakeGit((log) => `echo $$ >> '${log}'\nexec '${real}' "$@"`).starts;
}

function hangingGit(): { starts: () => number; pids: () => number[]; mend: () => void } {
  const path = process.env["PATH"];
  const { starts, pids } = fakeGit((log) => `echo $$ >> '${log}'\nexec sleep 600`);
  return { starts, pids, mend: () => vi.stubEnv("PATH", path) };
}

function fakeGit(script: (log: string) => string): { starts: () => number; pids: () => number[] } {
  const folder = temporaryFolder();
  const log = join(folder, "log");
  writeScript(join(folder, "git"), script(log));
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
  const pids = (): number[] => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(Number) : []);
  return { starts: () => pids().length, pids };
}

function writeScript(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}
