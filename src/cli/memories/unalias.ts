import type { Command } from "commander";
import { aboutMemory } from "../listing/about-memory.js";
import { oneLine } from "../terminal/one-line.js";
import type { Shell } from "../terminal/shell.js";

export function addUnalias(program: Command, shell: Shell): void {
  program
    .command("unalias")
    .description("take an alias away; the memory stays")
    .argument("<alias>", "the alias; tacit show lists those of a memory")
    .action(async (alias: string) => {
      const unnamed = await shell.withMemory((memory) => memory.unalias(alias));
      await shell.print(
        aboutMemory(unnamed, (id, page) => `${oneLine(alias, page)} no longer means ${id}; it is free.`),
      );
    });
}
