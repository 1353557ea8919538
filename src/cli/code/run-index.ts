import type { IndexCodeOptions, IndexReport, TacitMemory } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Shell } from "../terminal/shell.js";
import { whileStoppable } from "../terminal/while-stoppable.js";

/** Indexes with a line of progress. Ctrl-C stops it between two files, and the next time goes on from there. */
export async function runIndex(
  shell: Shell,
  memory: TacitMemory,
  options: Pick<IndexCodeOptions, "history" | "fresh" | "scip"> = {},
): Promise<IndexReport> {
  const report = await whileStoppable(shell, (signal) =>
    memory.index({
      ...options,
      signal,
      onProgress: ({ stage, done, total }) =>
        shell.progress(
          `${stage === "reading" ? "Read" : "Linked"} ${done.toLocaleString("en")} of ${countOf(total, "file")} …`,
        ),
    }),
  );
  // As a shell expects it of a command that was stopped.
  if (report.isStopped) process.exitCode = 130;
  return report;
}
