import { identifier } from "../notes/identifier.js";
import type { Saying } from "../observer.js";

/** What a correction states. */
interface Substance {
  /** In its own words, as far as they say what is so. */
  actual: string;
  /** What had been thought: a thing or a whole sentence. */
  believed?: string;
  /** What the agent says that it was wrong about, where it does not say what it had thought. */
  topic?: string;
  /** The files that it is about, at most three. */
  files: string[];
}

/**
 * What a correction says about the project; undefined where it is about the agent's own plan, where it only comments, and
 * where nobody could tell what it is about. Of the files touched in the session those count that it names, else the one
 * that was edited next.
 */
export function substanceOf(saying: Saying, touched: Names, { near, next }: Nearby): Substance | undefined {
  const told = takeApart(saying);
  const said = withoutOwnPart(withoutOpening(told.actual));
  if (said.endsWith("?") || said.length < 8 || comment.test(said)) return undefined;
  const facts = withoutPlans(said);
  if (facts.length < 8 || comment.test(facts) || ofOwnWork.test(saying.text)) return undefined;
  const named = listNamed(saying.text, touched);
  const isAbout = told.isApart || identifier.test(facts) || named.length > 0;
  const states = asserts(facts) || (told.isApart && !plan.test(told.actual));
  if (!states || !(isAbout || (near.length > 0 && isTelling(facts)))) return undefined;
  const { believed, topic } = told;
  if (!identifier.test(facts) && progress.test(`${believed ?? ""} ${said}`)) return undefined;
  const kept = {
    actual: said,
    ...(believed !== undefined && isBelief(believed) && !isWithin(believed, said) && { believed }),
    ...(topic !== undefined && !plan.test(topic) && !isWithin(topic, said) && { topic }),
  };
  const isClear = told.isApart && (topic !== undefined || believed !== undefined);
  if (Object.values(kept).some((text) => ofToday.test(text)) || (pointing.test(said) && !isClear)) return undefined;
  return { ...kept, files: (named.length > 0 ? named : next).slice(0, 3) };
}

/** What was done around a correction. */
interface Nearby {
  /** The files that were touched just before or after it. */
  near: readonly string[];
  /** The one that was edited next, if that was soon. */
  next: readonly string[];
}

interface Told {
  actual: string;
  believed?: string;
  topic?: string;
  /** Whether it says what is so and what is not. */
  isApart: boolean;
}

