// What Tacit asks of the disk, call by call, in a process of its own. What becomes of it when the power fails is replayed by
// torture/power-loss.test.ts, which needs a compiler and minutes.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/child-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "project"));
});

describe("what Tacit says is done", () => {
  beforeEach(({ skip }) => skip(process.platform === "win32", "Windows has no request to sync a folder"));

  it("[S20] includes the folder that the very first memory needs, and those above it that are new", () => {
    const calls = callsOf("remember", "The very first");

    expect(isNamedOnDisk(calls, join(folder, "users"))).toBe(true);
    expect(isNamedOnDisk(calls, join(folder, "users", "tacit"))).toBe(true);
  });

  it("[S20] includes a folder that a hook has made a moment ago", () => {
    mkdirSync(join(folder, "users", "tacit"), { recursive: true });

    const calls = callsOf("remember", "The very first");

    expect(calls).toContain(`sync ${join(folder, "users")}`);
  });

  it("[S21] includes the name and the bytes of each file that is replaced", () => {
    const settings = join(folder, ".claude", "settings.json");
    mkdirSync(dirname(settings));
    writeFileSync(settings, "{}\n");
    const home = join(folder, "users", "tacit");
    callsOf("remember", "Tabs, never spaces", "--name", "tabs", "--type", "decision");

    expect(unsafe(callsOf("config", "set", "cleanupDays", "30"), join(home, "tacit.config.json"))).toEqual([]);
    expect(unsafe(callsOf("install", "claude-code", "--yes"), settings, join(home, "installed.json"))).toEqual([]);
    expect(unsafe(callsOf("backup", "copy.db"), join(folder, "project", "copy.db"))).toEqual([]);
    expect(unsafe(callsOf("export", "--output", "all.jsonl"), join(folder, "project", "all.jsonl"))).toEqual([]);
    const written = callsOf("chat", "memory");
    const memoryFiles = filesBelow(home).filter((file) => file.endsWith("MEMORY.md"));
    expect(memoryFiles).toHaveLength(1);
    expect(unsafe(written, ...memoryFiles)).toEqual([]);
  });

  it("[S21] includes shared files, with one wait for their folder", () => {
    for (const n of [1, 2, 3]) callsOf("remember", `Rule ${n}`, "--visibility", "project");

    const calls = callsOf("share");

    const shelf = join(folder, "project", ".tacit", "memories");
    const files = filesBelow(shelf).filter((file) => file.endsWith(".md"));
    expect(files).toHaveLength(3);
    expect(unsafe(calls, ...files)).toEqual([]);
    expect(calls.filter((call) => call === `sync ${shelf}`)).toHaveLength(1);
    expect([shelf, dirname(shelf)].map((each) => isNamedOnDisk(calls, each))).toEqual([true, true]);
  });
});

/** What a run of the command asked of the disk, in order. */
function callsOf(...args: string[]): string[] {
  const log = join(folder, "calls");
  rmSync(log, { force: true });
  execFileSync(process.execPath, [fileURLToPath(built("cli/main.js")), ...args], {
    cwd: join(folder, "project"),
    stdio: "pipe",
    env: {
      ...process.env,
      HOME: folder,
      TACIT_HOME: join(folder, "users", "tacit"),
      DISK_CALLS: log,
      NODE_OPTIONS: `--import=${new URL("../support/note-disk-calls.mjs", import.meta.url).href}`,
    },
  });
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

/** Those of the files whose name or bytes a loss of power could take. */
function unsafe(calls: string[], ...files: string[]): string[] {
  return files.filter((file) => {
    const named = calls.lastIndexOf(`name ${file}`);
    const source = calls[named - 1]?.replace("from", "sync");
    return !isNamedOnDisk(calls, file) || source === undefined || !calls.slice(0, named).includes(source);
  });
}

function isNamedOnDisk(calls: string[], path: string): boolean {
  const named = calls.lastIndexOf(`name ${path}`);
  return named !== -1 && calls.includes(`sync ${dirname(path)}`, named);
}

function filesBelow(place: string): string[] {
  return readdirSync(place, { recursive: true }).map((name) => `${place}${sep}${String(name)}`);
}
