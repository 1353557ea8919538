import type { Command } from "commander";
import { aboutMemory } from "../answer.js";
import type { Shell } from "../shell.js";

export function addRestore(program: Command, shell: Shell): void {
  program
    .command("restore")
    .description("bring a forgotten memory back")
    .argument("<ref>", "its id, the last 8 characters of it, or its name; tacit list --status forgotten shows them")
    .action(async (reference: string) => {
      const restored = await shell.withMemory((memory) => memory.restore(reference));
      await shell.print(aboutMemory(restored, (id) => `${id} is back.`));
    });
}
