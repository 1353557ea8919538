import { MemoryError } from "../../base/memory-error.js";
import { cleanText } from "../../hygiene/hygiene.js";
import { readProject, refuseWhenDisabled, writeProject } from "../../memory/project-store.js";
import type { MemoryInput, RememberedMemory } from "../../memory/memory.js";
import type { Project } from "../../memory/projects.js";
import type { Writer } from "../../storage/storage.js";
import { checkKeepCount } from "../archive/compact.js";
import { findNewestMarker } from "../archive/archive-queries.js";
import { prepareArchive, writeArchive, type ArchiveText, type PreparedArchive } from "../archive/write-archive.js";
import type { Compaction, Consolidation, ConsolidationReason, ConversationPorts, PromptFn, Turn } from "../conversation.js";
import { withoutComments } from "../layer/without-comments.js";
import { joinParts } from "../turns/split-turn.js";
import { findConversation, listTurnRows, noteConsolidated, type ConversationRow } from "../turns/turn-queries.js";
import { askConsolidator } from "./ask-consolidator.js";
import { consolidationPrompt } from "./consolidation-prompt.js";
import { findStatements } from "./find-statements.js";
import { holdsLease, withLease, type Lease } from "./lease.js";
import { parseReply } from "./parse-reply.js";
import { rawFallbackMark } from "./raw-fallback.js";
import { recapOf } from "./recap.js";
import { summariseTurns } from "./summarise-turns.js";

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
  /** Asks no model, whatever is configured. */
  isQuick?: boolean;
  signal?: AbortSignal;
}

/** What consolidation asks of the rooms around it. */
export interface ConsolidationPorts extends ConversationPorts {
  /** What is known now, as one text: all that MEMORY.md could say, with what Tacit notes in it. */
  readMemory: () => Promise<string>;
  /** Prepares what is to be kept, with why it is not to be trusted where that is so; its writing is part of ours. */
  prepareFacts: (facts: MemoryInput[]) => Promise<WriteFacts>;
  /** The same for a new text of it that a model wrote; undefined where it makes no sense. */
  prepareUpdate: (update: string, about: MemoryUpdate) => Promise<WriteFacts | undefined>;
}

/** Where a new text of MEMORY.md comes from. */
export interface MemoryUpdate {
  /** What the model was shown. */
  base: string;
  sessionId: string;
  /** Something from outside was read before some of it was said. */
  isTainted: boolean;
}

/** Writes what was prepared, as part of a larger write. */
export type WriteFacts = (writer: Writer, project: Project, now: Date) => Promise<RememberedMemory[]>;

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
  const { from } = ports;
  const { reason = "asked" } = options;
  checkKeepCount(options.keepCount);
  await refuseWhenDisabled(from);
  const settings = await from.settings();
  const nothing: Consolidation = { reason, learned: [], by: "rules", recap: "" };
  // Looking is free; the lock is for those who find something.
  if (!(await readWork(ports, sessionId, options))) return nothing;
  const { timeoutMs = settings.consolidationTimeout } = options;
  for (let attempt = 1; ; attempt++) {
    const done = await withLease(from, timeoutMs, async (lease) => {
      const work = await readWork(ports, sessionId, options);
      if (!work) return nothing;
      const outcome = await workOut(ports, sessionId, work, { ...options, timeoutMs });
      const written = await write(ports, lease, work, outcome);
      return written && { reason, ...tell(written, outcome, work) };
    });
    // Somebody has compacted it meanwhile, or we took longer than we may: what is left is looked at anew.
    if (done) return done;
    if (attempt === mostAttempts) {
      throw new MemoryError("store-locked", "Others keep archiving this conversation.", "Nothing was changed. Try again.");
    }
  }
}

const mostAttempts = 5;

function tell(
  { learned, compaction }: Written,
  { by, problem }: Outcome,
  { staying }: Work,
): Omit<Consolidation, "reason"> {
  const archived = compaction && { summary: compaction.archive.content, archiveName: compaction.marker.archiveName };
  return {
    ...(compaction && { compaction }),
    learned,
    by,
    ...(problem !== undefined && { problem }),
    recap: recapOf({ ...archived, turns: staying }),
  };
}

/** What there is to do. */
interface Work {
  conversation: ConversationRow;
  /** From which nothing was taken yet. */
  unread: Turn[];
  /** Of these, those that no archive sums up. */
  open: Turn[];
  staying: Turn[];
  /** Up to where it goes. */
  last: number;
}

async function readWork(
  { from }: ConsolidationPorts,
  sessionId: string,
  { keepCount: asked, reason }: ConsolidateOptions,
): Promise<Work | undefined> {
  const { keepCount: usual } = await from.settings();
  return readProject(from, undefined, async (reader, project) => {
    const conversation = await findConversation(reader, project, sessionId);
    if (!conversation) return undefined;
    const marker = await findNewestMarker(reader, conversation);
    const after = Math.min(conversation.consolidatedTo, marker?.last ?? 0);
    const all = joinParts(await listTurnRows(reader, conversation, { after }, from.now()));
    const stays = asked ?? (reason === "overflow" ? (conversation.keepCount ?? usual) : 0);
    const open = all.filter(({ sequence }) => sequence > (marker?.last ?? 0));
    const cut = Math.max(0, open.length - stays);
    const staying = open.slice(cut);
    const going = all.slice(0, all.length - staying.length);
    const unread = going.filter(({ sequence }) => sequence > conversation.consolidatedTo);
    const lastTurn = going.at(-1);
    if (!lastTurn || (unread.length === 0 && cut === 0)) return undefined;
    const last = lastTurn.sequence + lastTurn.ids.length - 1;
    return { conversation, unread, open: open.slice(0, cut), staying, last };
  });
}

