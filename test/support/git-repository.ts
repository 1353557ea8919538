import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./temporary-folder.js";

/** An empty repository by its real path, in a folder of the running test's own unless one is given. */
export function gitRepository(folder = temporaryFolder()): string {
  const root = realpathSync(folder);
  git(root, "-c", "init.defaultBranch=main", "init", "--quiet", "--template=");
  return root;
}

/** Commits all that is there with these files, and gives the hash. */
export function commitFiles(root: string, files: Record<string, string>): string {
  writeFiles(root, files);
  git(root, "add", "--all");
  const told = git(root, "-c", "core.abbrev=40", "commit", "--allow-empty", "--message", "a change");
  return /[0-9a-f]{40}/.exec(told)?.[0] ?? "";
}

export function writeFiles(root: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

export function git(cwd: string, ...args: string[]): string {
  return gitAt(undefined, cwd, ...args);
}

/** As `git` would at another time. */
export function gitAt(at: number | undefined, cwd: string, ...args: string[]): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    ...(at !== undefined && { GIT_COMMITTER_DATE: `@${Math.floor(at / 1000)} +0000` }),
  };
  const settings = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "maintenance.auto=false"];
  return execFileSync("git", [...settings, ...args], { cwd, env, encoding: "utf8", stdio: "pipe" }).trim();
}
