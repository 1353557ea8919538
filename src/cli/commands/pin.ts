import type { Command } from "commander";
import { aboutMemory } from "../answer.js";
import type { Shell } from "../shell.js";

export function addPin(program: Command, shell: Shell): void {
  program
    .command("pin")
    .description("mark a memory as one to keep")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .option("--off", "take the mark away")
    .action(async (reference: string, { off = false }: { off?: boolean }) => {
      const pinned = await shell.withMemory((memory) => memory.pin(reference, !off));
      await shell.print(
        aboutMemory(pinned, (id) => (off ? `${id} is no longer pinned.` : `Pinned ${id}: it is one to keep.`)),
      );
    });
}
