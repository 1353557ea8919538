import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installAgent } from "./install-agent.js";

declare module "vitest" {
  interface ProvidedContext {
    /** opencode's command and a home folder of its own, or why there is none. */
    opencode: { command: string; home: string } | { missing: string };
  }
}

// The one that the plug-in was tried with. A newer one is a change of this line, and a run.
const wanted = "opencode-ai@1.18.33";
// 417 MB over a slow line; a registry that does not answer must not hold up the rest.
const installMs = 600_000;

/**
 * Installs the real opencode into a temporary folder, once for the whole run; with `TACIT_OPENCODE_IN` into that folder, where
 * it stays. Its home is for the whole run too: at its first start it sets up a database, which takes longer than a session.
 */
export default function setup(project: TestProject): () => void {
  const kept = process.env["TACIT_OPENCODE_IN"];
  const folder = kept ?? mkdtempSync(join(tmpdir(), "tacit-opencode-"));
  const home = mkdtempSync(join(tmpdir(), "tacit-opencode-home-"));
  const command = join(folder, "node_modules", ".bin", process.platform === "win32" ? "opencode.cmd" : "opencode");
  const missing = existsSync(command) ? undefined : installAgent(folder, { wanted, command, installMs });
  if (missing !== undefined) {
    console.error(`\n!! SKIPPED: opencode could not be installed, so that nothing was tried with it.\n!! ${missing}\n`);
  }
  project.provide("opencode", missing === undefined ? { command, home } : { missing });
  return () => {
    rmSync(home, { recursive: true, force: true });
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
}
