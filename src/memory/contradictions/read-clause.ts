import { indexTokens } from "../../base/text/text.js";
import { findInstead } from "./find-instead.js";
import {
  circumstances,
  determiners,
  families,
  fillers,
  lightVerbs,
  negators,
  nouns,
  poles,
  prepositions,
  verbs,
  type VerbClass,
} from "./lexicon.js";
import { calendar, numerals, unitsOf } from "./measures.js";
import { rewrite } from "./rewrite.js";

/** A word of a clause that says something. */
export interface Token {
  raw: string;
  /** What it has in common with other forms of the same. */
  key: string;
  kind: "number" | "version" | "date" | "clock" | "calendar" | "place" | "code" | "name" | "word";
  /** Of a number its dimension, of a day or tool its family. */
  family: string | undefined;
  /** The preposition it hangs on, within its side of the verb. */
  preposition: string | undefined;
  determiner: string | undefined;
  side: "before" | "after";
  /** It hangs on a preposition behind an object. */
  isBehindObject: boolean;
  isJoined: boolean;
  /** The noun just before it. */
  noun: string | undefined;
  /** It tells whose the next word is. */
  isOwner: boolean;
  /** It tells when the rest holds. */
  isCondition: boolean;
}

/** What a word is by itself. */
interface Value {
  raw: string;
  key: string;
  kind: Token["kind"];
  family?: string | undefined;
}

export interface Clause {
  content: Token[];
  verb?: { base: string; kind: VerbClass; isPassive: boolean };
  /** How many times it says no. */
  negations: number;
  /** 1, or -1 where the ends of scales that it names and its negations make it say the opposite. */
  sign: 1 | -1;
  /** It says outright that something ended. */
  isEnd: boolean;
  isConditional: boolean;
  /** What it names as what was before, where it does. */
  instead?: { old: string[]; isRename: boolean };
  /** It tells what happened once. */
  isEvent: boolean;
}

/** Reads one clause: its verb, and around it the words that carry what it says. */
export function readClause(text: string): Clause {
  const { rest, old, isRename } = findInstead(text);
  const isEnd = ending.test(rest);
  const words = splitWords(rewrite(rest));
  const verbAt = findVerb(words);
  const verb = verbAt === undefined ? undefined : verbs.get(words[verbAt]?.lower ?? "");
  const isPassive =
    verbAt !== undefined && verb?.kind !== "be" && words.slice(0, verbAt).some(({ lower }) => isBe(lower));
  const state: State = { side: "before", sawObject: false, isCondition: false, isJoined: false, sign: 1, negations: 0 };
  const content: Token[] = [];
  let lastAt = -1;
  for (const [index, word] of words.entries()) {
    const token = readWord(words, index, verbAt, state);
    if (!token) continue;
    const before = content.at(-1);
    token.isOwner = word.isOwner === true;
    if (lastAt === index - 1 && before?.kind === "word") token.noun = before.raw.toLowerCase();
    // "Port 8080": what a verb or a preposition comes between has no noun.
    if (index !== verbAt) lastAt = index;
    if (before?.kind === "calendar" && before.family === "month" && token.kind === "number") {
      content[content.length - 1] = {
        ...before,
        kind: "date",
        family: "date",
        raw: `${before.raw} ${word.raw}`,
        key: `${before.key} ${token.key}`,
      };
    } else content.push(token);
  }
  return {
    content,
    ...(verb && { verb: { ...verb, isPassive } }),
    negations: state.negations,
    sign: state.sign,
    isEnd,
    isConditional: content.some(({ isCondition }) => isCondition),
    ...(old && { instead: { old: keysOf(old), isRename } }),
    isEvent: verbAt !== undefined && !isPassive && verb !== undefined && isPast(verb, words[verbAt]?.lower ?? ""),
  };
}

function isPast({ base, kind }: { base: string; kind: VerbClass }, lower: string): boolean {
  return /(?:[^e]|re)ed$/.test(lower) && kind !== "change" && base !== "choose" && base !== "work";
}

const ending = /\b(?:no longer|any ?more|any longer|stop(?:ped|s)?|dropped|removed|quit|abandoned|gave up|ended)\b/i;

/** The keys of the words of a phrase. */
function keysOf(text: string): string[] {
  return readClause(text).content.map(({ key }) => key);
}

interface Written {
  /** Written with 's. */
  isOwner?: boolean;
  raw: string;
  lower: string;
}

