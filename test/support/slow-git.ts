import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { vi } from "vitest";
import { temporaryFolder } from "./temporary-folder.js";

/** Makes every question to git that has this word take so long, for ever as tests go, and tells what git was asked since. */
export function slowGit(word: string, seconds = 60): () => string[] {
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const [folder, log] = [temporaryFolder(), join(temporaryFolder(), "asked")];
  const body = `echo "$*" >> '${log}'\ncase " $* " in *" ${word} "*) ${seconds < 60 ? "" : "exec "}sleep ${seconds} ;; esac\nexec '${real}' "$@"`;
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, "git"), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
  return () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
}
