import { changeMemories, type MemoryWriter } from "../../memory/change/change.js";
import { type Project, refuseWhenDisabled } from "../../project/project.js";
import { MemoryError } from "../../base/memory-error.js";
import type { MemoryInput, RememberedMemory } from "../../memory/memory.js";
import { checkKeepCount, overtaken } from "../archive/compact.js";
import { countInForce } from "../archive/archive-queries.js";
import { areUnarchived, writeArchive } from "../archive/write-archive.js";
import type { Compaction, Consolidation, ConsolidationReason, ConversationPorts, PromptFn } from "../conversation.js";
import { findConversation, noteConsolidated } from "../turns/turn-queries.js";
import type { WriteUpdate } from "../memory-file/prepare-memory-update.js";
import { holdsLease, withLease, type Lease } from "./lease.js";
import { readUnconsolidated, type Unconsolidated } from "./read-unconsolidated.js";
import { recapOf } from "./recap.js";
import { planConsolidation, type Learned, type ConsolidationPlan } from "./plan-consolidation.js";

export interface ConsolidateOptions {
  /** Why; default `asked`. Only `overflow` leaves the last `keepCount` messages as they are. */
  reason?: ConsolidationReason;
  /** How many messages stay as they are, whatever the reason. */
  keepCount?: number;
  /** Asks a model of one's own. Default: the configured one, if there is one. */
  promptFn?: PromptFn | undefined;
  /** What `promptFn` is told to ask. */
  model?: string | undefined;
  /** How long the model has. Default: the setting `consolidationTimeout`. */
  timeoutMs?: number;
  /** Asks no model, whatever is configured, and does not wait long for others. */
  isQuick?: boolean;
  /** Stops it before anything is written; the turns stay as they are. */
  signal?: AbortSignal;
}

/** What consolidation asks of the rooms around it. */
export interface ConsolidationPorts extends ConversationPorts {
  /** What is known now, as one text: all that MEMORY.md could say, with what Tacit notes in it. */
  readMemory: () => Promise<string>;
  /** Why what a model makes of it waits for a person, by who asked for it; undefined where nothing speaks against them. */
  doubtAsker: (sessionId: string) => Promise<string | undefined>;
  /** Prepares what a person stated, with why it is not to be trusted where that is so; its writing is part of ours. */
  prepareFacts: (facts: MemoryInput[], doubts: readonly (string | undefined)[]) => Promise<WriteFacts>;
  /** The same for a new text of it that a model wrote; undefined where it makes no sense. */
  prepareUpdate: (update: string, about: MemoryUpdate) => Promise<WriteUpdate | undefined>;
}

/** Where a new text of MEMORY.md comes from. */
export interface MemoryUpdate {
  /** What the model was shown. */
  base: string;
  sessionId: string;
  /** Something from outside was read before some of it was said. */
  isTainted: boolean;
  /** What speaks against whoever asked for it. */
  doubt: string | undefined;
  /** What tools answered: what a model repeats of it is not its own. */
  toolTexts: readonly string[];
}

/** Writes what was prepared, as part of a larger write. */
export type WriteFacts = (writer: MemoryWriter, project: Project, now: Date) => Promise<RememberedMemory[]>;

// Somebody has compacted, purged or forgotten meanwhile; five times in a row that is no accident.
const maxAttempts = 5;

/**
 * Takes what is worth keeping from a conversation, sums the rest up as an archive, and tells what stays. The archive, the
 * mark and the facts are one write: killed at any point, all of it is there or nothing. One at a time for a project; a model
 * that fails, hangs or answers nonsense costs only the summary: everything is kept as it is.
 */
export async function consolidate(
  ports: ConsolidationPorts,
  sessionId: string,
  options: ConsolidateOptions = {},
): Promise<Consolidation> {
  const { context } = ports;
  const { reason = "asked", isQuick = false, signal } = options;
  const { timeoutMs = (await context.settings()).consolidationTimeout } = options;
  checkKeepCount(options.keepCount);
  checkTimeout(timeoutMs);
  await refuseWhenDisabled(context);
  const nothing: Consolidation = { reason, learned: [], superseded: [], forgotten: [], by: "rules", recap: "" };
  // Looking is free; the lock is for those who find something.
  if (!(await readUnconsolidated(ports, sessionId, options))) return nothing;
  for (let attempt = 1; ; attempt += 1) {
    const done = await withLease(context, { timeoutMs, isQuick, signal }, async (lease) => {
      const work = await readUnconsolidated(ports, sessionId, options);
      if (!work) return nothing;
      const outcome = await planConsolidation(ports, sessionId, work, { ...options, timeoutMs, isQuick });
      const written = await write(ports, lease, work, outcome);
      return written && { reason, ...tell(written, outcome, work) };
    });
    if (done) return done;
    if (attempt === maxAttempts) throw overtaken();
  }
}

function checkTimeout(timeoutMs: number): void {
  if (Number.isFinite(timeoutMs) && timeoutMs >= 1 && timeoutMs <= longestTimeoutMs) return;
  throw new MemoryError(
    "invalid-input",
    "timeoutMs must be a number of milliseconds from 1 to 600,000.",
    "Leave it out for the setting consolidationTimeout.",
  );
}

const longestTimeoutMs = 600_000;

interface Written extends Learned {
  compaction?: Compaction;
}

/** Undefined where it is no longer what was looked at. */
async function write(
  { context }: ConsolidationPorts,
  lease: Lease,
  { conversation, last, seen }: Unconsolidated,
  { archives, facts }: ConsolidationPlan,
): Promise<Written | undefined> {
  return changeMemories(context, async (writer, project): Promise<Written | undefined> => {
    const now = context.now();
    const current = await findConversation(writer, project, conversation.sessionId);
    // Whoever has overrun its lease must not undo what its successor did.
    if (!(await holdsLease(writer, project, lease)) || current?.consolidatedTo !== conversation.consolidatedTo)
      return undefined;
    // What was purged while the model was asked must not come back in its words.
    const ids = seen.flatMap((turn) => turn.ids);
    if ((await countInForce(writer, project.number, ids)) !== ids.length) return undefined;
    if (!(await areUnarchived(writer, project, current, archives))) return undefined;
    let compaction: Compaction | undefined;
    for (const archive of archives) compaction = await writeArchive(writer, project, archive, now);
    await noteConsolidated(writer, current, last);
    return { ...(await facts(writer, project, now)), ...(compaction && { compaction }) };
  });
}

function tell(
  { compaction, ...learned }: Written,
  { by, problem }: ConsolidationPlan,
  { staying }: Unconsolidated,
): Omit<Consolidation, "reason"> {
  const archived = compaction && { summary: compaction.archive.content, archiveName: compaction.marker.archiveName };
  return {
    ...(compaction && { compaction }),
    ...learned,
    by,
    ...(problem !== undefined && { problem }),
    recap: recapOf({ ...archived, turns: staying }),
  };
}
