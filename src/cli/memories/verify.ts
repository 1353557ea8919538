import type { Command } from "commander";
import { aboutMemory } from "../listing/about-memory.js";
import { contradictedRemark } from "../listing/remarks.js";
import type { Answer } from "../terminal/answer.js";
import { renderStale } from "./render-stale.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const details = `
A memory that names files or symbols is compared with the code after every indexing. It moved where what
it names is elsewhere or called otherwise; it is in doubt where that is gone, takes other arguments, or has
another value than the memory says. It still comes back, marked with the reason, and counts half.

Examples:
  tacit verify 1a2b3c4d           it is true, you have checked it
  tacit verify --stale            compare everything with the code now
  tacit edit REF "better text"    put right what has changed
`;

export function addVerify(program: Command, shell: Shell): void {
  program
    .command("verify")
    .description("say that a memory is true; or list those that the code speaks against")
    .argument("[ref]", "its id, the last 8 characters of it, or its name")
    .option("--stale", "compare every memory with the code, and list what moved or is in doubt")
    .addHelpText("after", details)
    .action(async (reference: string | undefined, { stale = false }: { stale?: boolean }) => {
      if ((reference !== undefined) === stale) {
        throw await wrongUsage("verify needs a reference, or --stale.", "For example: tacit verify --stale");
      }
      await shell.print(reference === undefined ? await listStale(shell) : await verify(shell, reference));
    });
}

async function verify(shell: Shell, reference: string): Promise<Answer> {
  const verified = await shell.withMemory((memory) => memory.verify(reference));
  return aboutMemory(verified, (id) => `Verified ${id}.`, contradictedRemark(verified));
}

async function listStale(shell: Shell): Promise<Answer> {
  const report = await shell.withMemory((memory) => memory.review.stale());
  return {
    document: report,
    ids: [...report.inDoubt, ...report.moved].map(({ id }) => id),
    text: (page) => renderStale(report, page),
  };
}
