import { sentenceCase, thirdPerson } from "./third-person.js";

export type StatementType = "fact" | "preference" | "decision" | "convention" | "requirement";

/** What a sentence states, so that it can stand alone. */
export interface Stated {
  content: string;
  type: StatementType;
  metadata?: { category: string; field: string };
}

/**
 * What a sentence of the user states for good, if it does in so many words. Precision comes first: what may be a question, a
 * guess, a quotation or meant for once is nothing.
 *
 * @example
 * statedIn("By the way, I prefer tabs over spaces") // { content: "The user prefers tabs over spaces.", type: "preference" }
 */
export function statedIn(given: string): Stated | undefined {
  const sentence = given.replace(openings, "").trim();
  if (isNotForGood(sentence)) return undefined;
  const asked = rememberThat.exec(sentence)?.[1];
  if (asked !== undefined) return isNotForGood(asked) || pronounFirst.test(asked) ? undefined : remembered(asked);
  if (passing.test(sentence)) return undefined;
  return byLabel(sentence) ?? byRule(sentence) ?? aboutUser(sentence) ?? aboutProject(sentence);
}

const openings =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|right|great|good|perfect|thanks|thank you|hi|hello|hey|well|so|and|but|also|oh|ah|btw|by the way|fyi|just so you know|one more thing|in general|generally|generally speaking|important|please)\b[,.:!;—–-]*\s+){0,4}/i;

/** Questions, guesses, conditions, quotations, and what holds for this once or this place. */
function isNotForGood(sentence: string): boolean {
  return notStated.test(sentence) || once.test(sentence) || printed.test(sentence);
}

