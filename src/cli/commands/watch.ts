import type { Command } from "commander";
import type { IndexReport } from "../../index.js";
import { countOf } from "../count-of.js";
import type { Shell } from "../shell.js";

const details = `
Keeps the index of this work tree in step until it is stopped (Ctrl-C): half a second after the last change. With
--json, one document a line for every indexing. Nothing else needs it to run: questions look for themselves.
`;

export function addWatch(program: Command, shell: Shell): void {
  program
    .command("watch")
    .description("keep the index in step with the files, until it is stopped")
    .addHelpText("after", details)
    .action(async () =>
      shell.withMemory(async (memory) => {
        const stopped = new Promise<void>((resolve) => {
          for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
        });
        const watching = await memory.watch({
          onIndexed: (report) => tell(shell, report),
          onError: (error) => process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`),
        });
        await stopped;
        await watching.close();
      }),
    );
}

function tell({ flags }: Shell, report: IndexReport): void {
  if (flags.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else if (!flags.quiet) process.stdout.write(`${sentence(report)}\n`);
}

function sentence({ changed, removed, linked, files, symbols, tookMs }: IndexReport): string {
  const done = [
    ...(changed > 0 ? [`${countOf(changed, "file")} read`] : []),
    ...(removed > 0 ? [`${removed} gone`] : []),
    ...(linked > 0 ? [`${linked} linked`] : []),
  ];
  const what = done.length === 0 ? "Nothing has changed" : done.join(", ");
  return `${what} (${tookMs} ms): ${countOf(files, "file")}, ${countOf(symbols, "symbol")}.`;
}
