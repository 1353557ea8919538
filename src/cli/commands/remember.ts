import type { Command } from "commander";
import type { Memory, TrustFlag } from "../../index.js";
import type { Answer } from "../answer.js";
import { addAliasOption, addMemoryOptions, type MemoryFlags, readMemoryInput } from "../memory-options.js";
import { oneLine, renderMemoryList, shortId } from "../render-memory.js";
import { renderAge } from "../render-age.js";
import type { Shell } from "../shell.js";
import { findSimilar } from "../similar-word.js";
import { textArgument } from "../text-argument.js";

const examples = `
Examples:
  tacit remember "Tests need a running Docker" --type gotcha --tag ci
  tacit remember "We chose libSQL over Postgres: no server" --type decision --name why-libsql
  tacit remember - --file src/http.ts < note.txt
`;

const removed: Record<TrustFlag, string> = {
  "secret-redacted": "A secret was taken out before anything was kept.",
  "private-removed": "The part marked <private> was left out.",
  "invisible-removed": "Invisible characters were taken out.",
  tainted: "It comes from outside the project and waits for your review.",
};

export function addRemember(program: Command, shell: Shell): void {
  const command = program
    .command("remember")
    .description("keep something worth knowing")
    .argument("<text>", "what to remember, in quotes; - reads it from standard input")
    .addHelpText("after", examples)
    .action(async (text: string, flags: MemoryFlags) => shell.print(await remember(shell, text, flags)));
  addAliasOption(addMemoryOptions(command));
}

async function remember(shell: Shell, typed: string, flags: MemoryFlags): Promise<Answer> {
  const content = await textArgument(typed, shell);
  const { kept, notice } = await shell.withMemory(async (memory) => ({
    kept: await memory.remember(readMemoryInput(content, flags)),
    // Where the project is in doubt, the moment something is kept is the moment to ask.
    notice: shell.flags.json || shell.flags.quiet ? undefined : (await memory.project()).notice,
  }));
  const { memoryTypes } = await import("../../index.js");
  const types = memoryTypes.map(({ type }) => type);

  return {
    document: kept,
    ids: [kept.id],
    text: (page) => {
      const id = page.paint("cyan", shortId(kept.id));
      const headline = kept.merged
        ? `Known already: added to ${id}, first kept ${renderAge(kept.storedAt, page.now)}.`
        : `Remembered ${id}.`;
      const remarks = [
        ...kept.trustFlags.map((flag) => removed[flag]),
        ...similarRemark(kept),
        ...typeRemark(kept, types),
        ...(notice === undefined ? [] : [notice]),
      ];
      return [
        headline,
        ...remarks.map((remark) => page.paint("yellow", oneLine(remark, page))),
        "",
        renderMemoryList([kept], page),
      ].join("\n");
    },
  };
}

function similarRemark(memory: Memory): string[] {
  const others = memory.relations.flatMap(({ kind, memory: id }) => (kind === "similar" && id ? [shortId(id)] : []));
  return others.length === 0 ? [] : [`Much like ${others.join(", ")}; both are kept.`];
}

function typeRemark({ id, type }: Memory, types: string[]): string[] {
  if (types.includes(type)) return [];
  const guess = findSimilar(type, types);
  const remark = `Tacit knows no type '${type}'; it is kept and treated as a note.`;
  return [guess === undefined ? remark : `${remark} Did you mean: tacit edit ${shortId(id)} --type ${guess}`];
}