/** What is to be written, worked out before the transaction. */
interface Outcome {
  archive: PreparedArchive | undefined;
  facts: WriteFacts;
  by: Consolidation["by"];
  problem?: string;
}

async function workOut(
  ports: ConsolidationPorts,
  sessionId: string,
  { unread, open }: Work,
  options: ConsolidateOptions & { timeoutMs: number },
): Promise<Outcome> {
  const stated = findStatements(unread).map(
    ({ content, type, metadata }): MemoryInput => ({
      content,
      type,
      sessionId,
      source: "user_taught",
      ...(metadata && { metadata }),
    }),
  );
  const asked = await askModel(ports, unread, options);
  const isTainted = unread.some((turn) => turn.isTainted);
  const update =
    asked?.memoryUpdate === undefined
      ? undefined
      : await ports.prepareUpdate(asked.memoryUpdate, { base: asked.base, sessionId, isTainted });
  const facts = await ports.prepareFacts(stated);
  const summary = summariseTurns(open);
  const text: ArchiveText =
    asked === undefined
      ? summary
      : asked.historyEntry === undefined
        ? { ...summary, text: `${rawFallbackMark} ${summary.text}`, problem: asked.problem }
        : { ...summary, text: asked.historyEntry };
  const problem = asked?.problem;
  return {
    archive: open.length === 0 ? undefined : await prepareArchive(ports.from, sessionId, open, text),
    facts: async (writer, project, now) => [
      ...(await facts(writer, project, now)),
      ...((await update?.(writer, project, now)) ?? []),
    ],
    by: asked === undefined ? "rules" : text.problem === undefined ? "model" : "fallback",
    ...(problem !== undefined && { problem }),
  };
}

interface Asked {
  /** What it was shown of what is known. */
  base: string;
  historyEntry?: string | undefined;
  memoryUpdate?: string | undefined;
  problem?: string | undefined;
}

// More than a memory holds is no summary.
const longestEntryBytes = 32 * 1024;

/** What a model made of it; undefined where none is to be asked. */
async function askModel(
  ports: ConsolidationPorts,
  turns: readonly Turn[],
  { promptFn, model, timeoutMs, signal, isQuick = false }: ConsolidateOptions & { timeoutMs: number },
): Promise<Asked | undefined> {
  if (turns.length === 0 || isQuick) return undefined;
  const languageModel = promptFn ? undefined : await ports.languageModel?.().catch(() => undefined);
  if (!promptFn && !languageModel) return undefined;
  const { maxMemorySize } = await ports.from.settings();
  const base = await ports.readMemory();
  const prompt = consolidationPrompt({ memory: withoutComments(base), turns, maxMemorySize, now: ports.from.now() });
  const answer = await askConsolidator(
    {
      timeoutMs,
      ...(promptFn && { promptFn }),
      ...(model !== undefined && { model }),
      ...(languageModel && { languageModel }),
      ...(signal && { signal }),
    },
    prompt,
  );
  if ("problem" in answer) return { base, ...answer };
  const { historyEntry, memoryUpdate } = parseReply(answer.reply);
  const problem = await problemOf(historyEntry);
  return problem === undefined ? { base, historyEntry, memoryUpdate } : { base, problem };
}

/** Why an entry cannot be kept, if so. */
async function problemOf(entry: string | undefined): Promise<string | undefined> {
  if (entry === undefined) return "The model's reply had no history_entry.";
  if (Buffer.byteLength(entry) > longestEntryBytes) return "The model's history_entry was too long to be a summary.";
  try {
    const { text } = await cleanText(entry, "history_entry");
    return text.trim() === "" ? "The model's history_entry was empty." : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

interface Written {
  learned: RememberedMemory[];
  compaction?: Compaction;
}

async function write(
  { from }: ConsolidationPorts,
  lease: Lease,
  { conversation, last }: Work,
  { archive, facts }: Outcome,
): Promise<Written | undefined> {
  return writeProject(from, async (writer, project): Promise<Written | undefined> => {
    const now = from.now();
    const current = await findConversation(writer, project, conversation.sessionId);
    // Whoever has overrun its lease must not undo what its successor did.
    const isOurs = await holdsLease(writer, project, lease);
    if (current && (!isOurs || current.consolidatedTo !== conversation.consolidatedTo)) return undefined;
    const compaction = archive && (await writeArchive(writer, project, conversation, archive, now));
    if (archive && !compaction) return undefined;
    await noteConsolidated(writer, conversation, last);
    const learned = await facts(writer, project, now);
    return { learned, ...(compaction && { compaction }) };
  });
}
