import type { MemoryContext } from "../memory/change/change.js";
import { lstat } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import type { Conversation } from "./conversation-verbs.js";
import type { FinishSpoolsOptions } from "../observer/promotion/promotion.js";
import type { SpoolPlace } from "../observer/spool/spool.js";
import type { ReadSession } from "../observer/watch/watch.js";

/** A session whose agent keeps what is said in a file. */
export interface TranscribedSession {
  sessionId: string;
  transcript: string;
  /** `new`: it ends because its user begins anew. `compacted`: it goes on. */
  reason: "end" | "new" | "compacted";
}

/** What is done with what was said in sessions of agents. */
export interface TranscriptImport {
  /** What follows each session that is finished. */
  finishing: (options: { isQuick: boolean }) => Pick<FinishSpoolsOptions, "isForLater" | "alsoTakeIn">;
  importSession: (session: TranscribedSession, options?: { isQuick?: boolean }) => Promise<void>;
  /** Of sessions of a place that go on and were compacted since somebody looked. */
  importCompacted: (place: SpoolPlace, options: { isQuick: boolean }) => Promise<void>;
}

// Reading 1 MB and keeping what it says takes about a tenth of a second; nobody waits for more.
const quickBytes = 1_000_000;
// Far more than people say in a session; by hand any can be imported.
const maxBytes = 256_000_000;

/** Keeps the turns of sessions that end or are compacted, and consolidates them. */
export function openTranscriptImport(
  context: MemoryContext,
  conversation: (sessionId: string) => Pick<Conversation, "compact" | "consolidate">,
): TranscriptImport {
  const importOne: TranscriptImport["importSession"] = async (session, { isQuick = false } = {}) =>
    importSessionTranscript(context, conversation(session.sessionId), session, { isQuick });
  return {
    importSession: importOne,
    finishing: ({ isQuick }) => ({
      ...(isQuick && { isForLater: async (session) => (await sizeOf(transcribed(session))) > quickBytes }),
      alsoTakeIn: async (session) => {
        const told = transcribed(session);
        if (told) await importOne(told, { isQuick });
      },
    }),
    importCompacted: async (place, { isQuick }) => {
      const { listCompacted } = await import("../observer/spool/spool.js");
      for (const { done, ...compacted } of await listCompacted(place)) {
        const session = { ...compacted, reason: "compacted" } as const;
        if (isQuick && (await sizeOf(session)) > quickBytes) continue;
        // All of it is taken in once more at its end, and what goes wrong then is seen.
        await importOne(session, { isQuick }).catch(throwOfStore);
        done();
      }
    },
  };
}

/**
 * Keeps what a transcript says of a session, and sums it up: a compacted one as an archive, one that is over with what is worth
 * keeping of it. Nothing where the settings say so, or where the file is none that an agent of this user has written. Throws
 * what goes wrong: whoever finishes sessions tries again, and sets aside what fails time and again, so that it is seen.
 */
export async function importSessionTranscript(
  context: MemoryContext,
  conversation: Pick<Conversation, "compact" | "consolidate">,
  session: TranscribedSession,
  { isQuick = false }: { isQuick?: boolean } = {},
): Promise<void> {
  const { enabled, keepTurns } = await context.settings();
  const bytes = enabled && keepTurns ? await sizeOf(session) : 0;
  if (bytes === 0) return;
  const { sessionId, transcript, reason } = session;
  if (bytes > maxBytes) {
    throw new MemoryError(
      "import-refused",
      `${transcript}: it is larger than ${maxBytes / 1_000_000} MB.`,
      `By hand it can be taken in: tacit chat import ${transcript} --session ${sessionId}`,
    );
  }
  const { importTranscript } = await import("./import/import-conversation.js");
  const isOver = reason !== "compacted";
  await importTranscript({ context }, transcript, { sessionId, isOver });
  if (reason === "compacted") await conversation.compact({ keepCount: 0 });
  else await conversation.consolidate({ reason, isQuick });
}

function throwOfStore(error: unknown): void {
  if (error instanceof MemoryError && error.code.startsWith("store-")) throw error;
}

function transcribed({ sessionId, pads }: ReadSession): TranscribedSession | undefined {
  const { start, compacted, end } = pads.find(({ agentId }) => agentId === undefined) ?? {};
  const transcript = end?.transcript ?? compacted?.at(-1)?.transcript ?? start?.transcript;
  if (transcript === undefined) return undefined;
  return { sessionId, transcript, reason: end?.reason === "clear" ? "new" : "end" };
}

/**
 * The bytes of a transcript that may be read, else 0: a regular file of this user, named after its session as Claude Code does
 * it, so that nobody who makes up a hook has other files read.
 */
async function sizeOf(session: TranscribedSession | undefined): Promise<number> {
  if (!session || !isAbsolute(session.transcript)) return 0;
  if (basename(session.transcript) !== `${session.sessionId}.jsonl`) return 0;
  const info = await lstat(session.transcript).catch(() => undefined);
  if (!info?.isFile()) return 0;
  return process.getuid === undefined || info.uid === process.getuid() ? info.size : 0;
}
