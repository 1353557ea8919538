import type { Command } from "commander";
import type { Answer } from "../terminal/answer.js";
import { getMemory } from "../listing/get-memory.js";
import { renderEvidence } from "./render-evidence.js";
import { renderWholeMemory } from "./render-whole-memory.js";
import type { Shell } from "../terminal/shell.js";

interface ShowFlags {
  evidence?: boolean;
  turns?: boolean;
}

export function addShow(program: Command, shell: Shell): void {
  program
    .command("show")
    .description("show one memory whole, a forgotten one too")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .option("--evidence", "also what was seen that led to it")
    .option("--turns", "also every turn that an archive sums up, as it was said")
    .action(async (reference: string, flags: ShowFlags) => shell.print(await show(shell, reference, flags)));
}

async function show(
  shell: Shell,
  reference: string,
  { evidence: withEvidence = false, turns: withTurns = false }: ShowFlags,
): Promise<Answer> {
  const { renderTurns } = withTurns ? await import("../chat/render-turns.js") : { renderTurns: () => "" };
  return shell.withMemory(async (memory) => {
    const found = await getMemory(memory, reference);
    const evidence = withEvidence ? await memory.review.evidence(found.id) : undefined;
    const turns = withTurns ? await memory.conversations.archivedTurns(found.id) : undefined;
    return {
      document: { ...found, ...(evidence && { evidence }), ...(turns && { turns }) },
      ids: [found.id],
      text: (page) =>
        [
          renderWholeMemory(found, page),
          ...(evidence ? [renderEvidence(evidence, found.source, page)] : []),
          ...(turns ? [turns.length === 0 ? "None of its turns is left." : renderTurns(turns, page)] : []),
        ].join("\n\n"),
    };
  });
}
