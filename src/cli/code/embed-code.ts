import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import { oneLine } from "../terminal/one-line.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { printNotes } from "../terminal/print-notes.js";
import { whileStoppable } from "../terminal/while-stoppable.js";

/** Gives the chunks of the code their vectors. Stopped, it goes on where it was. */
export async function embedCode(shell: Shell, limit: number | undefined): Promise<Answer> {
  const { report, notes } = await shell.withMemory((memory) =>
    whileStoppable(shell, async (signal) => {
      const known = await memory.code.notes();
      const done = await memory.code.embed({
        ...setOnly<{ limit?: number }>({ limit }),
        signal,
        onProgress: ({ done: count, total }) =>
          shell.progress(`Embedded ${count.toLocaleString("en")} of ${countOf(total, "chunk")} …`),
      });
      if (signal.aborted) process.exitCode = 130;
      return { report: done, notes: known };
    }),
  );
  await printNotes(shell, notes);
  const { embedded, pending, failure, hint } = report;
  const left = pending === 0 ? "" : `; ${countOf(pending, "chunk")} still to do`;
  return {
    document: { ...report, ...(notes.length > 0 && { notes }) },
    ...(failure !== undefined && { ok: false }),
    text: (page) =>
      [
        `Embedded ${countOf(embedded, "chunk")} of the code${left}.`,
        ...(failure === undefined ? [] : [page.paint("red", oneLine(failure, page))]),
        ...(hint === undefined ? [] : [page.paint("dim", oneLine(hint, page))]),
      ].join("\n"),
  };
}
