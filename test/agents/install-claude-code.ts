import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with Claude Code's command, or why there is none. */
    claudeCode: { bin: string } | { missing: string };
  }
}

// The one that the plug-in was tried with. A newer one is a change of this line, and a run.
const wanted = "@anthropic-ai/claude-code@2.1.325";

/**
 * Installs the real Claude Code into a temporary folder, once for the whole run; with `TACIT_AGENTS_IN` into that folder,
 * where it stays.
 */
export default function setup(project: TestProject): () => void {
  const kept = process.env["TACIT_AGENTS_IN"];
  const folder = kept ?? mkdtempSync(join(tmpdir(), "tacit-agents-"));
  const bin = join(folder, "node_modules", ".bin");
  const missing = existsSync(join(bin, "claude")) ? undefined : install(folder, bin);
  if (missing !== undefined) {
    console.error(
      `\n!! SKIPPED: Claude Code could not be installed, so that nothing was tried with it.\n!! ${missing}\n`,
    );
  }
  project.provide("claudeCode", missing === undefined ? { bin } : { missing });
  return () => {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
}

// Over a slow line; a registry that does not answer must not hold up the rest.
const installMs = 240_000;
const startMs = 60_000;

/** Why it did not work, if it did not. */
function install(folder: string, bin: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "agents", private: true }));
  const shell = process.platform === "win32";
  const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
  const npm = spawnSync("npm", ["install", ...flags, wanted], {
    cwd: folder,
    encoding: "utf8",
    shell,
    timeout: installMs,
  });
  if (npm.status !== 0) {
    return `npm install ${wanted}: ${npm.error?.message ?? npm.stderr.trim().split("\n").slice(-3).join(" ")}`;
  }
  // What npm gets is a loader; whether the program is there for this system shows when it runs.
  const run = spawnSync(join(bin, "claude"), ["--version"], { encoding: "utf8", shell, timeout: startMs });
  return run.status === 0 ? undefined : `claude --version: ${run.error?.message ?? run.stderr.trim()}`;
}
