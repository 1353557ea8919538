import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError } from "../../base/memory-error.js";
import { type Project, type ProjectContext, writeProject } from "../../project/project.js";
import { isAlive, currentProcess, parseProcessIdentity } from "../../observer/spool/spool.js";
import type { Writer } from "../../storage/storage.js";

/** Proves that its holder is the one who consolidates. */
export interface Lease {
  token: string;
}

// Between two looks; a consolidation without a model takes about as long.
const pauseMs = 50;
// For reading before and writing after the model, on a machine that has much to do.
const marginMs = 15_000;

export interface LeaseOptions {
  /** How long a model has. */
  timeoutMs: number;
  /** Somebody waits who has little time. */
  isQuick: boolean;
  signal: AbortSignal | undefined;
}

// Without a model a consolidation takes a fraction of it.
const quickMs = 3000;

/**
 * Does the work while nobody else consolidates conversations of the project, in whatever process. One that was killed keeps
 * nobody waiting on its own machine, and elsewhere no longer than a consolidation may take.
 */
export async function withLease<T>(
  context: ProjectContext,
  { timeoutMs, isQuick, signal }: LeaseOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease: Lease = { token: randomUUID() };
  const longestMs = timeoutMs + marginMs;
  // As long as each of a few others may take that were here before.
  const until = Date.now() + (isQuick ? quickMs : 4 * longestMs);
  while (!(await take(context, lease, longestMs))) {
    signal?.throwIfAborted();
    if (Date.now() > until) {
      throw new MemoryError(
        "store-locked",
        "Other processes are consolidating conversations of this project, one after the other.",
        "Nothing was changed. Try again in a while.",
      );
    }
    await sleep(pauseMs + Math.random() * pauseMs);
  }
  try {
    return await work(lease);
  } finally {
    await release(context, lease).catch(() => undefined);
  }
}

/** True for whoever still holds it; under the lock of a write. */
export async function holdsLease(writer: Writer, project: Project, { token }: Lease): Promise<boolean> {
  const rows = await writer.rows(
    "SELECT 1 FROM consolidation_leases WHERE project_number = :project AND token = :token",
    { project: project.number, token },
  );
  return rows.length > 0;
}

async function take(context: ProjectContext, { token }: Lease, longestMs: number): Promise<boolean> {
  const { pid, started } = currentProcess();
  return writeProject(context, async (writer, project) => {
    const [held] = await writer.rows("SELECT holder, until FROM consolidation_leases WHERE project_number = :project", {
      project: project.number,
    });
    if (held && !isOver(String(held["holder"]), String(held["until"]))) return false;
    await writer.run(
      `INSERT INTO consolidation_leases (project_number, token, holder, until) VALUES (:project, :token, :holder, :until)
       ON CONFLICT (project_number) DO UPDATE SET token = excluded.token, holder = excluded.holder, until = excluded.until`,
      {
        project: project.number,
        token,
        holder: `${hostname()} ${pid}-${started}`,
        // The machine's own time, not that of a replay.
        until: new Date(Date.now() + longestMs).toISOString(),
      },
    );
    return true;
  });
}

/** Whether a lease keeps nobody waiting any more: its time is over, or its holder is dead. */
export function isOver(holder: string, until: string): boolean {
  if (Date.parse(until) <= Date.now()) return true;
  const [host, process = ""] = holder.split(" ");
  const life = host === hostname() ? parseProcessIdentity(process) : undefined;
  return life !== undefined && !isAlive(life);
}

async function release(context: ProjectContext, { token }: Lease): Promise<void> {
  await context.store.write(async (writer) => {
    await writer.run("DELETE FROM consolidation_leases WHERE token = :token", { token });
  });
}
