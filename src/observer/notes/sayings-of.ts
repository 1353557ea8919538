import { correctionOf } from "./correction-of.js";
import { identifier } from "./identifier.js";
import type { Saying } from "../observer.js";
import { plainLine } from "../../base/input/input.js";
import { sentencesOf } from "./sentences.js";

const maxSayings = 6;
const textLength = 300;

/**
 * What an agent says about its work: that it was wrong, gives a way up, what it will try, what was the cause. Questions,
 * code and what it quotes are none. Of several plans the first counts. What it only thinks (`isThought`) wavers: there a
 * correction has to name something.
 */
export function sayingsOf(text: string, isThought = false): Saying[] {
  if (!cue.test(text)) return [];
  const sentences = sentencesOf(text);
  const sayings: Saying[] = [];
  for (const [index, sentence] of sentences.entries()) {
    if (sentence.endsWith("?") || !cue.test(sentence)) continue;
    const saying = sayingOf(sentence, sentences[index + 1] ?? "");
    if (isThought && saying?.is === "correction" && !identifier.test(saying.text)) continue;
    if (saying && !(saying.is === "plan" && sayings.some(({ is }) => is === "plan"))) sayings.push(saying);
    if (sayings.length > 5 * maxSayings) break;
  }
  return telling(sayings);
}

// Part of everything that is looked for below; most texts and sentences have none of it.
const cue =
  /wrong|mistake|incorrect|backwards|hold on|reconsider|actually|initially|originally|assum|thought|believed|correction|wait|misread|misunderst|overlook|confused|mixed up|approach|n't work|not work|abandon|give up|scrap|different|another way|available in|let me|let's|I'll|I will|going to|because|problem|issue|cause|culprit|reason|bug|turns out|due to|\bno[,.!…—–-]|nope|not quite/i;

function sayingOf(sentence: string, next: string): Saying | undefined {
  const correction = correctionOf(sentence, next);
  if (correction) {
    const { text, believed, actual } = correction;
    return {
      is: "correction",
      text: plainLine(text, textLength),
      ...(believed !== undefined && { believed: plainLine(believed, textLength) }),
      ...(actual !== undefined && { actual: plainLine(actual, textLength) }),
    };
  }
  const is = abandonment.test(sentence)
    ? "abandonment"
    : isCause(sentence)
      ? "cause"
      : plan.test(sentence)
        ? "plan"
        : undefined;
  return is && { is, text: plainLine(sentence, textLength) };
}

const way = "(?:approach|way|idea|strategy|solution|method|path|route|plan|fix)";
const abandonment = new RegExp(
  [
    `\\b(?:this|that|the (?:current|previous|first|original))(?: ${way})? (?:won['’]t|will not|cannot|can['’]t|does not|doesn['’]t|is not going to|isn['’]t going to|didn['’]t|did not) work\\b`,
    `\\b(?:this|that|the (?:current|previous|first|original)) ${way} (?:isn['’]t|is not|wasn['’]t|was not) (?:working|going anywhere|viable|feasible)\\b`,
    `\\b(?:I|we|let me|let['’]s|let us|I['’]ll)\\b.{0,40}\\b(?:abandon|abandoning|give up on|giving up on|scrap|scrapping)\\b (?:this|that|the|it|my)`,
    `\\b(?:try|take|use|need|switch to|go with|find) (?:a|an|some)?\\s?(?:completely |totally |entirely )?(?:different|another|alternative) ${way}\\b`,
    "\\b(?:unavailable|not available) in (?:the |this )?(?:tests?|ci|production|sandbox|environment|browser)\\b",
  ].join("|"),
  "i",
);

function isCause(sentence: string): boolean {
  if (/^(?:if|when|let me|I['’]ll|I will)\b/i.test(sentence)) return false;
  if (causeNamed.test(sentence)) return !/\b(?:solved|fixed|gone|resolved|somewhere|unclear|unknown)\b/i.test(sentence);
  if (/\bturns out\b(?: that)? \S+ \S+ \S+/i.test(sentence)) return true;
  return /\b(?:because|caused by|due to)\b \S+ \S+/i.test(sentence) && trouble.test(sentence);
}

const causeNamed =
  /\b(?:the|root) (?:(?:real|actual|underlying|root|main) )?(?:problem|issue|cause|root cause|culprit|bug|reason)\b(?: here| for (?:this|that|it|the \w{1,30}))? (?:is|was|were)\b(?! not\b)(?: that)? \S+ \S+/i;
const trouble =
  /fail|error|broke|break|wrong|crash|missing|undefined|null|throw|reject|hang|stale|conflict|time[sd]? out|mismatch|\bnot\b|n['’]t\b|never|no longer/i;

const plan =
  /^(?:(?:ok(?:ay)?|now|first|so|alright|right|great|good|then|next|instead)[,.!:]? )*(?:I['’]ll|I will|I['’]m going to|I am going to|let me|let['’]s) (?:now |first |instead |just )*(?:try|use|add|implement|switch|replace|wrap|move|rewrite|change|patch|mock|cache|convert|refactor|make|create|fix|introduce|extend|write|store|keep|inject|pass|split|merge|extract|remove|disable|enable|configure|set|put|update|bump|upgrade|pin|override)\b \S+ \S+/i;

/** The most telling six, in their order. */
function telling(sayings: Saying[]): Saying[] {
  if (sayings.length <= maxSayings) return sayings;
  const weight = { correction: 0, abandonment: 1, cause: 2, plan: 3 };
  const kept = new Set(sayings.toSorted((a, b) => weight[a.is] - weight[b.is]).slice(0, maxSayings));
  return sayings.filter((saying) => kept.has(saying));
}

/**
 * The memories that a text names, by their short ids, each once: `#1a2b3c4d`, `[Memory #1a2b3c4d: …]`. Whether there are such
 * memories nobody here knows.
 *
 * @example
 * citedIn("As [Memory #1a2b3c4d: pin it] says.") // ["1a2b3c4d"]
 */
export function citedIn(text: string): string[] {
  if (!text.includes("#")) return [];
  const found = [...text.slice(0, looksAt).matchAll(shortId)].map(([, id]) => id as string);
  return [...new Set(found)].slice(0, maxCited);
}

const looksAt = 64 * 1024;
// As many as an agent is told at once.
const maxCited = 40;
const shortId = /(?<![\w#])#([\da-f]{8})(?![\w-])/g;
