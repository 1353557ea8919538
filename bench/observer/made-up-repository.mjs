import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Puts files into a folder and commits all of them. */
export function makeRepository(root, files) {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const who = ["-c", "user.name=Dev", "-c", "user.email=dev@example.org", "-c", "commit.gpgsign=false"];
  const git = (...args) => execFileSync("git", ["-C", root, ...who, ...args], { stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("add", "-A", "-f");
  git("commit", "-q", "-m", "All of it");
}
