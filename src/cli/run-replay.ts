import type { ReplayReport, SessionType, TacitMemory } from "../index.js";
import { countOf } from "./count-of.js";
import type { Shell } from "./shell.js";
import { whileStoppable } from "./while-stoppable.js";

/** A transcript and what came of it. */
export interface ReplayedFile {
  file: string;
  report: ReplayReport;
}

/** Replays transcripts with a line of progress. Ctrl-C stops it; the sessions that were finished are kept. */
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
      const report = await memory.replay(file === "-" ? process.stdin : file, {
        ...(type !== undefined && { type }),
        signal,
        onProgress: ({ bytes, events }) =>
          shell.progress(`${which}${countOf(events, "event")}, ${Math.round(bytes / 1e6)} MB …`),
      });
      replayed.push({ file, report });
      if (report.isStopped) {
        process.exitCode = 130;
        break;
      }
    }
    return replayed;
  });
}
