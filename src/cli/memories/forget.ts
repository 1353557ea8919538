import type { Command } from "commander";
import type { Memory } from "../../index.js";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { addFilterOptions, addMinScoreOption, type FilterFlags, readFilter } from "../listing/filter-options.js";
import { countOf } from "../../base/count-of.js";
import { oneLine } from "../terminal/one-line.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const examples = `
What is forgotten can be restored for 30 days. A search lists what it found, and forgets it only with --yes.

Examples:
  tacit forget 5f3a9c1e
  tacit forget --query "old build" --type gotcha
  tacit forget --query "old build" --type gotcha --yes
`;

interface ForgetFlags extends FilterFlags {
  query?: string;
  yes?: boolean;
}

export function addForget(program: Command, shell: Shell): void {
  const command = program
    .command("forget")
    .description("let memories go; restore brings them back for 30 days")
    .argument("[ref...]", "ids, the last 8 characters of them, or names")
    .option("--query <words>", "what a search finds, instead of references")
    .option("--yes", "with --query: forget what it finds")
    .addHelpText("after", examples)
    .action(async (references: string[], flags: ForgetFlags) => shell.print(await forget(shell, references, flags)));
  addMinScoreOption(addFilterOptions(command));
}

async function forget(shell: Shell, references: string[], flags: ForgetFlags): Promise<Answer> {
  const { query, yes = false, ...filters } = flags;
  if (references.length === 0 && query === undefined) {
    throw await wrongUsage(
      "Name the memories to forget, or say --query and what to search for.",
      `For example: tacit forget 5f3a9c1e, or: tacit forget --query "old build" --type gotcha`,
    );
  }
  if (references.length > 0 && query !== undefined) {
    throw await wrongUsage(
      "forget takes references, or --query, and not both.",
      `For example: tacit forget 5f3a9c1e, or: tacit forget --query "old build"`,
    );
  }
  if (query !== undefined) return forgetFound(shell, query, filters, yes);
  if (Object.keys(filters).length > 0) {
    throw await wrongUsage(
      "flags that filter belong to --query.",
      `For example: tacit forget --query "old build" --type gotcha`,
    );
  }
  const forgotten = await shell.withMemory((memory) => memory.forgetMany(references));
  const [only] = forgotten;
  return forgotten.length === 1 && only
    ? aboutMemory(only, (id) => `Forgot ${id}; tacit restore ${id} brings it back.`)
    : listAnswer(
        { memories: forgotten },
        forgotten,
        `Forgot ${countOf(forgotten.length, "memory")}; tacit restore REF brings one back.`,
      );
}

async function forgetFound(shell: Shell, query: string, filters: FilterFlags, yes: boolean): Promise<Answer> {
  const { searchToForget } = await import("../../index.js");
  const { memories, note } = await shell.withMemory(async (memory) => {
    // A person may forget it wherever it came from.
    const results = await memory.recall(query, { ...readFilter(filters), ...searchToForget, includeTainted: true });
    const found = results.map((result) => result.memory);
    return {
      memories: yes ? await memory.forgetMany(found.map(({ id }) => id)) : found,
      note: memory.explain(query).note,
    };
  });
  const document = { query, dryRun: !yes, memories, ...(note !== undefined && { note }) };
  if (memories.length === 0) return listAnswer(document, memories, note ?? `Nothing found for "${query}".`);
  const count = countOf(memories.length, "memory");
  return listAnswer(
    document,
    memories,
    yes
      ? `Forgot ${count}; tacit restore REF brings one back.`
      : `Nothing is forgotten yet. The same line with --yes forgets ${count}:`,
  );
}

function listAnswer(document: unknown, memories: Memory[], sentence: string): Answer {
  return {
    document,
    ids: memories.map((memory) => memory.id),
    text: (page) =>
      [oneLine(sentence, page), ...(memories.length > 0 ? ["", renderMemoryList(memories, page)] : [])].join("\n"),
  };
}
