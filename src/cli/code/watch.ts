import { once } from "node:events";
import type { Command } from "commander";
import type { IndexReport } from "../../index.js";
import { sentenceOf } from "./render-index.js";
import { describeError, renderError } from "../terminal/report-error.js";
import type { Shell } from "../terminal/shell.js";
import { whileStoppable } from "../terminal/while-stoppable.js";

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
      shell.withMemory((memory) =>
        whileStoppable(
          shell,
          async (signal) => {
            const watching = await memory.code.watch({
              signal,
              onIndexed: (report) => tell(shell, report),
              onError: (error) => void complain(shell, error),
            });
            if (!signal.aborted) await once(signal, "abort");
            await watching.close();
          },
          ["SIGINT", "SIGTERM"],
        ),
      ),
    );
}

function tell({ flags }: Shell, report: IndexReport): void {
  if (flags.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else if (!flags.quiet) process.stdout.write(`${sentenceOf(report)}\n`);
}

async function complain({ flags }: Shell, error: unknown): Promise<void> {
  process.stderr.write(await renderError(describeError(error), flags.json));
}
