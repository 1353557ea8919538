import type { Command } from "commander";
import type { Answer } from "../terminal/answer.js";
import { getMemory } from "../listing/get-memory.js";
import { renderHistory } from "./render-history.js";
import { shortId } from "../terminal/short-id.js";
import type { Shell } from "../terminal/shell.js";

export function addHistory(program: Command, shell: Shell): void {
  program
    .command("history")
    .description("show every change of a memory, newest first")
    .argument("<ref>", "its id, the last 8 characters of it, or its name; a forgotten one has its history too")
    .action(async (reference: string) => shell.print(await history(shell, reference)));
}

async function history(shell: Shell, reference: string): Promise<Answer> {
  const { id, changes } = await shell.withMemory(async (memory) => {
    const found = await getMemory(memory, reference);
    return { id: found.id, changes: await memory.history(found.id) };
  });
  return {
    document: { id, changes },
    ids: [id],
    text: (page) =>
      [
        renderHistory(changes, page),
        "",
        page.paint("dim", `tacit undo ${shortId(id)} NUMBER takes one of them back.`),
      ].join("\n"),
  };
}
