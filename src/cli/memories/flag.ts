import type { Command } from "commander";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { brief } from "../terminal/brief.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

export function addFlag(program: Command, shell: Shell): void {
  program
    .command("flag")
    .description("say that a memory is wrong; it no longer comes back")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .argument("[reason]", "what is wrong with it, in quotes")
    .option("--reason <text>", "the same, as a flag")
    .action(async (reference: string, reason: string | undefined, flags: { reason?: string }) =>
      shell.print(await flag(shell, reference, reason, flags.reason)),
    );
}

async function flag(shell: Shell, reference: string, argument?: string, option?: string): Promise<Answer> {
  const reason = option ?? argument;
  if (reason === undefined || reason.trim() === "" || (option !== undefined && argument !== undefined)) {
    throw await wrongUsage(
      "flag needs one reason.",
      `For example: tacit flag ${brief(reference)} "the port has changed"`,
    );
  }
  const flagged = await shell.withMemory((memory) => memory.flag(reference, reason));
  return aboutMemory(flagged, (id) => `Flagged ${id} as wrong; tacit verify ${id} takes that back.`);
}
