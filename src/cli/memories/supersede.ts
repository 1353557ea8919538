import type { Command } from "commander";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { addAliasOption, addMemoryOptions, type MemoryFlags, readMemoryInput } from "./memory-options.js";
import { contradictedRemark, remarksOn, takenRemark } from "../listing/remarks.js";
import { oneLine } from "../terminal/one-line.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";

const examples = `
Example:
  tacit supersede staging-port "Staging listens on port 9090"
`;

export function addSupersede(program: Command, shell: Shell): void {
  const command = program
    .command("supersede")
    .description("put a newer truth in a memory's place; the old one is kept but no longer comes back")
    .argument("<ref>", "the old memory: its id, the last 8 characters of it, or its name")
    .argument("<text>", "what is true now, in quotes; - reads it from standard input")
    .addHelpText("after", examples)
    .action(async (reference: string, text: string, flags: MemoryFlags) =>
      shell.print(await supersede(shell, reference, text, flags)),
    );
  addAliasOption(addMemoryOptions(command));
}

async function supersede(shell: Shell, reference: string, typed: string, flags: MemoryFlags): Promise<Answer> {
  const content = await textArgument(typed, shell);
  const options = setOnly({ rebind: flags.rebind });
  const newer = await shell.withMemory((memory) =>
    memory.supersede(reference, readMemoryInput(content, flags), options),
  );
  return aboutMemory(
    newer,
    (id, page) =>
      newer.status === "waiting"
        ? `${id} waits for a person, and ${oneLine(reference, page)} stays in force until then.`
        : `${id} now stands in the place of ${oneLine(reference, page)}.`,
    [...takenRemark(newer), ...contradictedRemark(newer), ...remarksOn(newer)],
  );
}
