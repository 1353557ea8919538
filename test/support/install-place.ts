import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import path, { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import type { Agent } from "../../src/install/agents/agent.js";
import type { Machine } from "../../src/install/agents/machine.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Installations that are not there, for agents that are never started. Not even their paths say whose they are. */
export const installation = {
  node: "/opt/node/bin/node",
  main: "/opt/lib/package/dist/cli/main.js",
  plugin: "file:///opt/lib/package/dist/agents/opencode/opencode.js",
};
export const newer = {
  node: "/opt/node-24/bin/node",
  main: "/srv/package/dist/cli/main.js",
  plugin: "file:///srv/package/dist/agents/opencode/opencode.js",
};

/** A way to as many computers without any agent as a test wants, all gone when it ends. */
export function newPlaces(): (changes?: Partial<Machine>) => Machine {
  const folder = inMemory();
  return (changes = {}) => {
    const home = mkdtempSync(join(folder, "home-"));
    return { home, tacitHome: join(home, ".tacit"), platform: "linux", env: {}, path, installation, ...changes };
  };
}

/** In memory where the system has such a folder: each write is followed by an fsync, 3 ms on a disk, in hundreds of cases. */
function inMemory(): string {
  if (!existsSync("/dev/shm")) return temporaryFolder();
  const folder = mkdtempSync("/dev/shm/tacit-test-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The files of an agent, with their folders made. */
export function filesOf(agent: Agent, place: Machine): string[] {
  const files = agent.targets(place).map(({ file }) => file);
  for (const file of files) mkdirSync(dirname(file), { recursive: true });
  return files;
}

/** Everything below a folder, each with its mode and its bytes, to see that two are the same. */
export function snapshot(folder: string): Record<string, string> {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const { mode } = statSync(file);
    const bytes = entry.isFile()
      ? readFileSync(file, "latin1")
      : entry.isSymbolicLink()
        ? readlinkSync(file)
        : "folder";
    return [relative(folder, file), `${mode.toString(8)} ${bytes}`] as const;
  });
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
