import type { Command } from "commander";
import type { Memory } from "../../index.js";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { addAliasOption, addMemoryOptions, type MemoryFlags, readMemoryInput } from "./memory-options.js";
import { findProjectNotice } from "./project-notice.js";
import { contradictedRemark, evictedRemark, remarksOn, takenRemark } from "../listing/remarks.js";
import { renderAge } from "../terminal/render-age.js";
import { shortId } from "../terminal/short-id.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { findSimilar } from "../terminal/find-similar.js";
import { textArgument } from "../terminal/text-argument.js";

const examples = `
Examples:
  tacit remember "Tests need a running Docker" --type gotcha --tag ci
  tacit remember "We chose libSQL over Postgres: no server" --type decision --name why-libsql
  tacit remember - --file src/http.ts < note.txt
`;

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
    kept: await memory.remember(readMemoryInput(content, flags), setOnly({ rebind: flags.rebind })),
    // Where the project is in doubt, the moment something is kept is the moment to ask.
    notice: await findProjectNotice(memory, shell),
  }));
  const { listMemoryTypes } = await import("../../index.js");
  const types = listMemoryTypes().map(({ type }) => type);
  const notices = [...remarksOn(kept), ...typeRemark(kept, types), ...(notice?.split("\n") ?? [])];

  return {
    ...aboutMemory(
      kept,
      (id, page) =>
        kept.merged
          ? `Known already: added to ${id}, first kept ${renderAge(kept.storedAt, page.now)}.`
          : `Remembered ${id}.`,
      [...similarRemark(kept), ...takenRemark(kept), ...contradictedRemark(kept), ...evictedRemark(kept), ...notices],
    ),
    document: { ...kept, ...(notices.length > 0 && { notices }) },
    isSaidByCaller: !kept.merged && [kept.contradicted, kept.evicted].every((others = []) => others.length === 0),
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
