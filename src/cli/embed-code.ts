import type { Answer } from "./answer.js";
import { countOf } from "./count-of.js";
import { oneLine } from "./render-memory.js";
import { setOnly } from "./set-only.js";
import type { Shell } from "./shell.js";

/** Gives the chunks of the code their vectors. Stopped, it goes on where it was. */
export async function embedCode(shell: Shell, limit: number | undefined): Promise<Answer> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGINT", stop);
  try {
    const report = await shell.withMemory((memory) =>
      memory.embedCode({
        ...setOnly<{ limit?: number }>({ limit }),
        signal: stopping.signal,
        onProgress: ({ done, total }) =>
          shell.progress(`Embedded ${done.toLocaleString("en")} of ${countOf(total, "chunk")} …`),
      }),
    );
    if (stopping.signal.aborted) process.exitCode = 130;
    const { embedded, pending, failure, hint } = report;
    const left = pending === 0 ? "" : `; ${countOf(pending, "chunk")} still to do`;
    return {
      document: report,
      ...(failure !== undefined && { ok: false }),
      text: (page) =>
        [
          `Embedded ${countOf(embedded, "chunk")} of the code${left}.`,
          ...(failure === undefined ? [] : [page.paint("red", oneLine(failure, page))]),
          ...(hint === undefined ? [] : [page.paint("dim", oneLine(hint, page))]),
        ].join("\n"),
    };
  } finally {
    process.off("SIGINT", stop);
    shell.progress("");
  }
}
