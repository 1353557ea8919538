import type { Command } from "commander";
import { aboutMemory } from "../listing/about-memory.js";
import type { Shell } from "../terminal/shell.js";

export function addRestore(program: Command, shell: Shell): void {
  program
    .command("restore")
    .description("bring a forgotten memory back")
    .argument("<ref>", "its id, the last 8 characters of it, or its name; tacit list --status forgotten shows them")
    .action(async (reference: string) => {
      const { memory: found, restored } = await shell.withMemory(async (memory) => {
        const known = await memory.get(reference, { forgotten: true });
        return known && known.status !== "forgotten"
          ? { memory: known, restored: false }
          : { memory: await memory.restore(reference), restored: true };
      });
      await shell.print(
        aboutMemory(found, (id) => (restored ? `${id} is back.` : `${id} was not forgotten; nothing changed.`)),
      );
    });
}
