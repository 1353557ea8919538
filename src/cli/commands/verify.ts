import type { Command } from "commander";
import { aboutMemory } from "../answer.js";
import type { Shell } from "../shell.js";

export function addVerify(program: Command, shell: Shell): void {
  program
    .command("verify")
    .description("say that a memory is true; you have checked it")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .action(async (reference: string) => {
      const verified = await shell.withMemory((memory) => memory.verify(reference));
      await shell.print(aboutMemory(verified, (id) => `Verified ${id}.`));
    });
}
