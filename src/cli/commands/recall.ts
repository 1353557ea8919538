import type { Command } from "commander";
import type { RecallResult } from "../../index.js";
import type { Answer } from "../answer.js";
import { addFilterOptions, addMinScoreOption, type FilterFlags, readFilter } from "../filter-options.js";
import type { Page } from "../page.js";
import { findProjectNotice, withNotice } from "../project-notice.js";
import { oneLine, renderResults } from "../render-memory.js";
import type { Shell } from "../shell.js";
import { textArgument } from "../text-argument.js";

const shownAtMost = 10;
// Counting every match of a common word takes seconds in a large store (0.8 s for 10,000); a person needs the order
// of magnitude.
const countedAtMost = 100;

const examples = `
Examples:
  tacit recall "how do we deploy"
  tacit recall getUserById --file src/users.ts --explain
  tacit recall retries --type gotcha --since 30d --json
`;

interface RecallFlags extends FilterFlags {
  explain?: boolean;
  /** False with `--no-user`. */
  user: boolean;
}

export function addRecall(program: Command, shell: Shell): void {
  const command = program
    .command("recall")
    .description("find memories that answer a question, best first")
    .argument("<query>", "a question or some words, in quotes; - reads it from standard input")
    .option("--explain", "say for each why it came")
    .option("--no-user", "leave out what holds everywhere, from the project user")
    .addHelpText("after", examples)
    .action(async (query: string, flags: RecallFlags) => shell.print(await recall(shell, query, flags)));
  addMinScoreOption(addFilterOptions(command));
}

async function recall(shell: Shell, typed: string, flags: RecallFlags): Promise<Answer> {
  const query = await textArgument(typed, shell);
  const forPeople = !shell.flags.json && !shell.flags.quiet;
  const bound = forPeople ? { limit: shownAtMost + countedAtMost + 1 } : {};
  const { results, explanation, notice } = await shell.withMemory(async (memory) => ({
    results: await memory.recall(query, { ...bound, ...readFilter(flags), includeUser: flags.user }),
    explanation: memory.explain(query),
    notice: await findProjectNotice(memory, shell),
  }));
  const note = results.length === 0 ? explanation.note : undefined;

  return {
    document: {
      query,
      results,
      ...(note !== undefined && { note }),
      ...(flags.explain && { explanation }),
      ...(notice !== undefined && { notice }),
    },
    ids: results.map((result) => result.memory.id),
    text: (page) => {
      const words = flags.explain ? [page.paint("dim", oneLine(wordsOf(explanation), page)), ""] : [];
      return withNotice([...words, renderAnswer(query, results, note, flags, page)].join("\n"), notice, page);
    },
  };
}

function renderAnswer(
  query: string,
  results: RecallResult[],
  note: string | undefined,
  flags: RecallFlags,
  page: Page,
): string {
  if (results.length === 0) {
    return `${oneLine(note ?? `Nothing found for "${query}".`, page)}\n${page.paint("dim", "tacit list shows everything that is kept.")}`;
  }
  const shown = flags.limit === undefined ? results.slice(0, shownAtMost) : results;
  const more = results.length - shown.length;
  return [renderResults(shown, page, { explain: flags.explain === true }), ...moreRemark(more)].join("\n\n");
}

function moreRemark(more: number): string[] {
  if (more > countedAtMost) return [`More than ${countedAtMost} others match; --limit 50 shows more of them.`];
  return more > 0 ? [`${more} more; --limit ${shownAtMost + more} shows all.`] : [];
}

function wordsOf({ words, ignored }: { words: string[]; ignored: string[] }): string {
  const left = ignored.length === 0 ? "" : `; left out: ${ignored.join(", ")}`;
  return `Looked for: ${words.length === 0 ? "nothing" : words.join(", ")}${left}`;
}
