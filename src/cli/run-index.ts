import type { IndexCodeOptions, IndexReport, TacitMemory } from "../index.js";
import { countOf } from "./count-of.js";
import type { Shell } from "./shell.js";

/** Indexes with a line of progress. Ctrl-C stops it between two files, and the next time goes on from there. */
export async function runIndex(
  shell: Shell,
  memory: TacitMemory,
  options: Pick<IndexCodeOptions, "history" | "fresh"> = {},
): Promise<IndexReport> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGINT", stop);
  try {
    const report = await memory.index({
      ...options,
      signal: stopping.signal,
      onProgress: ({ stage, done, total }) =>
        shell.progress(
          `${stage === "reading" ? "Read" : "Linked"} ${done.toLocaleString("en")} of ${countOf(total, "file")} …`,
        ),
    });
    // As a shell expects it of a command that was stopped.
    if (report.isStopped) process.exitCode = 130;
    return report;
  } finally {
    process.off("SIGINT", stop);
    shell.progress("");
  }
}
