import type { Command } from "commander";
import type { Memory } from "../../index.js";
import { aboutMemory } from "../listing/about-memory.js";
import { countOf } from "../../base/count-of.js";
import type { Shell } from "../terminal/shell.js";

export function addPin(program: Command, shell: Shell): void {
  program
    .command("pin")
    .description("keep a memory from fading")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .option("--off", "let it fade again")
    .action(async (reference: string, { off = false }: { off?: boolean }) => {
      const pinned = await shell.withMemory((memory) => memory.pin(reference, !off));
      await shell.print(
        aboutMemory(pinned, (id) =>
          off ? `${id} is no longer pinned${fadingOf(pinned)}.` : `Pinned ${id}: it does not fade.`,
        ),
      );
    });
}

function fadingOf({ halfLifeDays }: Memory): string {
  return halfLifeDays === undefined ? "" : ` and fades, with a half-life of ${countOf(halfLifeDays, "day")}`;
}