function takeApart(saying: Saying): Told {
  const { text, believed = "", actual = "" } = saying;
  const about = wrongAbout(text);
  if (about) return about;
  if (believed === "" || actual === "") return { actual: actual || text, isApart: false };
  // "A, not B" is said best as it was said.
  const from = text.indexOf(actual);
  const to = text.indexOf(believed, from + actual.length);
  if (from >= 0 && to >= 0 && opposes.test(text.slice(from + actual.length, to))) {
    return { actual: text.slice(from, to + believed.length), isApart: true };
  }
  const isDenied = /\b(?:not|n['’]t) $/i.test(text.slice(0, Math.max(0, text.indexOf(believed))));
  return isDenied ? { actual: bare(text), isApart: true } : { actual, believed, isApart: true };
}

const opposes = /^(?:,| and) not (?:\w+ )?$|^,? (?:instead of|rather than) $/i;

/** "I was wrong about the port: it is 8081." What it was about is a topic, whatever comes behind it is so. */
function wrongAbout(text: string): Told | undefined {
  const [first = "", ...others] = text.split(/(?<=[.!])\s+/);
  const about = /\b(?:(?:wrong|mistaken|incorrect) about|I misread|I misunderstood) (.{2,})$/i.exec(bare(first))?.[1];
  if (about === undefined) return undefined;
  const end = /, |[:;] | [–—-] /.exec(about);
  const own = end ? about.slice(end.index + end[0].length) : "";
  const actual = asserts(own) ? own : bare(others.join(" "));
  // That it was wrong is nothing to know without what is so.
  if (actual === "") return { actual, isApart: false };
  return { actual, topic: end ? about.slice(0, end.index) : about, isApart: true };
}

function bare(text: string): string {
  return text.trim().replace(/[.!]+$/, "");
}

/** "I was wrong about the cache. The cache is keyed by tenant": that it is about the cache is no belief. */
function isWithin(believed: string, said: string): boolean {
  const words = new Set(said.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  return (believed.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).every((word) => words.has(word));
}

/** "Actually, the port is 8081" says "The port is 8081"; "no tests cover it" says what it says. */
function withoutOpening(text: string): string {
  return text
    .trim()
    .replace(
      /^(?:(?:(?:oh|ah|hmm+|ok(?:ay)?|so|wait|actually|correction|on second thou?ghts?|i see(?: now)?(?: that)?|(?:now )?i (?:realise|realize|notice)(?: that)?|i was (?:wrong|mistaken)|let me reconsider|i stand corrected|sorry|my mistake|looking (?:at|into|more) [^,]{1,60},|that(?:'s|’s| is| was) (?:wrong|incorrect|not (?:right|correct)))(?!\w)|no(?:[,.:;!…–—-]+(?=\s)|(?=\s+(?:wait|actually)\b)))[\s,.:;!…–—-]*)+/i,
      "",
    )
    .replace(/\bactually\s+/gi, "")
    .trim();
}

/** "The port is read from env.ts, so I'll change it there" says where it is read from. */
function withoutOwnPart(text: string): string {
  return text
    .replace(
      /(?:[,;]|\s[–—-])?\s+(?:so|and|but|then|hence|therefore|as|like|which is (?:why|what))\s+(?:I|we|let)(?:['’]\w+)?\s.*$/i,
      "",
    )
    .trim();
}

/** What is left of a sentence without the clauses in which the agent speaks of itself. */
function withoutPlans(text: string): string {
  return text
    .split(/[,.;:–—](?=\s|$)|\s(?:but|and|so|because|since|that)\s/)
    .filter((clause) => !plan.test(clause))
    .join(", ")
    .trim();
}

const plan =
  /^\s*(?:(?:so|then|now|first|instead|maybe|perhaps)\s+)*(?:i|i'll|i'd|i've|i'm|we|we'll|let|let's|lets)\b/i;

/** Approval and the like, which has a verb and says nothing. */
const comment =
  /^(?:that|this|it|which|everything|all|they|these|those)(?:'s| is| was| are| were| all)?(?: now)? ?(?:works?|working|fine|ok(?:ay)?|good|great|right|correct|done|enough|pass(?:es|ed)?|makes? sense|better|expected|a good (?:idea|sign)|not (?:needed|necessary|right|it))\b|^(?:for|until|a (?:moment|second|minute))\b/i;

/** What is about what the agent did itself. */
const ofOwnWork =
  /\b(?:my|our) (?:last |latest |previous |own |first )?(?:change|edit|fix|patch|commit|test|code|branch|version)s?\b|\b(?:the|this) (?:last|latest|previous|first) (?:change|edit|fix|patch|commit|approach|attempt)\b|\btypo\b|\bI (?:\w+ )?(?:used|wrote|deleted|removed|added|forgot|put|skipped|edited|changed)\b/i;

/** What holds in this hour and for these people, and is of no use in another session. */
const ofToday =
  /(?<![\w.`/-])(?:I(?![/.\w])|me|my|mine|you|your)\b|\bthe user (?:ask|want|said|says|prefer|has|hasn)|\b(?:this|the current) (?:session|conversation|branch|directory|task)\b|\b(?:yet|already|still|now|currently|in use|truncated|any ?more)\b|\b(?:merged|done)\b(?! (?:in|into|by|with|before|after|at|on|when|per|from|over|recursively|lazily)\b)|\blines? (?:number (?:is )?)?\d+|\b\d+ (?:\w+ )?(?:tests?|items?|errors?|failures?|warnings?)\b|\bthe (?:bug|issue|problem|failure|culprit)\b|\bchanges? (?:is|are) (?:not )?(?:needed|necessary|required)\b|\bhere\W*$|^(?:it|they|that|this) (?:is|was|are|were|does|did|do|has|have|would|will)(?: not|n['’]t)?$/i;

/** What points at something that only one who was there has seen. */
const pointing = /^(?:it|that|this|these|those|they|there)(?:['’]s)?\b/i;

/** "Not in the header": what begins like this is a part of what was thought. */
function isBelief(believed: string): boolean {
  return (
    !plan.test(believed) &&
    !/^(?:in|on|at|from|by|with|for|to|of|into|via|per|as|before|after|because|through|under|inside|during)\b/i.test(
      believed,
    )
  );
}

/** Whether a text says that something is so. */
export function asserts(text: string): boolean {
  const words = text.toLowerCase().match(/[a-z]+(?:'t)?/g) ?? [];
  return words.some((word) => verbs.has(word)) || /\w's\b/.test(text) || ofName.test(text);
}

/** What stands behind a name and ends like a verb is one: `flush` drains the queue. */
const ofName = /`[^`\s]+` (?:only |also |always |already )?[a-z]{2,}(?:s|ed)\b/;

const verbs: ReadonlySet<string> = new Set(
  (
    "is are was were isn't aren't wasn't has have had does doesn't don't must cannot can't won't never only use uses take " +
    "takes return returns expect expects need needs require requires live lives lie lies contain contains come comes call " +
    "calls throw throws export exports import imports read reads write writes store stores run runs belong belongs depend " +
    "depends ignore ignores handle handles accept accepts start starts become becomes get gets hold holds mean means point " +
    "points refer refers fail fails break breaks give gives sort sorts count counts match matches keep keeps drop drops send " +
    "sends load loads create creates check checks"
  ).split(" "),
);

/** Enough words to be understood without a name in them, and no word about how the work goes. */
function isTelling(facts: string): boolean {
  const words = facts.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0;
  return words >= 4 && !/^(?:it|that|this|they|there)\b/i.test(facts) && !progress.test(facts);
}

const progress =
  /\b(?:tests?|build|suite|server|everything|order|plan|approach|step|task)\b.*\b(?:pass(?:es|ing|ed)?|green|running|works?|fine|done|finished|better|first|next|wrong)\b/i;

/** Files by what a sentence may call them: their path, and its last part. */
type Names = ReadonlyMap<string, readonly string[]>;

export function byName(files: readonly string[]): Names {
  const names = new Map<string, string[]>();
  for (const file of new Set(files)) {
    for (const name of new Set([file, file.slice(file.lastIndexOf("/") + 1)])) {
      names.set(name, [...(names.get(name) ?? []), file]);
    }
  }
  return names;
}

/** The files that a text names. A last part that several files share names none of them. */
function listNamed(text: string, names: Names): string[] {
  const words = text.match(/[\w@./-]*\w/g) ?? [];
  const files = words.map((word) => names.get(word.replace(/^\.\//, "")) ?? []);
  return [...new Set(files.filter(({ length }) => length === 1).flat())];
}
