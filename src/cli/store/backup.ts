import type { Command } from "commander";
import { countOf } from "../../base/count-of.js";
import type { Shell } from "../terminal/shell.js";

export function addBackup(program: Command, shell: Shell): void {
  program
    .command("backup")
    .description("copy the whole store into a new file, while others may write")
    .argument("<file>", "where to; a file that is there already is never overwritten")
    .addHelpText("after", "\nThe copy is a store of its own: tacit list --db FILE\n")
    .action(async (file: string) => {
      const report = await shell.withMemory((memory) => memory.store.backup(file));
      const size = `${Math.ceil(report.bytes / 1024).toLocaleString("en")} KiB`;
      await shell.print({
        document: report,
        text: (page) => `Copied ${countOf(report.memories, "memory")} (${size}) to ${page.clean(report.file)}`,
      });
    });
}
