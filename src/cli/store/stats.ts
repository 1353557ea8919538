import type { Command } from "commander";
import type { Stats } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderEmbedding } from "./render-embedding.js";
import { renderInjections } from "./render-injections.js";
import { oneLine } from "../terminal/one-line.js";
import { renderFields } from "../terminal/render-fields.js";
import type { Shell } from "../terminal/shell.js";

const dayMs = 86_400_000;
const shownDays = 30;

const details = `
Counts only: no question and no answer is kept. Language models are asked nothing unless you name one:
tacit config set languageModelProvider ollama

What agents are told, unasked or because they asked what to know (session_context), is counted when
their session is over. A memory counts as used where the agent named it (cited) or did what it is
about (followed); in every doubt it does not.
tacit sessions ID shows one session.
`;

export function addStats(program: Command, shell: Shell): void {
  program
    .command("stats")
    .description("show how it is used: vectors, questions, what agents were told, language models")
    .addHelpText("after", details)
    .action(async () => {
      const stats = await shell.withMemory((memory) => memory.stats());
      await shell.print({ document: stats, text: (page) => renderStats(stats, page) });
    });
}

/** The last days by kind, and all days together; a file of years is not read by anybody. */
function renderStats({ embedding, recalls, modelCalls, injections, totals }: Stats, page: Page): string {
  const since = new Date(page.now.getTime() - shownDays * dayMs).toISOString().slice(0, 10);
  const questions = groupBy(
    recalls.filter(({ day }) => day > since),
    ({ mode }) => mode,
  );
  const calls = groupBy(
    modelCalls.filter(({ day }) => day > since),
    ({ model, purpose }) => `${model} for ${purpose}`,
  );
  const parts: [heading: string, text: string][] = [
    ["Vectors of the whole store", renderEmbedding(embedding, page)],
    [`Questions in this project, ${shownDays} days`, renderGroups(questions, describeQuestions, totals.recalls, page)],
    [`Told to agents in this project, ${shownDays} days`, renderInjections(injections, page, shownDays)],
    [`Language models, ${shownDays} days`, renderGroups(calls, describeCalls, totals.modelCalls, page)],
  ];
  return parts.map(([heading, text]) => `${page.paint("bold", heading)}\n${text}`).join("\n\n");
}

function groupBy<T>(rows: T[], nameOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(nameOf(row), [...(groups.get(nameOf(row)) ?? []), row]);
  return groups;
}

function renderGroups<Total extends object>(
  groups: Map<string, Total[]>,
  describe: (rows: Total[]) => string,
  total: Total,
  page: Page,
): string {
  if (Object.values(total).every((count) => count === 0)) return page.paint("dim", "none yet");
  const fields = [...groups].map(([name, rows]): [string, string] => [oneLine(name, page), describe(rows)]);
  return renderFields([...fields, ["ever", describe([total])]], page);
}

function describeQuestions(rows: Stats["totals"]["recalls"][]): string {
  const sum = sumOver(rows);
  const unanswered = sum("unanswered") === 0 ? "" : `, ${sum("unanswered").toLocaleString("en")} without an answer`;
  const lifted =
    sum("lifted") === 0
      ? ""
      : `; the code around lifted results of ${sum("lifted").toLocaleString("en")}, and changed the first eight of ${sum("topChanged").toLocaleString("en")}`;
  return `${sum("questions").toLocaleString("en")} asked${unanswered}${lifted}`;
}

function describeCalls(rows: Stats["totals"]["modelCalls"][]): string {
  const sum = sumOver(rows);
  const failures = sum("failures") === 0 ? "" : `, ${sum("failures").toLocaleString("en")} failed`;
  return `${countOf(sum("calls"), "call")}${failures}; ${countOf(sum("inputTokens"), "token")} in, ${sum("outputTokens").toLocaleString("en")} out`;
}

function sumOver<Name extends string>(rows: Record<Name, number>[]): (name: Name) => number {
  return (name) => rows.reduce((sum, row) => sum + row[name], 0);
}
