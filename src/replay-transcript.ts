import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "./base/memory-error.js";
import { openTranscriptReport, readTranscript } from "./observer/adapters/claude-code-transcript.js";
import type { AgentEvent, SessionType } from "./observer/events/event.js";
import type { LearnedReport, PromotionPorts } from "./observer/promotion/promotion.js";
import { replayEvents } from "./observer/replay.js";
import type { ReplayOptions, ReplayReport } from "./observing-types.js";

// Often enough for a line of progress, seldom enough to cost nothing.
const eventsBetweenProgress = 500;

/** Reads a transcript as far as it goes, in flat memory, and learns from each session in it. */
export async function replayTranscript(
  ports: PromotionPorts,
  root: string,
  source: string | AsyncIterable<Uint8Array>,
  { signal, onProgress, type }: ReplayOptions & { type: SessionType },
): Promise<ReplayReport> {
  const transcript = openTranscriptReport();
  const sessions: LearnedReport[] = [];
  const watched = async function* watched(): AsyncGenerator<AgentEvent, void, undefined> {
    for await (const event of readTranscript(typeof source === "string" ? openFiles(source) : source, transcript)) {
      if (signal?.aborted) return;
      if (transcript.events % eventsBetweenProgress === 0) {
        onProgress?.({ bytes: transcript.bytes, events: transcript.events, sessions: sessions.length });
      }
      yield event;
    }
  };
  for await (const report of replayEvents(ports, watched(), { root, type })) sessions.push(report);
  return { sessions, transcript, ...(signal?.aborted === true && { isStopped: true }) };
}

/** A transcript, after those of the sub-agents that Claude Code has put beside it: they end before their session does. */
async function* openFiles(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const beside = join(path.replace(/\.jsonl$/, ""), "subagents");
  const names = (await readdir(beside).catch(() => [])).filter((name) => name.endsWith(".jsonl")).toSorted();
  for (const name of names) {
    yield* createReadStream(join(beside, name)) as AsyncIterable<Uint8Array>;
    // The last line may have been cut before its end.
    yield Buffer.from("\n");
  }
  yield* openFile(path);
}

async function* openFile(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new MemoryError(
      "import-refused",
      `${path} cannot be read: ${reasons[code] ?? code}.`,
      "Name a transcript of Claude Code (~/.claude/projects/…/*.jsonl), or - for standard input.",
      error,
    );
  }
}

const reasons: Record<string, string> = { ENOENT: "there is no such file", EISDIR: "it is a folder" };
