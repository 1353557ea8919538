import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { commitFiles, git, gitRepository } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { countCompanions, type CompanionCount } from "./count-companions.js";

afterEach(() => vi.unstubAllEnvs());

describe("files that change together", () => {
  it("are counted by commit, each from its own side, from three commits and 30 % on", async () => {
    const root = gitRepository();
    commitFiles(root, { "first.ts": "" });
    change(root, ["a.ts", "b.ts"], 3);
    change(root, ["a.ts"], 1);
    change(root, ["b.ts"], 9);
    change(root, ["c.ts", "d.ts"], 2);
    const head = git(root, "rev-parse", "HEAD");

    expect(await count(root)).toEqual({
      commit: head,
      commits: 15,
      companions: [{ path: "a.ts", companion: "b.ts", support: 3, confidence: 0.75 }],
    });
  });

  it("are at most twenty for a file, the surest first", async () => {
    const root = gitRepository();
    commitFiles(root, { "first.ts": "" });
    const others = Array.from({ length: 24 }, (_, at) => `b${String(at).padStart(2, "0")}.ts`);
    change(root, ["a.ts", ...others], 3);
    change(root, ["a.ts", "b23.ts"], 1);

    const found = (await count(root))?.companions.filter(({ path }) => path === "a.ts");

    expect(found).toHaveLength(20);
    expect(found?.[0]).toEqual({ path: "a.ts", companion: "b23.ts", support: 4, confidence: 1 });
    expect(found?.[1]).toMatchObject({ companion: "b00.ts", confidence: 0.75 });
  });

  it("are not those of a mass change, of a merge, of the first commit, nor those that are gone", async () => {
    const root = gitRepository();
    const many = Array.from({ length: 26 }, (_, at) => `m${at}.ts`);
    commitFiles(root, { "a.ts": "", "b.ts": "" });
    change(root, many, 3);
    change(root, ["a.ts", "gone.ts"], 3);
    rmSync(join(root, "gone.ts"));
    change(root, ["a.ts"], 1);
    for (let time = 0; time < 3; time++) mergeChanging(root, ["a.ts", "b.ts"]);

    expect(await count(root)).toMatchObject({ companions: [] });
  });

  it("keep their history when they are renamed, twice even and while they change", async () => {
    const root = gitRepository();
    commitFiles(root, { "first.ts": "" });
    change(root, ["old.ts", "b.ts"], 2);
    move(root, "old.ts", "middle.ts");
    change(root, ["b.ts"], 1, { "middle.ts": `${body("old.ts")}// more\n` });
    move(root, "middle.ts", "src/new.ts");
    change(root, ["b.ts"], 1, { "src/new.ts": `${body("old.ts")}// even more\n` });

    expect((await count(root))?.companions).toEqual([
      { path: "b.ts", companion: "src/new.ts", support: 4, confidence: 1 },
      { path: "src/new.ts", companion: "b.ts", support: 4, confidence: 1 },
    ]);
  });

  it("have any name", async () => {
    const root = gitRepository();
    commitFiles(root, { "first.ts": "" });
    const [odd, hash] = ["\nM\nline", "0".repeat(40)];
    change(root, [odd, hash, "R100"], 3);

    const pairs = (await count(root))?.companions.map(({ path, companion }) => [path, companion]);

    expect(pairs).toEqual(
      [odd, hash, "R100"].toSorted().flatMap((path, _, all) => all.filter((o) => o !== path).map((o) => [path, o])),
    );
  });

  it("are not counted again while HEAD is where it was", async () => {
    const root = gitRepository();
    const first = commitFiles(root, { "a.ts": "" });
    expect(await countCompanions(root, { since: first, timeoutMs: 20_000 })).toBeUndefined();

    const second = commitFiles(root, { "a.ts": "1" });

    expect(await countCompanions(root, { since: first, timeoutMs: 20_000 })).toMatchObject({ commit: second });
  });
});

