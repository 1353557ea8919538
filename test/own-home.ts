import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// What a developer has set or stored must not decide whether a test passes.
const home = mkdtempSync(join(tmpdir(), "tacit-home-"));
process.env["TACIT_HOME"] = home;
// A test that is about meaning says so; no other waits for a model to load.
process.env["TACIT_EMBEDDING"] = "none";
afterAll(() => rmSync(home, { recursive: true, force: true }));
