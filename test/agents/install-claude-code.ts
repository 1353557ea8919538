import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installAgent } from "./install-agent.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with Claude Code's command, or why there is none. */
    claudeCode: { bin: string } | { missing: string };
  }
}

// The one that the plug-in was tried with. A newer one is a change of this line, and a run.
const wanted = "@anthropic-ai/claude-code@2.1.325";
// Over a slow line; a registry that does not answer must not hold up the rest.
const installMs = 240_000;

/**
 * Installs the real Claude Code into a temporary folder, once for the whole run; with `TACIT_AGENTS_IN` into that folder,
 * where it stays.
 */
export default function setup(project: TestProject): () => void {
  const kept = process.env["TACIT_AGENTS_IN"];
  const folder = kept ?? mkdtempSync(join(tmpdir(), "tacit-agents-"));
  const bin = join(folder, "node_modules", ".bin");
  const command = join(bin, "claude");
  const missing = existsSync(command) ? undefined : installAgent(folder, { wanted, command, installMs });
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
