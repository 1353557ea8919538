import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder in which the packed tarball is installed, as a stranger would have it. */
    installedIn: string;
  }
}

/**
 * Packs the project and installs the tarball into an empty folder, once for the whole run. `TACIT_INSTALLED_IN` names one in
 * which that was done before, for runs one after the other.
 */
export default function setup(project: TestProject): () => void {
  const given = process.env["TACIT_INSTALLED_IN"];
  if (given) {
    project.provide("installedIn", given);
    return () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), "tacit-packed-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  npm(["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], process.cwd());
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  npm(["install", "--prefer-offline", "--no-audit", "--no-fund", "--omit=dev", `./${tarball}`], folder);

  project.provide("installedIn", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

function npm(args: string[], cwd: string): void {
  const run = spawnSync("npm", args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  if (run.status !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${run.stdout}\n${run.stderr}`);
}
