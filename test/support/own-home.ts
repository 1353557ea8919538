import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";

// What a developer has set or stored must not decide whether a test passes, nor may a test change it: neither Tacit's folder nor
// their own, in which agents are found and connected. Nor may this checkout: in a clone that nobody has accepted an agent's words are
// pending, so that a test passes on one machine and fails on the next.
const home = mkdtempSync(join(tmpdir(), "tacit-home-"));
const userHome = mkdtempSync(join(tmpdir(), "tacit-user-"));
const folder = mkdtempSync(join(tmpdir(), "tacit-folder-"));
const checkout = process.cwd();
process.chdir(folder);
process.env["TACIT_HOME"] = home;
for (const name of ["HOME", "USERPROFILE"]) process.env[name] = userHome;
for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"]) delete process.env[name];
// A test that is about meaning says so; no other waits for a model to load.
process.env["TACIT_EMBEDDING"] = "none";

// Nor must what another file has set: most run one after the other in the same process.
const before = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  process.chdir(checkout);
  for (const own of [home, userHome, folder]) rmSync(own, { recursive: true, force: true });
});
