import { createReadStream } from "node:fs";
import { MemoryError } from "./base/memory-error.js";
import { openTranscriptReport, readTranscript } from "./observer/adapters/claude-code-transcript.js";
import type { SessionType } from "./observer/events/event.js";
import type { LearnedReport, PromotionPorts } from "./observer/promotion/promotion.js";
import { replayEvents } from "./observer/replay.js";
import type { ReplayOptions, ReplayReport } from "./observing-types.js";

/** Reads a transcript as far as it goes, in flat memory, and learns from each session in it. */
export async function replayTranscript(
  ports: PromotionPorts,
  root: string,
  source: string | AsyncIterable<Uint8Array>,
  { signal, onProgress, type }: ReplayOptions & { type: SessionType },
): Promise<ReplayReport> {
  const transcript = openTranscriptReport();
  const sessions: LearnedReport[] = [];
  let isStopped = false;
  const events = readTranscript(typeof source === "string" ? openFile(source) : source, transcript);
  const watched = async function* watched() {
    for await (const event of events) {
      if (signal?.aborted) {
        isStopped = true;
        return;
      }
      if (transcript.events % 500 === 0) {
        onProgress?.({ bytes: transcript.bytes, events: transcript.events, sessions: sessions.length });
      }
      yield event;
    }
  };
  for await (const report of replayEvents(ports, watched(), { root, type })) sessions.push(report);
  return { sessions, transcript, ...(isStopped && { isStopped: true as const }) };
}

async function* openFile(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new MemoryError(
      "import-refused",
      `${path} cannot be read: ${code === "ENOENT" ? "there is no such file" : code}.`,
      "Name a transcript of Claude Code (~/.claude/projects/…/*.jsonl), or - for standard input.",
      error,
    );
  }
}