const written =
  /`[^`]+`|https?:\/\/[^\s,]+|\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?:\s?[ap]m)?|\b\d{1,2}\s?[ap]m\b|(?:[~%\w@.-]+)?(?:\/[\w.@*%{}-]+)+\/?|--?[a-z][\w-]*|[$€]?v?\d[\d._]*(?:,\d{3})*(?:\.\d+)*(?:\s?(?:%|[a-z]{1,12}\b))?|[\p{L}_$@.*][\p{L}\p{M}\p{N}_'’.+#@*-]*|,/giu;

function splitWords(text: string): Written[] {
  return [...text.matchAll(written)].flatMap(([match]): Written[] => {
    if (match === ",") return [{ raw: ",", lower: "," }];
    const bare = match.replace(/^[`]|[`]$/g, "");
    const number = /^([$€]?v?\d[\d._,]*)(\s?)([a-z%]+)$/i.exec(bare);
    // "3 times" is a number and a word; "30 s" is one number.
    if (number && !unitOf(number[3] ?? "") && number[2] !== "") {
      return [number[1], number[3]].map((raw = "") => ({ raw, lower: raw.toLowerCase() }));
    }
    const raw = bare.replace(/['’]s$|[.'’-]+$/g, "");
    return raw === ""
      ? []
      : [{ raw: match.startsWith("`") ? match : raw, lower: raw.toLowerCase(), isOwner: /['’]s$/.test(bare) }];
  });
}

function unitOf(unit: string): [string, number] | undefined {
  const lower = unit.toLowerCase();
  return unitsOf.get(lower) ?? (lower.length > 2 ? unitsOf.get(lower.replace(/s$/, "")) : undefined);
}

function isBe(lower: string): boolean {
  return verbs.get(lower)?.kind === "be" || lower === "was" || lower === "were";
}

/** Where the verb is: that of a passive, or the first word that is a verb before all; of words that may be nouns the first that is none. */
function findVerb(words: Written[]): number | undefined {
  const isVerb = (index: number) => {
    const { raw = "", lower = "" } = words[index] ?? {};
    return verbs.has(lower) && (index === 0 || raw === lower);
  };
  const be = words.findIndex(({ lower }) => isBe(lower));
  if (be >= 0) {
    for (let index = be + 1; index <= be + 3 && index < words.length; index++) {
      const { lower } = words[index] as Written;
      if (isVerb(index) && /(?:ed|en|t|ne|le[dt]|ept)$/.test(lower) && !poles.has(lower)) return index;
      if (!fillers.has(lower) && !negators.has(lower) && !isBe(lower) && !lower.endsWith("ly")) break;
    }
    return be;
  }
  const first = words.findIndex(
    ({ lower }) => !fillers.has(lower) && !negators.has(lower) && lower !== "," && lower !== "we",
  );
  const opening = words[first]?.lower ?? "";
  const later = words.findIndex(
    ({ lower }, index) => index > first && index <= first + 4 && isFinite(words, index, lower),
  );
  if (verbs.get(opening)?.base === opening && !(nouns.has(opening) && later >= 0)) return first;
  const mayBe = (index: number) => {
    const before = words[index - 1]?.lower ?? "";
    return isVerb(index) && index > 0 && !determiners.has(before) && !(prepositions.has(before) && before !== "to");
  };
  const sure = words.findIndex(({ lower }, index) => mayBe(index) && !nouns.has(lower));
  if (sure >= 0) return sure;
  const noun = words.findIndex((_, index) => mayBe(index));
  return noun >= 0 ? noun : undefined;
}

const pronouns = new Set(["it", "that", "which", "who", "he", "she", "this", "each", "every"]);

/** True for a verb that has its subject before it: "log rotation happens". */
function isFinite(words: Written[], index: number, lower: string): boolean {
  const before = words[index - 1]?.lower ?? "";
  return (
    lower.endsWith("s") &&
    verbs.has(lower) &&
    !nouns.has(lower) &&
    !pronouns.has(before) &&
    !determiners.has(before) &&
    !prepositions.has(before)
  );
}

interface State {
  side: "before" | "after";
  preposition?: string | undefined;
  determiner?: string | undefined;
  sawObject: boolean;
  isCondition: boolean;
  isJoined: boolean;
  sign: 1 | -1;
  negations: number;
}

const conditions = new Set(["if", "when", "whenever", "unless", "while", "except", "only", "whether", "where", "once"]);

/** Reads the next word, and tells what it adds; structure words only change where we are. */
function readWord(words: Written[], index: number, verbAt: number | undefined, state: State): Token | undefined {
  const { raw, lower } = words[index] as Written;
  if (lower === ",") {
    state.isCondition = false;
    state.isJoined = true;
    return undefined;
  }
  if (lower === "and" || lower === "or" || lower === "&") {
    state.isJoined = true;
    return undefined;
  }
  if (index === verbAt) {
    state.side = "after";
    state.preposition = undefined;
    state.isJoined = false;
  }
  if (conditions.has(lower)) state.isCondition = true;
  else if (negators.has(lower)) flip(state);
  else if (isSwitch(words, index)) return take(state, { raw, key: "±enabled", kind: "word" }, lower === "on" ? 1 : -1);
  else if (prepositions.has(lower)) state.preposition = lower;
  else if (determiners.has(lower)) state.determiner = lower;
  else return takeWord(words, index, verbAt, state);
  return undefined;
}

function flip(state: State): void {
  state.negations += 1;
  state.sign = state.sign === 1 ? -1 : 1;
}

