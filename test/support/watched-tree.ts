import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { IndexReport } from "../../src/index.js";
import { writeFiles } from "./git-repository.js";
import { openTestMemory } from "./open-memories.js";
import { temporaryFolder } from "./temporary-folder.js";
import { askDatabase } from "../torture/programs.js";

// On a machine that does other things as well.
const patienceMs = 10_000;

/** A folder with files that is watched, and what is kept of it: asking the memory itself would bring it up to date. */
export async function watched(
  files: Record<string, string>,
  root = temporaryFolder(),
  db = join(temporaryFolder(), "memory.db"),
) {
  writeFiles(root, files);
  const memory = await openTestMemory({ db, directory: root });
  const reports: IndexReport[] = [];
  const errors: unknown[] = [];
  const watching = await memory.code.watch({
    onIndexed: (report) => reports.push(report),
    onError: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    await watching.close();
    expect(errors).toEqual([]);
  });
  const symbols = async () => {
    const rows = await askDatabase(
      db,
      `SELECT f.path || '#' || n.path AS id FROM code_files AS f JOIN code_nodes AS n ON n.file_number = f.number
       WHERE n.path <> '' ORDER BY id`,
    );
    return rows.map(({ id }) => String(id));
  };
  return { root, reports, symbols };
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > patienceMs) throw new Error("It did not come to that in time.");
    await sleep(20);
  }
}
