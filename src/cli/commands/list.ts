import { type Command, Option } from "commander";
import type { ListOptions } from "../../index.js";
import type { Answer } from "../answer.js";
import { addFilterOptions, type FilterFlags, readFilter } from "../filter-options.js";
import { renderMemoryList } from "../render-memory.js";
import type { Shell } from "../shell.js";

const examples = `
Examples:
  tacit list --type decision
  tacit list --file src/http.ts --sort uses
  tacit list --status forgotten
`;

interface ListFlags extends FilterFlags {
  sort?: NonNullable<ListOptions["sort"]>;
}

export function addList(program: Command, shell: Shell): void {
  const command = program
    .command("list")
    .description("show what is kept, newest first")
    .addOption(new Option("--sort <order>", "newest first, or most used first").choices(["recent", "uses"]))
    .addHelpText("after", examples)
    .action(async (flags: ListFlags) => shell.print(await list(shell, flags)));
  addFilterOptions(command);
}

async function list(shell: Shell, { sort, ...flags }: ListFlags): Promise<Answer> {
  const memories = await shell.withMemory((memory) => memory.list({ ...readFilter(flags), ...(sort && { sort }) }));
  const filtered = Object.keys(flags).length > 0;

  return {
    document: { memories },
    ids: memories.map((memory) => memory.id),
    text: (page) => {
      if (memories.length > 0) return renderMemoryList(memories, page);
      return filtered ? "No memory matches." : `Nothing is kept for this project yet. Begin with: tacit remember "…"`;
    },
  };
}
