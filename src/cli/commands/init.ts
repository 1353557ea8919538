import type { Command } from "commander";
import { renderIndex } from "../render-index.js";
import { runIndex } from "../run-index.js";
import type { Shell } from "../shell.js";

const details = `
Everything that Tacit can learn of a project before anybody has worked on it: its code (tacit index), and which files
change together in its history. It writes nothing into the work tree, and may be run again.
`;

export function addInit(program: Command, shell: Shell): void {
  program
    .command("init")
    .description("learn a project: its code, and what its history tells")
    .addHelpText("after", details)
    .action(async () => {
      const report = await shell.withMemory((memory) => runIndex(shell, memory, { history: true }));
      await shell.print({ document: report, text: (page) => renderIndex(report, page) });
    });
}
