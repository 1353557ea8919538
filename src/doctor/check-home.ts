import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Check } from "./check.js";

// Where hooks note what agents do, agents are seen, and MEMORY.md is.
const parts = ["sessions", "agents", "layers"];

/** Whether Tacit can write its own folder, or make it. Nothing is tried: a look must leave no file. */
export function checkHome(home: string, access: (path: string) => void = mayWrite): Check {
  const found = nearest(home);
  const inTheWay = found === home ? "" : `${home} cannot be made: `;
  const unfit = [found, ...parts.map((part) => join(home, part)).filter((path) => existsSync(path))]
    .map((path) => whyUnfit(path, access))
    .find((why) => why !== undefined);
  if (unfit === undefined) return checkModes(home);
  return {
    name: "home",
    status: "warning",
    message: `${inTheWay}${unfit}`,
    hint: "Nothing new is remembered, and hooks note nothing. Check who owns it, or set TACIT_HOME to a folder of yours.",
  };
}

/** Files that others can read or replace: some were made by hand, or by another program that copied them. */
function checkModes(home: string): Check {
  const open = process.platform === "win32" ? [] : ["", ...files].map((name) => join(home, name)).filter(isOpen);
  if (open.length === 0) return { name: "home", status: "ok", message: home };
  return {
    name: "home",
    status: "warning",
    message: `Others can read or write ${open.join(", ")}`,
    hint: `Only you need to: chmod go= ${open.join(" ")}`,
  };
}

const files = ["memory.db", "memory.db-wal", "memory.db-shm", "http-token", "tacit.config.json", ...parts];

/** A folder that others only read is the usual one; of a file, reading is enough. */
function isOpen(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & (found.isDirectory() ? 0o022 : 0o077)) !== 0;
}

/** The folder itself, or the nearest above it that exists. */
function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

function whyUnfit(path: string, access: (path: string) => void): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return `${path} is no folder`;
    access(path);
    return undefined;
  } catch {
    return `${path} cannot be written`;
  }
}

function mayWrite(path: string): void {
  accessSync(path, constants.W_OK | constants.X_OK);
}
