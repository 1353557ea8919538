import { MemoryError } from "../base/memory-error.js";
import { Store, type Writer } from "../storage/storage.js";
import { settleNames } from "./contested-names.js";
import { keepLater } from "./keep-later.js";
import { keepPage } from "./keep-page.js";
import { beginKeeping, type KeepReport } from "./keeping.js";
import { prepareRecord, type ArrivingRecord, type PreparedRecord } from "./prepare-record.js";
import { writeProject, type ProjectStore } from "./project-store.js";
import type { Project } from "./projects.js";
import { Spool } from "./spool.js";

export type { ArrivingRecord } from "./prepare-record.js";
export type { KeepReport } from "./keeping.js";

export interface KeepOptions {
  /** Take names away from the memories that hold them. */
  rebind?: boolean;
  /** Only tell what would become of the records. */
  dryRun?: boolean;
  onProgress?(done: number, phase: "reading" | "writing"): void;
}

/**
 * Keeps records that arrive from outside, any number of them, all or none. They keep their ids, times and history, so
 * that keeping the same ones again changes nothing. The first that does not fit refuses them all, by its origin.
 *
 * Reading and cleaning come first, without any lock; what was cleaned waits in a temporary file. Then one transaction
 * writes everything.
 */
export async function keepRecords(
  from: ProjectStore,
  arriving: AsyncIterable<ArrivingRecord>,
  options: KeepOptions = {},
): Promise<KeepReport> {
  const spool = await Spool.open<PreparedRecord>();
  try {
    const count = await prepareAll(from, arriving, spool, options);
    if (count === 0) return { added: 0, updated: 0, unchanged: 0, merged: 0 };
    return await (options.dryRun ? tryAll : keepAll)(from, spool, options);
  } finally {
    await spool.close();
  }
}

async function prepareAll(
  from: ProjectStore,
  arriving: AsyncIterable<ArrivingRecord>,
  spool: Spool<PreparedRecord>,
  options: KeepOptions,
): Promise<number> {
  const { root } = await from.folder();
  let done = 0;
  for await (const record of arriving) {
    await spool.append(await prepareRecord(record, root));
    done += 1;
    if (done % progressEvery === 0) options.onProgress?.(done, "reading");
  }
  options.onProgress?.(done, "reading");
  return done;
}

// Often enough for a counter that a person watches.
const progressEvery = 500;

async function keepAll(from: ProjectStore, spool: Spool<PreparedRecord>, options: KeepOptions): Promise<KeepReport> {
  return writeProject(from, async (writer, project) => keepSpooled(writer, project, from.now(), spool, options));
}

/** The same, and taken back before it counts. What does not exist yet is tried out in memory. */
async function tryAll(from: ProjectStore, spool: Spool<PreparedRecord>, options: KeepOptions): Promise<KeepReport> {
  const store = from.store.exists ? from.store : new Store({ db: ":memory:", timeoutMs: from.store.timeoutMs });
  // Of this class, because the store lets those through as they are.
  const enough = new MemoryError("import-refused", "This was only tried out.", "Nothing was changed.");
  let report: KeepReport | undefined;
  try {
    await writeProject({ ...from, store }, async (writer, project) => {
      report = await keepSpooled(writer, project, from.now(), spool, options);
      throw enough;
    });
  } catch (error) {
    if (error !== enough) throw error;
  } finally {
    if (store !== from.store) await store.close();
  }
  return report as KeepReport;
}

async function keepSpooled(
  writer: Writer,
  project: Project,
  now: Date,
  spool: Spool<PreparedRecord>,
  options: KeepOptions,
): Promise<KeepReport> {
  const keeping = await beginKeeping(writer, project, now);
  try {
    let done = 0;
    for await (const page of spool.pages()) {
      await keepPage(keeping, page);
      done += page.length;
      options.onProgress?.(done, "writing");
    }
    for await (const page of keeping.later.pages()) await keepLater(keeping, page);
    await settleNames(keeping, spool, options);
    return keeping.report;
  } finally {
    await keeping.later.close();
  }
}
