import type { Command } from "commander";
import { renderIndex } from "./render-index.js";
import { runIndex } from "./run-index.js";
import type { Shell } from "../terminal/shell.js";

const details = `
Takes in the code of this work tree: its symbols, what calls, imports and tests what, and chunks to be found. What git
ignores, what is generated or minified, and files over 1 MB are left out. Run again, it reads only what has changed;
stopped or killed, it goes on where it was. Asking for an impact brings a few changed files up to date by itself.

--scip takes in a SCIP index, which the indexer of a language writes with its compiler: what it says of a file as it is
now comes before what Tacit finds by reading. It counts until the file changes. For example:

  npx @sourcegraph/scip-typescript index && tacit index --scip index.scip
`;

export function addIndex(program: Command, shell: Shell): void {
  program
    .command("index")
    .description("take in the code of this work tree, or what has changed of it")
    .option("--history", "also count which files change together in git")
    .option("--scip <file>", "also take in a SCIP index of this code")
    .option("--fresh", "throw away what is known of this work tree, and begin anew")
    .addHelpText("after", details)
    .action(async (flags: { history?: boolean; fresh?: boolean; scip?: string }) => {
      const report = await shell.withMemory((memory) => runIndex(shell, memory, flags));
      await shell.print({ document: report, text: (page) => renderIndex(report, page) });
    });
}
