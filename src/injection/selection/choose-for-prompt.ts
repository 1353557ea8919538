import { within } from "../../base/within.js";
import { queryWords } from "../../base/text/text.js";
import { relativeTo } from "../../memory/read/read.js";
import { recall } from "../../retrieval/recall.js";
import type { RecallOptions, RecallResult } from "../../retrieval/retrieval.js";
import { findActiveFiles } from "../active-files/find-active-files.js";
import type { SelectionOptions, Choice, InjectionPorts, Moment } from "../injection.js";
import { recipientIn } from "../eligibility/is-eligible.js";
import { recallEligible } from "./recall-eligible.js";
import { countDistinctive, countNeeded } from "./distinctive-words.js";
import { notInjectedTypes } from "./worth.js";

type Prompt = Extract<Moment, { point: "prompt" }>;

// As many as fit into the usual budget, and of those that recall brings few are about the prompt.
const most = 12;

/**
 * What is known about the thing that a prompt is about, best first; nothing for most prompts. Commands to the agent itself
 * (`/clear`) and prompts of a single word ("continue") are about nothing.
 */
export async function chooseForPrompt(
  ports: InjectionPorts,
  moment: Prompt,
  asked: SelectionOptions,
): Promise<Choice[]> {
  const { phase, files = [], sessionId, reads } = moment;
  const prompt = readable(moment.prompt);
  if (isForTheAgent(prompt) || queryWords(prompt).words.length < 2) return [];
  const { root } = await ports.context.folder();
  const named = findActiveFiles(prompt, { root, known: [] }, { strictly: true }).files;
  const options = {
    // Some of them are about something else.
    limit: 2 * most,
    explain: true,
    // And not all others: a process that knows no methodology does not know its types.
    excludeTypes: [...notInjectedTypes],
    excludeIds: [...asked.soFar.ids],
    recentFiles: [...named, ...files],
    ...(phase !== undefined && { phase }),
  };
  const listener = await recipientIn(ports.context, asked, { sessionId, reads });
  const results = await recallEligible((given) => ask(ports, prompt, asked, given), options, listener);
  const question: PromptFacts = {
    wanted: countNeeded(prompt),
    named: new Set(named.map((path) => relativeTo(root, path))),
    nearness: leastNearness(results),
  };
  return results
    .filter((result) => result.score >= (asked.minScore ?? 0) && isAbout(result, question))
    .slice(0, most)
    .map(({ memory, why, score }) => ({ memory, why, worth: score }));
}

/**
 * Of a pasted log the beginning and the end: what is asked stands there, and a megabyte takes a second to read. Half a
 * character, as a cut leaves it, no database takes.
 */
function readable(prompt: string): string {
  const isShort = prompt.length <= beginning + end;
  const read = isShort ? prompt : `${prompt.slice(0, beginning)}\n${prompt.slice(-end)}`;
  return read.replace(/[\p{Cs}\0]/gu, " ");
}

const beginning = 16_000;
const end = 8000;

function isForTheAgent(prompt: string): boolean {
  return /^\s*(?:\/[\w:-]+(?:\s|$)|!)/.test(prompt);
}

/** With a model where there is one and it answers soon, else by words: some of the answer is better than none. */
async function ask(
  { context, recall: recallPorts }: InjectionPorts,
  prompt: string,
  { deadline }: SelectionOptions,
  options: RecallOptions,
): Promise<RecallResult[]> {
  const byWords = async () => (await recall(context, recallPorts, prompt, { ...options, mode: "words" })).results;
  if (!recallPorts.embedding) return byWords();
  const hybrid = recall(context, recallPorts, prompt, options).then(({ results }) => results);
  return (await within(deadline.left() * shareForModel, hybrid, () => undefined)) ?? byWords();
}

const shareForModel = 0.6;

interface PromptFacts {
  /** How many telling words a memory must share with it. */
  wanted: number;
  /** The files that it names. */
  named: ReadonlySet<string>;
  /** How near a meaning must be. */
  nearness: number;
}

/**
 * Whether a result is about what the prompt is about, and does not only share a word with it: enough words that say
 * something, or nearly all that a short prompt says, or a file that the prompt names, or the same meaning.
 *
 * Tuned with 40 memories of a web shop and 100 prompts, of which half are about something that no memory knows: by words 42
 * of the 50 find what they should, and 42 of the 46 memories told are right; with the bundled model 43, and 43 of 48. Then
 * asked once, with 40 prompts that nothing was tuned with: by words 14 of 20 and 14 of 14, with the model 18 and 18 of 18. No
 * prompt about something unknown tells anything, 50 and 20 of them. Were every shared word to count, 6 of the 50 would, and
 * 43 of 68 be right (2026-11). One hand wrote memories, prompts and list, so that real ones will do worse.
 */
function isAbout({ matched, explanation, memory }: RecallResult, { wanted, named, nearness }: PromptFacts): boolean {
  const { words, code, meaning } = explanation?.paths ?? {};
  const telling = countDistinctive(matched);
  const strength = words?.strength ?? 0;
  if (telling >= wanted && strength >= leastStrength) return true;
  if (telling >= 1 && strength >= (matched.length > 1 ? strengthOfTwo : strengthOfOne)) return true;
  if (code?.strength === 1 && (telling >= 1 || memory.relatedFiles.some((file) => named.has(file)))) return true;
  return (meaning?.strength ?? 0) >= nearness;
}

// Low, for a log shares little of its weight with the memory that explains its error: 0.16 where it has 46 words.
const leastStrength = 0.05;
const strengthOfOne = 0.5;
const strengthOfTwo = 0.25;

/**
 * 0.45 by the bundled model: the right memory is nearer for 35 of the 50 prompts that it was tuned with, one wrong memory is,
 * and none for the other 50 (2026-11). Other models were not tried. Some find everything near: then it must stand out.
 */
function leastNearness(results: readonly RecallResult[]): number {
  const found = results.flatMap(({ explanation }) => explanation?.paths.meaning?.strength ?? []);
  return found.length < 5 ? 0.45 : Math.max(0.45, 1.5 * Math.min(...found));
}
