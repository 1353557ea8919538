import type { Command } from "commander";
import type { HistoryEntry } from "../../index.js";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { takenRemark } from "../listing/remarks.js";
import { oneLine } from "../terminal/one-line.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";

const examples = `
An alias works wherever an id or a name does, and adds no words to the search. tacit unalias takes one away.

Examples:
  tacit alias deploy-rule friday-rule
  tacit alias 5f3a9c1e friday-rule "no releases on fridays"
`;

export function addAlias(program: Command, shell: Shell): void {
  program
    .command("alias")
    .description("give a memory further names")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .argument("<name...>", "the names to add")
    .option("--rebind", "take the names from whoever holds them")
    .addHelpText("after", examples)
    .action(async (reference: string, names: string[], flags: { rebind?: boolean }) =>
      shell.print(await alias(shell, reference, names, flags.rebind)),
    );
}

async function alias(shell: Shell, reference: string, names: string[], rebind?: boolean): Promise<Answer> {
  const { named, added } = await shell.withMemory(async (memory) => {
    const [before] = await memory.history(reference);
    const changed = await memory.alias(reference, names, setOnly({ rebind }));
    const [latest] = await memory.history(changed.id);
    return { named: changed, added: latest?.number === before?.number ? [] : addedBy(latest) };
  });
  return aboutMemory(
    named,
    (id, page) =>
      added.length > 0
        ? `${id} also answers to ${oneLine(added.join(", "), page)}.`
        : `${id} already answers to ${oneLine(names.join(", "), page)}.`,
    takenRemark(named),
  );
}

/** The aliases that a change added. */
function addedBy(change: HistoryEntry | undefined): string[] {
  const { before = [], after = [] } = (change?.fields["aliases"] ?? {}) as { before?: string[]; after?: string[] };
  return after.filter((name) => !before.includes(name));
}
