import type { Command } from "commander";
import type { NamedMemory, TacitMemory } from "../../index.js";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { oneLine } from "../terminal/one-line.js";
import { takenRemark } from "../listing/remarks.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";

const examples = `
Examples:
  tacit rename 5f3a9c1e deploy-rule
  tacit rename deploy-rule release-rule --keep      deploy-rule goes on working
  tacit rename 5f3a9c1e deploy-rule --rebind        though another memory is called so
`;

interface RenameFlags {
  keep?: boolean;
  rebind?: boolean;
}

export function addRename(program: Command, shell: Shell): void {
  program
    .command("rename")
    .description("give a memory another name")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .argument("<name>", "the name it gets, which works wherever an id does")
    .option("--keep", "keep the old name as an alias")
    .option("--rebind", "take the name from whoever holds it")
    .addHelpText("after", examples)
    .action(async (reference: string, name: string, flags: RenameFlags) =>
      shell.print(await rename(shell, reference, name, flags)),
    );
}

async function rename(shell: Shell, reference: string, name: string, flags: RenameFlags): Promise<Answer> {
  const { renamed, oldName } = await shell.withMemory(async (memory) => {
    const named = await memory.rename(reference, name, setOnly({ keep: flags.keep, rebind: flags.rebind }));
    return { renamed: named, oldName: await findOldName(memory, named) };
  });
  return aboutMemory(
    renamed,
    (id, page) => {
      const newName = oneLine(renamed.name ?? "", page);
      if (oldName === renamed.name) return `${id} is called ${newName} already.`;
      if (oldName === undefined) return `${id} is now called ${newName}.`;
      const fate = flags.keep === true ? "stays as an alias" : "is free";
      return `Renamed ${id} to ${newName}; ${oneLine(oldName, page)} ${fate}.`;
    },
    takenRemark(renamed),
  );
}

/** The name it had. From its history, because asking for the memory beforehand would count as a use of it. */
async function findOldName(memory: TacitMemory, { id, name, updatedAt }: NamedMemory): Promise<string | undefined> {
  const [last] = await memory.history(id);
  // Where nothing changed, the last change is an earlier one.
  if (last?.verb !== "renamed" || last.at !== updatedAt) return name;
  const before = last.fields["name"]?.before;
  return typeof before === "string" ? before : undefined;
}
