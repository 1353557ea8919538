import type { Command } from "commander";
import type { MemoryType } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import { renderFields } from "../terminal/render-fields.js";
import type { Shell } from "../terminal/shell.js";
import { fold } from "../terminal/text-width.js";

const fading =
  "What has a half-life fades: its confidence halves with every one in which it is not used, and after three it is forgotten. What is pinned does not fade.";

export function addTypes(program: Command, shell: Shell): void {
  program
    .command("types")
    .description("list the types of memories, and what each is for")
    .action(async () => {
      const { listMemoryTypes } = await import("../../index.js");
      const types = listMemoryTypes();
      await shell.print({
        document: { types },
        text: (page) =>
          [
            "A memory of the type …",
            "",
            renderFields(
              types.map((type) => [type.type, `${type.purpose}${lifeOf(type)}`]),
              page,
            ),
            "",
            ...fold(fading, page.width).map((line) => page.paint("dim", line)),
          ].join("\n"),
      });
    });
}

function lifeOf({ halfLifeDays, expires }: MemoryType): string {
  if (halfLifeDays !== undefined) return ` (half-life ${countOf(halfLifeDays, "day")})`;
  if (!expires) return "";
  return "days" in expires ? ` (kept for ${expires.days} days)` : " (may end with the day)";
}
