import type { Command } from "commander";
import { countOf } from "../../base/count-of.js";
import { oneLine } from "../terminal/one-line.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import type { Shell } from "../terminal/shell.js";

const details = `
Happens by itself when a module has had 5, 10, 20, 50 and 100 sessions, and for pairs of modules once a
week. Everything that it finds waits for your review.
`;

export function addSynthesize(program: Command, shell: Shell): void {
  program
    .command("synthesize")
    .description("look over many sessions for what no single one tells, where it is due")
    .option("--force", "also where it is not due")
    .addHelpText("after", details)
    .action(async ({ force = false }: { force?: boolean }) => {
      const { looked, waiting } = await shell.withMemory((memory) => memory.sessions.synthesize({ force }));
      await shell.print({
        document: { looked, waiting },
        ids: waiting.map(({ id }) => id),
        text: (page) =>
          looked.length === 0
            ? nothingDue(force)
            : [
                `Looked over ${oneLine(looked.map(({ module }) => nameOf(module)).join(", "), page)}.`,
                waiting.length === 0
                  ? "Nothing new was found."
                  : `${countOf(waiting.length, "memory")} for your review: tacit review\n\n${renderMemoryList(waiting, page)}`,
              ].join("\n"),
      });
    });
}

function nothingDue(force: boolean): string {
  return force
    ? "There is nothing to look over: no module has had 5 sessions yet."
    : "Nothing is due: modules are looked over at 5, 10, 20, 50 and 100 sessions, their pairs once a week.";
}

function nameOf(module: string): string {
  if (module === "*") return "the pairs of modules";
  return module === "." ? "the files at the top" : module;
}
