import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const startMs = 60_000;

/** Installs the package of an agent into a folder, and starts its command once. Why it did not work, if it did not. */
export function installAgent(
  folder: string,
  { wanted, command, installMs }: { wanted: string; command: string; installMs: number },
): string | undefined {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "agents", private: true }));
  const shell = process.platform === "win32";
  const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
  const options = { cwd: folder, encoding: "utf8", shell, timeout: installMs } as const;
  const npm = spawnSync("npm", ["install", ...flags, wanted], options);
  if (npm.status !== 0) {
    return `npm install ${wanted}: ${npm.error?.message ?? npm.stderr.trim().split("\n").slice(-3).join(" ")}`;
  }
  // What npm gets may be a loader; whether the program is there for this system shows when it runs.
  const run = spawnSync(command, ["--version"], { encoding: "utf8", shell, timeout: startMs });
  return run.status === 0 ? undefined : `${command} --version: ${run.error?.message ?? run.stderr.trim()}`;
}
