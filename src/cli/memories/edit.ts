import type { Command } from "commander";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { brief } from "../terminal/brief.js";
import { addMemoryOptions, addRemovalOptions, type MemoryFlags, readMemoryChanges } from "./memory-options.js";
import { contradictedRemark, remarksOnText, takenRemark } from "../listing/remarks.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const examples = `
Lists replace the old ones: --tag a --tag b leaves just these two.

Examples:
  tacit edit lint-first "Run the linter and the formatter before pushing"
  tacit edit 5f3a9c1e --tag ci --no-expires
`;

interface EditFlags extends MemoryFlags {
  force?: boolean;
}

export function addEdit(program: Command, shell: Shell): void {
  const command = program
    .command("edit")
    .description("correct a memory's text or details")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .argument("[text]", "the new text, in quotes; - reads it from standard input")
    .option("--force", "rewrite the text of an archive too, which otherwise stays as it was written")
    .addHelpText("after", examples)
    .action(async (reference: string, text: string | undefined, flags: EditFlags) =>
      shell.print(await edit(shell, reference, text, flags)),
    );
  addRemovalOptions(addMemoryOptions(command));
}

async function edit(shell: Shell, reference: string, typed: string | undefined, flags: EditFlags): Promise<Answer> {
  const content = typed === undefined ? undefined : await textArgument(typed, shell);
  const changes = readMemoryChanges(content, flags);
  if (Object.keys(changes).length === 0) {
    throw await wrongUsage(
      "edit was told nothing to change.",
      `For example: tacit edit ${brief(reference)} "new text" --tag ci`,
    );
  }
  const options = setOnly({ rebind: flags.rebind, force: flags.force });
  const changed = await shell.withMemory((memory) => memory.revise(reference, changes, options));
  const remarks = [
    ...takenRemark(changed),
    ...contradictedRemark(changed),
    ...(content === undefined ? [] : remarksOnText(content, changed)),
  ];
  return aboutMemory(changed, (id) => `Changed ${id}.`, remarks);
}
