import type { Command } from "commander";
import { renderFields } from "../render-memory.js";
import type { Shell } from "../shell.js";

export function addTypes(program: Command, shell: Shell): void {
  program
    .command("types")
    .description("list the types of memories, and what each is for")
    .action(async () => {
      const { memoryTypes } = await import("../../index.js");
      await shell.print({
        document: { types: memoryTypes },
        text: (page) =>
          renderFields(
            memoryTypes.map(({ type, purpose }) => [type, purpose]),
            page,
          ),
      });
    });
}
