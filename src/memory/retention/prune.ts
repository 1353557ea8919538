import { eraseTraces } from "../../storage/erasure.js";
import type { Reader } from "../../storage/storage.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { forgetRows } from "./forget.js";
import { listByKeys } from "../read/memory-queries.js";
import type { Memory } from "../memory.js";
import { findProject, type Project, readProject, userProject } from "../../project/project.js";
import { changeStore } from "../change/change-memories.js";
import type { MemoryContext } from "../change/memory-context.js";
import { listPruningDue } from "./list-pruning-due.js";
import { listFaded, listForgottenForGood, listLeastWorth, listLongExpired } from "./prune-queries.js";
import { removeRows } from "./purge.js";

/** How much is done at once. */
interface Portion {
  forgotten: number;
  removed: number;
  /** Whether it makes room for `maxEntries`. */
  evicts: boolean;
}

// For somebody waits for a process to end, and others for the lock: 0.2 s each, at 1.7 ms to forget one memory and
// 0.1 ms to remove one. By itself nothing is evicted, because nobody would be told.
const aLittle: Portion = { forgotten: 100, removed: 2000, evicts: false };
// On a server each statement is a round trip, and sqld ends a transaction after 5 s.
const aLittleOnServer: Portion = { forgotten: 10, removed: 200, evicts: false };
const everything: Portion = { forgotten: Infinity, removed: Infinity, evicts: true };

/** What pruning did, or would do. */
export interface PruneReport {
  /** Forgotten because nobody used them for three half-lives; restorable for 30 days. */
  faded: Memory[];
  /** Forgotten because there are more than `maxEntries`; restorable for 30 days. */
  evicted: Memory[];
  /** Removed for good: forgotten more than 30 days ago, or expired more than `cleanupDays` ago. */
  purged: Memory[];
}

/** Lets go of what has faded, and removes for good what was let go long ago. With `dryRun` it only tells. */
export async function prune(open: MemoryContext, { dryRun = false } = {}): Promise<PruneReport> {
  const nothing: PruneReport = { faded: [], evicted: [], purged: [] };
  if (!open.store.exists) return nothing;
  const context = await withSettings(open);
  if (dryRun) {
    return readProject(context, nothing, async (reader, project) =>
      tell(reader, project, await plan(reader, project, context, everything), context.now()),
    );
  }
  const report = await changeStore(context, async (writer) => {
    const { project } = await findProject(writer, context.project);
    return project ? pruneProject(writer, project, context, everything) : nothing;
  });
  // What was removed is removed, whether or not its traces can be wiped at this moment.
  if (report.purged.length > 0) await eraseTraces(context.store).catch(() => "pending");
  return report;
}

/**
 * Removes for good what expired or was forgotten long ago, and tells how many there were; nothing fades and nothing is evicted.
 * A portion at a time, so that others get their turn.
 */
export async function cleanUp(open: MemoryContext): Promise<number> {
  if (!open.store.exists) return 0;
  const context = await withSettings(open);
  const { removed } = context.store.location.kind === "remote" ? aLittleOnServer : aLittle;
  for (let count = 0; ;) {
    const gone = await changeStore(context, async (writer) => {
      const { project } = await findProject(writer, context.project);
      const due = project ? (await plan(writer, project, context, aLittle)).purged.slice(0, removed) : [];
      if (project) await removeRows(writer, project, due);
      return due.length;
    });
    count += gone;
    if (gone === removed) continue;
    if (count > 0) await eraseTraces(context.store).catch(() => "pending");
    return count;
  }
}

/**
 * Prunes by itself, at most once a day for a project, from whichever process is open; but it evicts nothing. Gives up
 * when the store is busy, and leaves off when there is much to do: another process will go on.
 */
export async function pruneDaily(open: MemoryContext, patienceMs: number): Promise<void> {
  const context = await withSettings(open);
  const portion = context.store.location.kind === "remote" ? aLittleOnServer : aLittle;
  const purged = await changeStore(
    context,
    async (writer) => {
      let count = 0;
      // Asked again under the lock: another process may have been faster.
      for (const project of await listPruningDue(writer, context)) {
        count += (await pruneProject(writer, project, context, portion)).purged.length;
      }
      return count;
    },
    { timeoutMs: patienceMs },
  );
  if (purged > 0) await eraseTraces(context.store, patienceMs);
}

/** Asked before the transaction: what the settings depend on is read from the same store. */
async function withSettings(context: MemoryContext): Promise<MemoryContext> {
  const [own, users] = [await context.settings(), await context.settings("user")];
  return { ...context, settings: async (whose) => (whose === "user" ? users : own) };
}

async function pruneProject(
  writer: MemoryWriter,
  project: Project,
  context: MemoryContext,
  portion: Portion,
): Promise<PruneReport> {
  const now = context.now();
  const due = await plan(writer, project, context, portion);
  const planned: Plan = {
    faded: due.faded.slice(0, portion.forgotten),
    evicted: due.evicted.slice(0, portion.forgotten),
    purged: due.purged.slice(0, portion.removed),
  };
  const { purged } = await tell(writer, project, planned, now);
  const faded = await forgetRows(writer, project, planned.faded, now, "faded");
  const evicted = await forgetRows(writer, project, planned.evicted, now, "evicted");
  await removeRows(writer, project, planned.purged);
  if (sizeOf(planned) === sizeOf(due)) {
    await writer.run("UPDATE projects SET pruned_at = :now WHERE number = :project", {
      now: now.toISOString(),
      project: project.number,
    });
  }
  return { faded, evicted, purged };
}

type Plan = Record<keyof PruneReport, number[]>;

function sizeOf({ faded, evicted, purged }: Plan): number {
  return faded.length + evicted.length + purged.length;
}

async function plan(reader: Reader, project: Project, context: MemoryContext, { evicts }: Portion): Promise<Plan> {
  const now = context.now();
  const { cleanupDays, maxEntries } = await context.settings(project.id === userProject ? "user" : undefined);
  const purged = [
    ...(await listForgottenForGood(reader, project, now)),
    ...(cleanupDays === null ? [] : await listLongExpired(reader, project, cleanupDays, now)),
  ];
  const going = new Set(purged);
  const faded = (await listFaded(reader, project, now)).filter((key) => !going.has(key));
  for (const key of faded) going.add(key);
  const evicted =
    maxEntries === null || !evicts ? [] : await listLeastWorth(reader, project, maxEntries, now, { going: [...going] });
  return { faded, evicted, purged };
}

async function tell(reader: Reader, project: Project, planned: Plan, now: Date): Promise<PruneReport> {
  const memories = async (keys: number[]) => (await listByKeys(reader, project, keys, now)).map(({ memory }) => memory);
  return {
    faded: await memories(planned.faded),
    evicted: await memories(planned.evicted),
    purged: await memories(planned.purged),
  };
}
