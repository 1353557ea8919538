import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "../../base/files/files.js";

// A name that any file system takes, of an agent that says what it likes.
const longestName = 64;
// An agent that calls itself something else each time must not fill the folder.
const maxAgents = 100;

/**
 * Notes that an agent has spoken to Tacit just now, as the time of an empty file, so that `tacit doctor` can say whether what
 * is connected works. Costs less than a tenth of a millisecond; never throws.
 */
export function noteAgentSeen(agent: string, { home }: { home?: string } = {}): void {
  const name = nameOf(agent);
  if (name === "") return;
  try {
    const folder = join(home ?? homeFolder(), "agents");
    try {
      write(folder, name);
    } catch {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      write(folder, name);
    }
  } catch {
    // Not to be seen by the doctor is no reason to fail.
  }
}

function write(folder: string, name: string): void {
  writeFileSync(join(folder, name), "", { mode: 0o600 });
}

/** Who has spoken, and when last, newest first. Beyond a hundred the oldest are let go. */
export function listAgentsSeen({ home = homeFolder() }: { home?: string } = {}): { agent: string; at: Date }[] {
  const folder = join(home, "agents");
  const spoken = namesIn(folder).flatMap((agent) => {
    const at = statSync(join(folder, agent), { throwIfNoEntry: false })?.mtime;
    return at ? [{ agent, at }] : [];
  });
  const newest = spoken.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  for (const { agent } of newest.slice(maxAgents)) rmSync(join(folder, agent), { force: true });
  return newest.slice(0, maxAgents);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

// On Windows these are devices, whatever folder they are named in.
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

function nameOf(agent: string): string {
  const name = agent
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, longestName);
  return devices.test(name) ? `${name}-` : name;
}
