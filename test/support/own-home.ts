import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";

// What a developer has set or stored must not decide whether a test passes, nor may a test change it: neither Tacit's folder nor
// their own, in which agents are found and connected.
const home = mkdtempSync(join(tmpdir(), "tacit-home-"));
const userHome = mkdtempSync(join(tmpdir(), "tacit-user-"));
process.env["TACIT_HOME"] = home;
for (const name of ["HOME", "USERPROFILE"]) process.env[name] = userHome;
for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"]) delete process.env[name];
// A test that is about meaning says so; no other waits for a model to load.
process.env["TACIT_EMBEDDING"] = "none";

// Nor must what another file has set: most run one after the other in the same process.
const before = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  if (process.cwd() !== folder) process.chdir(folder);
  for (const own of [home, userHome]) rmSync(own, { recursive: true, force: true });
});
