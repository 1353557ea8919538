import type { Command } from "commander";
import type { Answer } from "../answer.js";
import { getMemory } from "../get-memory.js";
import { renderEvidence } from "../render-evidence.js";
import { renderWholeMemory } from "../render-whole-memory.js";
import type { Shell } from "../shell.js";

export function addShow(program: Command, shell: Shell): void {
  program
    .command("show")
    .description("show one memory whole, a forgotten one too")
    .argument("<ref>", "its id, the last 8 characters of it, or its name")
    .option("--evidence", "also what was seen that led to it")
    .action(async (reference: string, { evidence = false }: { evidence?: boolean }) =>
      shell.print(evidence ? await showEvidence(shell, reference) : await show(shell, reference)),
    );
}

async function show(shell: Shell, reference: string): Promise<Answer> {
  const found = await shell.withMemory((memory) => getMemory(memory, reference));
  return { document: found, ids: [found.id], text: (page) => renderWholeMemory(found, page) };
}

async function showEvidence(shell: Shell, reference: string): Promise<Answer> {
  const { found, evidence } = await shell.withMemory(async (memory) => {
    const shown = await getMemory(memory, reference);
    return { found: shown, evidence: await memory.evidence(shown.id) };
  });
  return {
    document: { ...found, evidence },
    ids: [found.id],
    text: (page) => `${renderWholeMemory(found, page)}\n\n${renderEvidence(evidence, found.source, page)}`,
  };
}
