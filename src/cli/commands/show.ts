import type { Command } from "commander";
import type { Answer } from "../answer.js";
import { getMemory } from "../get-memory.js";
import { renderWholeMemory } from "../render-whole-memory.js";
import type { Shell } from "../shell.js";

export function addShow(program: Command, shell: Shell): void {
  program
    .command("show")
    .description("show one memory whole, a forgotten one too")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .action(async (reference: string) => shell.print(await show(shell, reference)));
}

async function show(shell: Shell, reference: string): Promise<Answer> {
  const found = await shell.withMemory((memory) => getMemory(memory, reference));
  return { document: found, ids: [found.id], text: (page) => renderWholeMemory(found, page) };
}
