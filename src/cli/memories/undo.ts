import type { Command } from "commander";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { wholeNumber } from "../terminal/option-values.js";
import { renderAge } from "../terminal/render-age.js";
import { renderChange } from "./render-history.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";

const examples = `
Later changes of other fields stay. Undoing is a change itself: undone twice is done again.

Examples:
  tacit undo deploy-rule             the last change
  tacit undo deploy-rule 3           the one that tacit history deploy-rule shows as number 3
`;

export function addUndo(program: Command, shell: Shell): void {
  program
    .command("undo")
    .description("take back one change of a memory")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .argument("[number]", "which change; the last one unless said otherwise", wholeNumber)
    .option("--force", "also where a later change built on it")
    .addHelpText("after", examples)
    .action(async (reference: string, number: number | undefined, flags: { force?: boolean }) =>
      shell.print(await undo(shell, reference, number, flags.force)),
    );
}

async function undo(shell: Shell, reference: string, wanted?: number, force?: boolean): Promise<Answer> {
  const { memory, undone, done } = await shell.withMemory(async (tacit) => {
    const before = await tacit.history(reference);
    const change = before.find(({ number }) => wanted === undefined || number === wanted);
    // By its number, so that what is taken back is what the answer tells of.
    const changed = await tacit.undo(reference, setOnly({ number: change?.number ?? wanted, force }));
    const [latest] = await tacit.history(changed.id);
    return { memory: changed, undone: change, done: latest?.number === before[0]?.number ? undefined : latest };
  });
  return {
    ...aboutMemory(memory, (id, page) => {
      const what = `change ${undone?.number} of ${id} (${undone?.verb} ${renderAge(undone?.at ?? "", page.now)})`;
      if (!done) return `Everything in ${what} was taken back already.`;
      const wayBack =
        memory.status === "forgotten" ? `tacit restore ${id} brings it back` : `tacit undo ${id} redoes it`;
      return `Took back ${what}; ${wayBack}.\n${renderChange(done, page)}`;
    }),
    document: { ...memory, undone },
  };
}
