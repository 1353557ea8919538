import type { MemoryError, ReplayReport, SessionType, TacitMemory } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Shell } from "../terminal/shell.js";
import { whileStoppable } from "../terminal/while-stoppable.js";

/** A transcript and what came of it, or why it could not be read. */
export type ReplayedFile = { file: string; report: ReplayReport } | { file: string; error: MemoryError };

/**
 * Replays transcripts with a line of progress. One that cannot be read does not keep the others from it. Ctrl-C stops
 * it; the sessions that were finished are kept.
 */
export async function runReplay(
  shell: Shell,
  memory: TacitMemory,
  files: readonly string[],
  type?: SessionType,
): Promise<ReplayedFile[]> {
  return whileStoppable(shell, async (signal) => {
    const replayed: ReplayedFile[] = [];
    for (const [index, file] of files.entries()) {
      const which = files.length > 1 ? `Transcript ${index + 1} of ${files.length}: ` : "";
      try {
        const report = await memory.sessions.replay(file === "-" ? process.stdin : file, {
          ...(type !== undefined && { type }),
          signal,
          onProgress: ({ bytes, events }) =>
            shell.progress(`${which}${countOf(events, "event")}, ${Math.round(bytes / 1e6)} MB …`),
        });
        replayed.push({ file, report });
      } catch (error) {
        replayed.push({ file, error: await unreadable(error) });
      }
      if (signal.aborted) {
        // As a shell expects it of a command that was stopped.
        process.exitCode = 130;
        break;
      }
    }
    return replayed;
  });
}

/** A store that cannot be written would refuse the next transcript too. */
async function unreadable(error: unknown): Promise<MemoryError> {
  const { MemoryError: Refusal } = await import("../../index.js");
  if (error instanceof Refusal && error.code === "import-refused") return error;
  throw error;
}

/** The same for programs. */
export function replayDocument(one: ReplayedFile): Record<string, unknown> {
  if ("report" in one) return { file: one.file, ...one.report };
  const { code, message, hint } = one.error;
  return { file: one.file, error: { code, message, hint } };
}