describe("where little or nothing can be known", () => {
  it("says so: no repository, no commit, no git, an aborted signal", async () => {
    const root = gitRepository();

    expect(await count(root)).toBeUndefined();
    expect(await count(temporaryFolder())).toBeUndefined();
    expect(await count(join(root, "gone"))).toBeUndefined();
    commitFiles(root, { "a.ts": "1" });
    expect(await count(root)).toMatchObject({ commits: 0, companions: [] });
    expect(await countCompanions(root, { timeoutMs: 20_000, signal: AbortSignal.abort() })).toBeUndefined();
    vi.stubEnv("PATH", temporaryFolder());
    expect(await count(root)).toBeUndefined();
  });

  it("does not take the first commit of a shallow clone for a change of every file", async () => {
    const source = gitRepository();
    commitFiles(source, { "first.ts": "" });
    change(source, ["a.ts", "b.ts"], 5);
    const clone = join(temporaryFolder(), "clone");
    git(dirname(clone), "clone", "--quiet", "--depth=4", pathToFileURL(source).href, clone);

    expect(await count(clone)).toMatchObject({ commits: 3, companions: [{ support: 3 }, { support: 3 }] });
  });

  it("takes equal content for a rename where a file that would be compared is missing", async () => {
    const root = gitRepository();
    commitFiles(root, { "first.ts": body("first") });
    change(root, ["old.ts", "b.ts"], 2);
    move(root, "old.ts", "new.ts");
    change(root, ["b.ts"], 1);
    rmSync(join(root, "first.ts"));
    commitFiles(root, { "c.ts": body("c") });
    const missing = git(root, "rev-parse", "HEAD:c.ts");
    rmSync(join(root, ".git/objects", missing.slice(0, 2), missing.slice(2)), { force: true });
    expect(() => git(root, "log", "-M", "--name-status", "-1")).toThrow("failed");

    expect(await count(root)).toMatchObject({
      commits: 4,
      companions: [
        { path: "b.ts", companion: "new.ts", support: 3 },
        { path: "new.ts", companion: "b.ts", support: 3 },
      ],
    });
  });

  it("counts what git told of before it was too late, and starts no program that the repository names", async () => {
    const root = gitRepository();
    commitFiles(root, { "first.ts": "", ".gitattributes": "*.ts diff=evil filter=evil" });
    change(root, ["a.ts", "b.ts"], 5);
    const [trap, trace] = [join(root, ".git/trap"), join(root, ".git/sprung")];
    writeScript(trap, `touch '${trace}'`);
    for (const key of [
      "core.fsmonitor",
      "diff.external",
      "diff.evil.command",
      "diff.evil.textconv",
      "filter.evil.clean",
    ]) {
      git(root, "config", key, trap);
    }
    rmSync(trace, { force: true });
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const folder = temporaryFolder();
    writeScript(
      join(folder, "git"),
      `'${real}' "$@"\nstatus=$?\ncase " $* " in *" log "*) exec sleep 600;; esac\nexit $status`,
    );
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);

    const counted = await countCompanions(root, { timeoutMs: 1500 });

    // The oldest of them may not have been told to its end.
    expect(counted).toMatchObject({ companions: [{ path: "a.ts" }, { path: "b.ts" }] });
    expect(counted?.companions[0]?.support).toBeGreaterThanOrEqual(4);
    expect(existsSync(trace)).toBe(false);
  });
});

function count(root: string): Promise<CompanionCount | undefined> {
  return countCompanions(root, { timeoutMs: 20_000 });
}

let version = 0;

/** Commits a change of these files so many times. */
function change(root: string, names: string[], times: number, others: Record<string, string> = {}): void {
  for (let time = 0; time < times; time++) {
    const changed = names.map((name) => [name, `${body(name)}${version++}\n`]);
    commitFiles(root, { ...Object.fromEntries(changed), ...others });
  }
}

/** A merge that itself changes these files. */
function mergeChanging(root: string, names: string[]): void {
  git(root, "checkout", "--quiet", "-b", `side${version}`);
  commitFiles(root, { [`side${version}.ts`]: "" });
  git(root, "checkout", "--quiet", "main");
  git(root, "merge", "--quiet", "--no-ff", "--no-commit", `side${version}`);
  change(root, names, 1);
}

/** Enough lines to recognise a file by. */
function body(seed: string): string {
  return Array.from({ length: 20 }, (_, line) => `line ${line} of ${seed}\n`).join("");
}

/** Not committed yet. */
function move(root: string, from: string, to: string): void {
  git(root, "rm", "--quiet", "--cached", from);
  execFileSync("mkdir", ["-p", dirname(join(root, to))]);
  renameSync(join(root, from), join(root, to));
}

function writeScript(file: string, text: string): void {
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}
