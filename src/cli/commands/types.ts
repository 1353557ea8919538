import type { Command } from "commander";
import type { MemoryType } from "../../index.js";
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
          `A memory of the type …\n\n${renderFields(
            memoryTypes.map((type) => [type.type, `${type.purpose}${lifeOf(type)}`]),
            page,
          )}`,
      });
    });
}

function lifeOf({ expires }: MemoryType): string {
  if (!expires) return "";
  return "days" in expires ? ` (kept for ${expires.days} days)` : " (may end with the day)";
}
