import type { Command } from "commander";
import { openPage } from "../terminal/page.js";
import type { Shell } from "../terminal/shell.js";

// Long enough to read a step, short enough for a minute in all.
const pauseMs = 2000;

export function addTour(program: Command, shell: Shell): void {
  program
    .command("tour")
    .description("see in a minute what Tacit does; leaves your own memories alone")
    .option("--fast", "no pauses for reading")
    .action(async ({ fast = false }: { fast?: boolean }) => {
      const { runTour } = await import("./run-tour.js");
      const silent = shell.flags.json || shell.flags.quiet;
      const report = await runTour({
        // Everything it prints is its own text, or has been through a command that cleaned it.
        page: openPage({ stream: process.stdout, env: process.env, clean: (text) => text, now: new Date() }),
        print: (line) => void (silent || process.stdout.write(`${line}\n`)),
        pauseMs: process.stdout.isTTY && !fast && !silent ? pauseMs : 0,
      });
      if (silent) await shell.print({ document: report, ok: report.ok, text: () => "" });
      else if (!report.ok) process.exitCode = 1;
    });
}
