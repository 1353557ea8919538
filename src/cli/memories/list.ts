import { type Command, Option } from "commander";
import type { ListOptions, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { addFilterOptions, type FilterFlags, readFilter } from "../listing/filter-options.js";
import type { Page } from "../terminal/page.js";
import { findProjectNotice, withNotice } from "./project-notice.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import type { Shell } from "../terminal/shell.js";
import { countPending, pendingNotice } from "../listing/pending-notice.js";

const examples = `
Examples:
  tacit list --type decision
  tacit list --file src/http.ts --sort uses
  tacit list --status forgotten

What was said in sessions is not listed unless it is asked for: --type conversation, or tacit chat list
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
  const filtered = Object.keys(flags).length > 0;
  const { memories, elsewhere, hasTalk, notice, waiting } = await shell.withMemory(async (memory) => {
    const listed = await memory.list({ ...readFilter(flags), ...withoutConversations(flags), ...(sort && { sort }) });
    return {
      memories: listed,
      elsewhere: listed.length === 0 && !filtered && (await keepsMoreElsewhere(memory)),
      hasTalk: listed.length === 0 && !filtered && (await memory.conversations.list({ limit: 1 })).length > 0,
      notice: await findProjectNotice(memory, shell),
      waiting: filtered || shell.flags.quiet || shell.flags.json ? 0 : await countPending(memory),
    };
  });

  return {
    document: { memories, ...(notice !== undefined && { notice }) },
    ids: memories.map((memory) => memory.id),
    text: (page) =>
      withNotice(
        [
          memories.length > 0
            ? renderMemoryList(memories, page)
            : nothingListed({ filtered, elsewhere, hasTalk }, page),
          ...pendingNotice(waiting, page).map((line) => `\n${line}`),
        ].join("\n"),
        notice,
        page,
      ),
  };
}

/** One session says more than a project knows, and would hide it. */
function withoutConversations({ type, session }: FilterFlags): Pick<ListOptions, "excludeTypes"> {
  return type === undefined && session === undefined ? { excludeTypes: ["conversation"] } : {};
}

async function keepsMoreElsewhere(memory: TacitMemory): Promise<boolean> {
  const { id: here } = await memory.projects.current();
  return (await memory.projects.list()).some(({ id, memories }) => id !== here && memories > 0);
}

function nothingListed(
  { filtered, elsewhere, hasTalk }: { filtered: boolean; elsewhere: boolean; hasTalk: boolean },
  page: Page,
): string {
  if (filtered) return "No memory matches.";
  if (hasTalk) return "Nothing is known of this project yet but what was said: tacit chat list";
  return [
    `Nothing is kept for this project yet. Begin with: tacit remember "…"`,
    ...(elsewhere ? [page.paint("dim", "Kept under another project? tacit project list shows them all.")] : []),
  ].join("\n");
}