const notStated =
  /[?？]|^["'“‘«„(]|^(?:if|when|whenever|unless|suppose|imagine|assume|assuming|what|why|how|who|where|which|maybe|perhaps|probably|I (?:think|guess|believe|wonder|suppose)|do|does|did|is|are|was|were|should|could|would|can|may|might|let)\b|\b(?:maybe|perhaps|I wonder|not sure|hypothetically|for example|e\.g\.|as a joke|just kidding|lol)\b/i;
// "Immutable once sent" holds for good.
const once =
  /\b(?:just |only )?(?:this|that) (?:once|time|one|file|function|test|case|commit|pr|branch|change|task|session|line|part|script|conversation|message|answer)\b|\b(?:for|right) now\b|\bfor (?:this|the moment|today|once|a moment)\b|\bonce\b(?! (?:\w+ed|sent|paid|built|written|sold|set)\b)|\btemporar(?:y|ily)\b|\buntil\b|\b(?:in|for) here\b|\bhere\.?$|\bin this\b|\bat the moment\b|\bcurrently\b|\bfor the time being\b/i;
/** What a program prints. */
const printed = /:\d+:\d+\b|^\s*at \S+ \(|\b\d\d:\d\d:\d\d\b|[{};]\s*$|=>|^\s*[$>#]\s|\\n|\|.*\|/;
/** What holds today and not for good. "Remember that …" may still say so. */
const passing = /\b(?:today|tomorrow|yesterday|tonight|this (?:morning|week|month|sprint)|last (?:night|week))\b/i;

const rememberThat =
  /^(?:remember|keep in mind|bear in mind|don['’]t forget|do not forget|never forget|make a note|take note|note)(?: that|,? ?:)\s+(\S.*)$/i;
const pronounFirst = /^(?:it|this|that|these|those|they|he|she|there)\b/i;

function remembered(asked: string): Stated | undefined {
  if (asked.split(/\s+/).length < 2 && !/[^\0-\x7f]/.test(asked)) return undefined;
  return byRule(asked) ?? aboutUser(asked) ?? aboutProject(asked) ?? { content: thirdPerson(asked), type: "fact" };
}

const labels = new Map<string, StatementType>([
  ["convention", "convention"],
  ["rule", "convention"],
  ["requirement", "requirement"],
  ["decision", "decision"],
  ["preference", "preference"],
]);

/** "Decision: we stay with Postgres." */
function byLabel(sentence: string): Stated | undefined {
  const [, label = "", said = ""] = /^(convention|rule|requirement|decision|preference): (\S.*)$/i.exec(sentence) ?? [];
  const type = labels.get(label.toLowerCase());
  return type && said.split(/\s+/).length >= 3 ? { content: thirdPerson(said), type } : undefined;
}

/** "From now on use pnpm.", "Always run the tests first.", "All endpoints must return JSON." */
function byRule(sentence: string): Stated | undefined {
  const later =
    /^(?:from now on|going forward|from here on|in (?:the )?future)\b,? (?:please )?(\S.*)$/i.exec(sentence)?.[1] ??
    /^(?:please )?(\S.*?),? (?:from now on|going forward)\.?$/i.exec(sentence)?.[1];
  if (later !== undefined) {
    if (/^(?:I|my)\b/.test(later)) return { content: thirdPerson(later), type: "preference" };
    return ruleFirst.test(later) || /^(?:you|we|all|every|no)\b/i.test(later)
      ? { content: thirdPerson(later), type: "convention" }
      : undefined;
  }
  const ever = /^(?:do not|don['’]t) ever (.*)$/i.exec(sentence)?.[1];
  const rule =
    ever === undefined
      ? /^(?:you (?:must|should) |we |make sure (?:to|you) )?((?:always|never) .*)$/i.exec(sentence)?.[1]
      : `never ${ever}`;
  if (rule !== undefined && isOrder.test(rule)) {
    const content = /^we /i.test(sentence) ? sentenceCase(sentence) : thirdPerson(rule);
    return { content, type: "convention" };
  }
  if (mustHold.test(sentence) && !/\b(?:I|this|that|you)\b/i.test(sentence))
    return { content: sentenceCase(sentence), type: "requirement" };
  return undefined;
}

const verbs =
  "abbreviate|add|address|amend|answer|approve|ask|assume|avoid|begin|build|bump|call|catch|change|check|cite|close|comment|commit|convert|copy|create|delete|deploy|disable|document|edit|enable|end|ensure|escape|explain|export|expose|force-push|format|generate|group|guess|handle|hard-?code|ignore|import|include|indent|inline|install|keep|lint|link|log|make|mention|merge|mix|mock|modify|move|name|omit|open|pass|pin|prefer|prefix|print|publish|push|put|quote|read|rebase|refactor|refer|release|remove|rename|reply|respond|restart|retry|return|reuse|review|round|run|save|send|set|show|sign|skip|sort|speak|split|squash|start|stop|store|strip|stub|suggest|suppress|tag|talk|tell|test|throw|touch|translate|trust|try|update|upgrade|use|validate|wrap|write";
const isOrder = new RegExp(String.raw`^(?:always|never) (?:${verbs})\b(?! (?:it|that|this|them)\b[.!]?$)`, "i");
const ruleFirst = new RegExp(
  String.raw`^(?:(?:always|never|do not|don['’]t|only|no more) )?(?:${verbs})\b(?! (?:it|that|this|them)\b)`,
  "i",
);
const mustHold =
  /^(?:all|every|any|each|no|our) [^,;:]{2,80} (?:must|has to|have to|may) (?:(?:always|never|not|only) )?(?:be|have|use|go|return|run|start|end|stay|fit|pass|support|work|contain|include|depend|import|call|write|read|answer|respond|leave|exceed)\b/i;

const profile: readonly [RegExp, string][] = [
  [/^my (?:e-?mail|email)(?: address)? is (\S+@\S+|\[redacted:[^\]]+\])/i, "email"],
  [/^my (?:time ?zone) is (\S.*)$/i, "timezone"],
  [/^my pronouns are (\S.*)$/i, "pronouns"],
  [/^my birthday is (?:on )?(\S.*)$/i, "birthday"],
  [/^my (?:job|role|job title|profession|occupation) is (\S.*)$/i, "role"],
  [/^my (?:first|native|mother|preferred) (?:language|tongue) is (\S.*)$/i, "language"],
  [/^I (?:live|am based|'m based) in (\p{Lu}\S.*)$/u, "location"],
  [/^I['’]m based in (\p{Lu}\S.*)$/u, "location"],
  [/^I work (?:at|for) (\p{Lu}\S.*)$/u, "employer"],
];

/** "I prefer tabs.", "My name is Ana.", "Call me Al." */
function aboutUser(sentence: string): Stated | undefined {
  const name = nameIn(sentence);
  if (name) return name;
  for (const [shape, field] of profile) {
    if (!shape.test(sentence)) continue;
    return { content: thirdPerson(sentence), type: "fact", metadata: { category: "user_profile", field } };
  }
  const preferred = /^I (?:(?:always|generally|usually|really|strongly|much) )?prefer (?:to |that )?(\S+)(.*)$/i.exec(
    sentence,
  );
  if (preferred)
    return deictic.test(`${preferred[1]}${preferred[2]}`)
      ? undefined
      : { content: thirdPerson(sentence), type: "preference" };
  const decided = /^I(?:['’]ve| have)? (?:decided|chosen|settled) (?:to|on|that|against) (\S.*)$/i.exec(sentence)?.[1];
  if (decided !== undefined && !deictic.test(decided)) return { content: thirdPerson(sentence), type: "decision" };
  return undefined;
}

const notNames = /^(?:not|back|when|if|later|crazy|maybe|old|a|an|the|at|on|after|whatever|anything|what|stupid|mud)$/i;

function nameIn(sentence: string): Stated | undefined {
  const found =
    /^(?:my (?:first |full )?name is|my name['’]s) ([\p{L}][\p{L}\p{M}.'’-]{0,40}(?: \p{Lu}[\p{L}\p{M}.'’-]{0,40}){0,3})(?=$|[.!,]| and\b)/iu.exec(
      sentence,
    ) ??
    /^(?:[Yy]ou (?:can|may) |[Jj]ust )?[Cc]all me (\p{Lu}[\p{L}\p{M}'’-]{0,40}(?: \p{Lu}[\p{L}\p{M}'’-]{0,40}){0,2})[.!]?$/u.exec(
      sentence,
    );
  const name = found?.[1]?.replace(/\s+(?:and|but)\b.*$/, "").replace(/[.]$/, "");
  if (name === undefined || name.split(" ").some((part) => notNames.test(part))) return undefined;
  const isCalled = /^[^,.]*call me/i.test(sentence);
  const content = isCalled ? `The user wants to be called ${name}.` : `The user's name is ${name}.`;
  return { content, type: "fact", metadata: { category: "user_profile", field: "name" } };
}

// "It", "the second one", "what you did": of which nobody knows later what it was.
const deictic =
  /^(?:it|this|that|these|those|them|him|her|you|your|what|one|option|neither|both|either|not|the (?:first|second|third|last|other|latter|former|next|previous|current|new|old|above|same)|(?:the )?\w+ (?:one|option|version|way|approach|solution)\b)/i;

/** "We use pnpm for installs.", "Our staging database is on port 5433.", "We decided to stay with Postgres." */
function aboutProject(sentence: string): Stated | undefined {
  const decided =
    /^(?:we|the team)(?:['’]ve| have)? (?:all )?(?:decided|agreed|chose|settled) (?:to |on |that |against |with )?(\S.*)$/i.exec(
      sentence,
    )?.[1];
  if (decided !== undefined) {
    return deictic.test(decided) || /\b(?:yet|later)\b/i.test(decided)
      ? undefined
      : { content: thirdPerson(sentence), type: "decision" };
  }
  const used =
    /^we (?:only |always |don['’]t |do not |no longer |never )?use (\S.*?) (?:for|to|as|with|instead of|because|everywhere|in)\b.*$/i.exec(
      sentence,
    )?.[1];
  if (used !== undefined) return deictic.test(used) ? undefined : { content: thirdPerson(sentence), type: "fact" };
  const ours = /^our (\S.*?) (is|are|lives?|runs?|uses?|listens?) (\S.*)$/i.exec(sentence);
  if (!ours) return undefined;
  const [, subject = "", , said = ""] = ours;
  if (subject.split(" ").length > 5 || notLasting.test(subject) || transient.test(said)) return undefined;
  return specific.test(said) ? { content: sentenceCase(sentence), type: "fact" } : undefined;
}

const notLasting =
  /\b(?:problem|issue|bug|error|question|next|first|last|plan|goal|task|only|current|best|biggest|idea|guess|hope)\b/i;
const transient =
  /^(?:not |still |now |also |really |very |so |too |completely |totally |quite )*(?:broken|failing|down|red|green|slow|fast|wrong|missing|stuck|flaky|ready|done|late|fine|great|good|bad|that|to|going|being|getting|a mess|a bit|horrible|terrible|amazing|so|\w+ing)\b|\b(?:failing|broken|since)\b/i;
const specific = /\d|`|\p{Lu}|\w\.\w|\/|^(?:called|named|on|in|at|hosted|written|deployed|set|based|stored|kept)\b/u;
