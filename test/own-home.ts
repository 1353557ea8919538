import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, vi } from "vitest";

// What a developer has set or stored must not decide whether a test passes.
const home = mkdtempSync(join(tmpdir(), "tacit-home-"));
process.env["TACIT_HOME"] = home;
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
  rmSync(home, { recursive: true, force: true });
});
