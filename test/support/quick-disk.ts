import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const inMemory = "/dev/shm";
// What lies there at the same time stays below 100 MB; a container's is often 64 MB in all, and then it is not for us.
const roomBytes = 1024 ** 3;

/**
 * Keeps the temporary files of a run in memory, where the system has such a folder with room from which programs may be started:
 * hundreds of small stores otherwise wait for the disk with each of their writes. Comes after what may stay on the disk.
 */
export default function setup(): (() => void) | undefined {
  if (!existsSync(inMemory)) return undefined;
  const { bavail, bsize } = statfsSync(inMemory);
  if (bavail * bsize < roomBytes) return undefined;
  const folder = mkdtempSync(join(inMemory, "tacit-"));
  const empty = () => rmSync(folder, { recursive: true, force: true });
  if (!runsPrograms(folder)) {
    empty();
    return undefined;
  }
  // As open as the one in its place: some tests go on as another user.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  return empty;
}

function runsPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  return spawnSync(program).status === 0;
}
