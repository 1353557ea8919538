import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import type { RecallOptions, RecallReport, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import { findProjectNotice, withNotice } from "./project-notice.js";
import { addRecallOptions, type RecallFlags, readRecallOptions } from "./recall-options.js";
import { countedAtMost, renderNothing, renderRecall, shownAtMost } from "./render-recall.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";

// More than fit into any budget that is worth sending.
const packedAtMost = 100;
// What has no vector yet may be what was asked for, and nobody waits longer for it.
const waitForVectorsMs = 1000;

const examples = `
Examples:
  tacit recall "how do we deploy"
  tacit recall getUserById --file src/users.ts --explain
  tacit recall retries --type gotcha --since 30d --json
  tacit recall "what should I know about retries" --phase implement --pack 1500
  tacit recall --code "where are retries counted" --file src/
`;

export function addRecall(program: Command, shell: Shell): void {
  const command = program
    .command("recall")
    .description("find memories that answer a question, best first")
    .argument("<query>", "a question or some words, in quotes; - reads it from standard input")
    .addHelpText("after", examples)
    .action(async (query: string, flags: RecallFlags) => shell.print(await recall(shell, query, flags)));
  addRecallOptions(command);
}

async function recall(shell: Shell, typed: string, flags: RecallFlags): Promise<Answer> {
  const query = await textArgument(typed, shell);
  if (flags.mode !== "words" && !flags.words) compileQuickly();
  if (flags.code) return (await import("./recall-code.js")).recallCode(shell, query, flags);
  return shell.withMemory(async (memory) => {
    const options: RecallOptions = {
      ...boundOf(shell, flags),
      ...readRecallOptions(flags),
      ...(await readExcluded(memory, flags)),
      waitForVectorsMs,
    };
    const report = await memory.recallReport(query, options);
    const { remarks, isFailing } = await findRemarks(memory, report, flags);
    const asked = { memory, shell, query, flags, report, remarks };
    const answer = await (flags.pack === undefined ? answerWithResults(asked) : answerWithText(asked, flags.pack));
    // A model that has just failed would fail again, and --words asks none.
    if (options.mode === "words" || isFailing) return answer;
    const isDue = report.mode === "words";
    return {
      ...answer,
      afterwards: async () => (await import("./embed-afterwards.js")).embedAfterwards(memory, { isDue }),
    };
  });
}

/**
 * Has WebAssembly compiled for a quick start only. A process that asks the bundled model one question would spend most of its
 * time on code for a thousand: 2.2 s of processor time instead of 0.7 (2026-11).
 */
function compileQuickly(): void {
  setFlagsFromString("--liftoff-only");
}

/** What is asked for where the user does not say how many: as many as are shown, and enough to say how many more. */
function boundOf({ flags: { json, quiet } }: Shell, { pack }: RecallFlags): { limit?: number } {
  if (pack !== undefined) return { limit: packedAtMost };
  return json || quiet ? {} : { limit: shownAtMost + countedAtMost + 1 };
}

/** The ids of what is to be left out; somebody who names what is not there would think that it was. */
async function readExcluded(memory: TacitMemory, { exclude }: RecallFlags): Promise<{ excludeIds?: string[] }> {
  if (exclude === undefined) return {};
  const { getMemory } = await import("../listing/get-memory.js");
  const found = await Promise.all(exclude.map((reference) => getMemory(memory, reference)));
  return { excludeIds: found.map(({ id }) => id) };
}

interface Remarks {
  remarks: string[];
  /** True when the embedding model was asked just now and did not answer. */
  isFailing: boolean;
}

/** What a reader should know about the search. That the first vectors are still to come matters where nothing was found. */
async function findRemarks(memory: TacitMemory, report: RecallReport, { explain }: RecallFlags): Promise<Remarks> {
  const { notes, results } = report;
  if (notes.length === 0) return { remarks: [], isFailing: false };
  const { ready, failure } = (await memory.stats()).embedding;
  if (failure === undefined)
    return { remarks: ready || explain || results.length === 0 ? notes : [], isFailing: false };
  const isFailing = report.mode === "words" && notes.some((note) => note.includes(failure));
  return { remarks: ready || isFailing ? notes : [...notes, failure], isFailing };
}

interface Asked {
  memory: TacitMemory;
  shell: Shell;
  query: string;
  flags: RecallFlags;
  report: RecallReport;
  remarks: string[];
}

async function answerWithResults({ memory, shell, query, flags, report, remarks }: Asked): Promise<Answer> {
  const explanation = memory.explain(query);
  const notice = await findProjectNotice(memory, shell);
  const note = report.results.length === 0 ? explanation.note : undefined;
  return {
    document: {
      query,
      ...report,
      ...(note !== undefined && { note }),
      ...(flags.explain && { explanation }),
      ...(notice !== undefined && { notice }),
    },
    ids: report.results.map((result) => result.memory.id),
    text: (page) => withNotice(renderRecall({ query, report, explanation, remarks, flags }, page), notice, page),
  };
}

/** The results as one text for a model, and nothing else: it is made to be put into a prompt. */
async function answerWithText({ memory, shell, query, flags, report }: Asked, pack: number | true): Promise<Answer> {
  const { results, mode, notes } = report;
  const budget = pack === true ? {} : { budgetTokens: pack };
  const packed = await memory.pack(results, { ...budget, ...(flags.phase && { phase: flags.phase }) });
  const { text, tokens, budgetTokens, included, leftOut } = packed;
  const left = leftOut.length === 0 ? "" : `; ${countOf(leftOut.length, "memory")} did not fit`;
  shell.notice(`${countOf(included.length, "memory")}, ${tokens} of ${budgetTokens} tokens${left}.`);
  return {
    document: { query, mode, notes, ...packed },
    ids: included.map(({ id }) => id),
    text: (page) =>
      text === ""
        ? renderNothing(
            query,
            leftOut.length > 0 ? nothingFits(leftOut.length, budgetTokens) : memory.explain(query).note,
            page,
          )
        : text
            .trimEnd()
            .split("\n")
            .map((line) => page.clean(line))
            .join("\n"),
  };
}

function nothingFits(found: number, budgetTokens: number): string {
  return `${countOf(found, "memory")} found, but none fits into ${budgetTokens} tokens.`;
}
