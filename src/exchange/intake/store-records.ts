import { MemoryError } from "../../base/memory-error.js";
import { contextId, contextKeyOf } from "../../memory/record/record.js";
import {
  changeStore,
  type MemoryContext,
  type MemoryWriter,
  refuseAgentInUserProject,
} from "../../memory/change/change.js";
import { type Project, type ProjectContext, type ProjectHint, userProject } from "../../project/project.js";
import { Store } from "../../storage/storage.js";
import { settleNames } from "./contested-names.js";
import type { ArrivingRecord, IntakeOptions, IntakeReport } from "./intake.js";
import { storeDeferred } from "./store-deferred.js";
import { storePage } from "./store-page.js";
import { beginIntake } from "./begin-intake.js";
import { prepareRecord, type PreparedRecord } from "./prepare-record.js";
import { placedIn, settleSession, settleSessions } from "./settle-sessions.js";
import { PagedFile } from "./paged-file.js";

/**
 * Keeps records that arrive from outside, any number of them, all or none: in the project, or in the one for what is true
 * everywhere. They keep their ids, times and history, so that keeping the same ones again changes nothing. The first that
 * does not fit refuses them all, by its origin.
 *
 * Reading and cleaning come first, without any lock; what was cleaned waits in a temporary file. Then one transaction
 * writes everything.
 */
export async function storeRecords(
  context: MemoryContext,
  arriving: AsyncIterable<ArrivingRecord>,
  options: IntakeOptions = {},
): Promise<IntakeReport> {
  const spool = await PagedFile.open<PreparedRecord>();
  try {
    const prepared = await prepareAll(context, arriving, spool, options);
    if (prepared.destinations.size === 0) return noneKept(prepared);
    for (const destination of prepared.destinations) refuseAgentInUserProject(context, hintOf(context, destination));
    const work = async (writer: MemoryWriter) => keepAll(writer, context, prepared, options);
    return await (options.dryRun ? tryOut(context, work) : changeStore(context, work));
  } finally {
    await spool.close();
  }
}

/** Which project records are for: the reserved one, or, when it is undefined, that of the caller. */
type Destination = PreparedRecord["project"];

interface Prepared {
  spool: PagedFile<PreparedRecord>;
  destinations: Set<Destination>;
  /** Whether there are turns of conversations among them. */
  isTalk: boolean;
  redacted: number;
  claimed: number;
}

/** Spools what was checked and cleaned, and tells for which projects it is. */
async function prepareAll(
  context: ProjectContext,
  arriving: AsyncIterable<ArrivingRecord>,
  spool: PagedFile<PreparedRecord>,
  options: IntakeOptions,
): Promise<Prepared> {
  const { root } = await context.folder();
  const destinations = new Set<Destination>();
  let isTalk = false;
  let redacted = 0;
  let claimed = 0;
  let done = 0;
  for await (const record of arriving) {
    const prepared = await prepareRecord(record, root, options.rules);
    await spool.append(prepared);
    destinations.add(prepared.project);
    isTalk ||= placedIn(prepared) !== undefined;
    if (prepared.isRedacted) redacted += 1;
    if (prepared.isClaiming) claimed += 1;
    done += 1;
    if (done % progressEvery === 0) options.onProgress?.(done, "reading");
  }
  options.onProgress?.(done, "reading");
  return { spool, destinations, isTalk, redacted, claimed };
}

// Often enough for a counter that a person watches.
const progressEvery = 500;

/** Does the work and takes it back. What does not exist yet is tried out in memory. */
async function tryOut<T>(context: MemoryContext, work: (writer: MemoryWriter) => Promise<T>): Promise<T> {
  const { store } = context;
  const tried = store.exists ? store : new Store({ db: ":memory:", timeoutMs: store.timeoutMs });
  // Of this class, because the store lets those through as they are.
  const enough = new MemoryError("import-refused", "This was only tried out.", "Nothing was changed.");
  let result: T | undefined;
  try {
    await changeStore({ ...context, store: tried }, async (writer) => {
      result = await work(writer);
      throw enough;
    });
  } catch (error) {
    if (error !== enough) throw error;
  } finally {
    if (tried !== store) await tried.close();
  }
  return result as T;
}

async function keepAll(
  writer: MemoryWriter,
  context: ProjectContext,
  prepared: Prepared,
  options: IntakeOptions,
): Promise<IntakeReport> {
  const { spool, destinations, isTalk } = prepared;
  const report = noneKept(prepared);
  let done = 0;
  for (const destination of destinations) {
    const keeping = await beginIntake(writer, hintOf(context, destination), context.now(), report);
    try {
      const unsettled = pagesFor(spool, destination, keeping.project);
      const moved = isTalk ? await settleSessions(keeping, unsettled) : new Map<string, string>();
      if (moved.size > 0) report.renamedSessions = [...moved].map(([session, to]) => ({ from: session, to }));
      for await (const page of pagesFor(spool, destination, keeping.project, moved)) {
        await storePage(keeping, page);
        done += page.length;
        options.onProgress?.(done, "writing");
      }
      for await (const page of keeping.later.pages()) await storeDeferred(keeping, page);
      await settleNames(keeping, pagesFor(spool, destination, keeping.project, moved), options);
    } finally {
      await keeping.later.close();
    }
  }
  return report;
}

function hintOf({ project }: ProjectContext, destination: Destination): ProjectHint {
  return destination === "user" ? { id: userProject } : project;
}

function noneKept({ redacted, claimed }: Prepared): IntakeReport {
  return {
    added: 0,
    updated: 0,
    unchanged: 0,
    merged: 0,
    takenFrom: [],
    redacted,
    ...(claimed > 0 && { claimed }),
  };
}

async function* pagesFor(
  spool: PagedFile<PreparedRecord>,
  destination: Destination,
  project: Project,
  moved: ReadonlyMap<string, string> = new Map(),
): AsyncGenerator<PreparedRecord[]> {
  for await (const page of spool.pages()) {
    const records = page.filter((prepared) => prepared.project === destination);
    for (const prepared of records) {
      settleContext(prepared, project);
      settleSession(prepared, moved);
    }
    if (records.length > 0) yield records;
  }
}

/** What was set under a key elsewhere is what is set under it here: whoever reads it asks by an id that names the project. */
function settleContext({ record }: PreparedRecord, project: Project): void {
  const key = contextKeyOf(record);
  if (key !== undefined) record.id = contextId(project, key, record.sessionId);
}