/** True for "on" and "off" where they tell how something stands. */
function isSwitch(words: Written[], index: number): boolean {
  const { lower } = words[index] as Written;
  if (lower !== "on" && lower !== "off") return false;
  const next = words[index + 1]?.lower;
  const isAlone = next === undefined || next === "," || prepositions.has(next) || fillers.has(next);
  return (
    isAlone &&
    index > 0 &&
    (next !== undefined ||
      lower === "off" ||
      isBe(words[index - 1]?.lower ?? "") ||
      words[index - 1]?.lower === "set" ||
      fillers.has(words[index - 1]?.lower ?? ""))
  );
}

function takeWord(words: Written[], index: number, verbAt: number | undefined, state: State): Token | undefined {
  const { raw, lower } = words[index] as Written;
  const pole = poles.get(lower);
  if (pole) return take(state, { raw, key: `±${pole.scale}`, kind: "word" }, pole.sign);
  if (fillers.has(lower)) return undefined;
  // "Go" within a sentence is a name.
  const verb = index > 0 && raw !== lower ? undefined : verbs.get(lower);
  if (verb && (index === verbAt || !nouns.has(lower)) && !state.determiner) {
    if (lightVerbs.has(verb.base)) return undefined;
    return take(state, { raw, key: indexTokens(verb.base) || verb.base, kind: "word" }, 1, index === verbAt);
  }
  const token = valueOf(raw, lower, words[index - 1]);
  return token && take(state, token);
}

function take(state: State, token: Value, sign: 1 | -1 = 1, isVerb = false): Token {
  if (sign === -1) state.sign = state.sign === 1 ? -1 : 1;
  const taken: Token = {
    raw: token.raw,
    key: token.key,
    kind: token.kind,
    family: token.family,
    side: state.side,
    preposition: state.preposition,
    determiner: state.determiner,
    noun: undefined,
    isOwner: false,
    isJoined: state.isJoined,
    isCondition: state.isCondition,
    isBehindObject: state.preposition !== undefined && state.sawObject,
  };
  if (state.side === "after" && state.preposition === undefined && !isVerb) state.sawObject = true;
  state.determiner = undefined;
  state.isJoined = false;
  return taken;
}

const aliases = new Map(
  Object.entries({
    postgresql: "postgres",
    k8s: "kubernetes",
    ts: "typescript",
    js: "javascript",
    golang: "go",
    mongo: "mongodb",
    nodejs: "node",
    users: "user",
  }),
);

function valueOf(raw: string, lower: string, before: Written | undefined): Value | undefined {
  if (/^[$€]?v?\d/.test(lower)) return numberOf(raw, lower, before);
  if (numerals.has(lower)) return { raw, key: numerals.get(lower) as string, kind: "number", family: "" };
  const day = calendar.get(lower) ?? calendar.get(lower.replace(/s$/, ""));
  if (day !== undefined && (day !== "month" || /^\p{Lu}/u.test(raw))) {
    return { raw, key: lower.replace(/s$/, ""), kind: "calendar", family: day };
  }
  if (/^https?:|\/|^[~%]/.test(raw)) return { raw, key: lower.replace(/^`|`$|\/$/g, ""), kind: "place" };
  const plain = lower.replace(/(?<=\w{2})\.js$/, "");
  const name = aliases.get(plain) ?? plain;
  const family = families.get(name);
  if (raw.startsWith("`") || /[_.*$@\d]|^--?\w|\w[A-Z]/.test(raw.replace(/\.js$/, ""))) {
    return { raw, key: name.replaceAll("`", ""), kind: "code", ...(family && { family }) };
  }
  const key = aliases.get(plain) ?? indexTokens(plain).split(" ").at(-1);
  if (key === undefined || key === "") return undefined;
  const kind = /^\p{Lu}/u.test(raw) || family ? "name" : "word";
  return { raw, key, kind, ...(family && !circumstances.has(lower) && { family }) };
}

function numberOf(raw: string, lower: string, before: Written | undefined): Value {
  if (/^\d{4}-\d\d-\d\d$/.test(lower)) return { raw, key: lower, kind: "date", family: "date" };
  if (/:\d\d|[ap]m$/.test(lower)) return { raw, key: lower.replace(/\s/g, ""), kind: "clock", family: "clock" };
  const [, number = lower, unit = ""] = /^([$€v]*\d[\d._,]*)\s?([a-z%]*)$/.exec(lower) ?? [];
  const bare = number.replace(/[$€v_,]|\.$/g, "");
  const [family, factor] = unitOf(unit || (/^[$€]/.test(lower) ? "$" : "")) ?? [unit, 1];
  if (family === "" && (lower.startsWith("v") || /^\d+\.\d+\./.test(bare) || isNamed(before))) {
    return { raw, key: bare, kind: "version", family: "version" };
  }
  return { raw, key: `${Number(bare) * factor}${family}`, kind: "number", family };
}

/** True for a name before a number, which is then a version: Node 20. */
function isNamed(before: Written | undefined): boolean {
  if (!before) return false;
  return (
    families.has(before.lower) || /^(?:version|node|java|ruby|php|go|swift|kubernetes|release)$/.test(before.lower)
  );
}
