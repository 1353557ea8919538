import { readClause, type Clause } from "./read-clause.js";

// What is longer is an explanation, and closing all of it for one sentence would hide the rest.
export const longestText = 600;
const maxSentences = 4;

// A clause that says more than this is no short statement, and hardly ever said twice.
const maxWords = 12;

/**
 * What a text states, clause by clause, as far as it can be compared: no questions, plans, suppositions, examples, steps of a
 * recipe, comparisons, or what was so once. Empty for a text that is too long.
 */
export function readStatements(text: string): Clause[] {
  // What comes after is told about what was said before.
  const first = sentencesOf(text).slice(0, 2);
  return first.flatMap((sentence) => sentence.split(clauseEnd).flatMap((part) => readPart(part) ?? []));
}

/** What it states first: the rest of a text explains it. */
export function readMainStatement(text: string): Clause | undefined {
  const [part = ""] = sentencesOf(text)[0]?.split(clauseEnd, 1) ?? [];
  return readPart(part);
}

function sentencesOf(text: string): string[] {
  if (text.length > longestText) return [];
  const sentences = text.split(sentenceEnd).filter((sentence) => /\p{L}/u.test(sentence));
  return sentences.length > maxSentences ? [] : sentences;
}

function readPart(part: string): Clause | undefined {
  if (!isFit(part)) return undefined;
  const clause = readClause(tidy(part));
  const { length } = clause.content;
  return length > 0 && length <= maxWords && !clause.isEvent ? clause : undefined;
}

const sentenceEnd = /(?<=[.!?])\s+(?=[\p{Lu}`"'])|\n+|;\s+/u;
const clauseEnd = /,?\s+but\s+(?:now\s+)?|,\s+(?:and\s+)?(?=(?:now|we|it|they|instead)\b)|\s+[–-]\s+(?=now\b)/i;

const question =
  /\?\s*$|^\s*(?:why|what|when|where|who|how|which|does|did|do (?:we|you|i|they|the|our)\b|is|are|can|could|should|would|shall)\b/i;
const supposed =
  /\b(?:might|could|would|maybe|perhaps|possibly|probably|likely|plan(?:s|ned|ning)?|consider(?:s|ed|ing)?|going to|will|propos\w+|suggest\w*|e\.g\.|for (?:example|instance)|imagine|suppos\w+|assum\w+|in case|next (?:week|month|year|quarter|sprint|release)|in (?:the )?future|eventually|soon|someday|hop(?:e|es|ing)|wish\w*|tried|try|trying|experiment\w*|discuss\w*|thinking|not sure|unclear|apparently|todo|evaluat\w+|proposal|draft)\b|\bmay\b(?! \d)/i;
const past =
  /\b(?:used to|formerly|previously|originally|in the past|back then|until|historically|at first|initially|at the time|earlier|ago|last (?:week|month|year|quarter)|yesterday|back in|had been|once|took|ran|went|found|grew|fell|saw|came)\b/i;
const added =
  /\b(?:also|too|as well|additionally|in addition|besides|another|other|one of|sometimes|occasionally|often|some|most|mostly|not only|both|either)\b/i;
const step = /^\s*(?:first|second|third|then|next|finally|afterwards|after that|step \d+|see|cf\.|\d+[.)])\b/i;
const comparison = /(?<!\brather )\bthan\b(?! \d)|\btimes (?:as|\w+er)\b|\btwice as\b/i;
// What was done to a thing holds still; what a thing was does not.
const wasNot =
  /\b(?:was|were|did|had)\b(?!(?: \w+ly| now| just| recently| finally)? (?:raised|lowered|changed|moved|switched|migrated|renamed|replaced|increased|reduced|decreased|bumped|upgraded|updated|downgraded|extended|shortened|cut|set|enabled|disabled|dropped|removed|turned|relocated|converted|promoted|transferred|reassigned|rescheduled|postponed|made|activated|deactivated|banned|forbidden|allowed|deprecated)\b)/i;

function isFit(part: string): boolean {
  return ![question, supposed, past, added, step, comparison, wasNot].some((pattern) => pattern.test(part));
}

const label =
  /^\s*(?:decision|decided|note|update|updated|correction|convention|rule|fact|preference|requirement|gotcha|context|reminder|fyi|important|edit|warning|info|tip|actually|now|from now on|as of [\w ]{2,20}|since \d{4}|nowadays|ok|okay|also|in fact|effective immediately|going forward|remember)\s*[:,-]\s*/i;
const reason =
  /,?\s+(?:because|since(?! \d)|so that|so (?=we|that|it|the)|due to|as (?:it|they|we|this)\b|which|in order to|to (?:avoid|keep|make|prevent|ensure|save|reduce)|thanks to|for (?:reasons|security|performance|consistency))\b.*$/i;
const decided =
  /^\s*(?:(?:we|i|they|the team)\s+)(?:have\s+|has\s+|'ve\s+)?(?:now\s+)?(?:decided|agreed|chosen|voted|started|begun|began)\s+(?:to\s+|on\s+|that\s+)?(?:use\s+)?/i;
const asked = /^\s*(?:please\s+)?(?:remember|note|keep in mind|be aware|make sure)\s+(?:that\s+|to\s+)/i;

/** Without what is said about the saying, and what only gives a reason. */
function tidy(part: string): string {
  return part
    .replace(/\([^)]*\)/g, " ")
    .replace(label, "")
    .replace(asked, "")
    .replace(decided, "We use ")
    .replace(/^(We use )(use|using|stop|not|no)\b/i, "We $2")
    .replace(reason, "")
    .replace(/^([\p{L}\p{N}' _-]{2,40})(?::\s+|\s+=\s+)/u, "$1 is ")
    .replace(/[.!\s]+$/, "");
}
