import { existsSync } from "node:fs";
import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseWriterMark } from "../processes/process-identity.js";
import { isAnyAlive, removeSpool, silenceMs, type SpoolInfo } from "./list-spools.js";
import { readHeader } from "./read-spool.js";
import { spoolsFolder } from "./spool-place.js";

// A work tree that was removed does not come back; a disk that is not there today may.
const goneMs = 30 * 86_400_000;

/** Removes what killed processes left of spools: those that were being removed, and those in which nothing was written. */
export async function sweepSpools(home: string, now: number): Promise<void> {
  const names = await readdir(spoolsFolder(home)).catch(() => []);
  for (const name of names) {
    const folder = join(spoolsFolder(home), name);
    await (isGone.test(name) ? rm(folder, { recursive: true, force: true }) : removeBlank(folder, now)).catch(
      // Somebody else was faster, or has just begun to write.
      () => undefined,
    );
  }
}

const isGone = /\.gone-[0-9a-f-]+$/;

/**
 * Nothing can be read of a spool without a header. Of one whose writers are all dead, or that nobody has touched for long,
 * everything goes; else only a folder that is empty, which whoever lives makes again.
 */
async function removeBlank(folder: string, now: number): Promise<void> {
  const names = await readdir(folder);
  if (await readHeader(folder)) return;
  const writers = names.map(parseWriterMark).filter((life) => life !== undefined);
  const isDead = isAnyAlive(writers) === false || now - (await stat(folder)).mtimeMs > silenceMs;
  if (isDead) for (const name of names) await rm(join(folder, name));
  await rmdir(folder);
}

/** Removes those of a store whose work tree is gone and that nobody has written to for a month: nobody will open it. */
export async function removeLost(spools: readonly SpoolInfo[], db: string, now: number): Promise<void> {
  const lost = spools.filter((spool) => spool.db === db && now - spool.lastAt > goneMs && !existsSync(spool.root));
  for (const spool of lost) await removeSpool(spool).catch(() => undefined);
}
