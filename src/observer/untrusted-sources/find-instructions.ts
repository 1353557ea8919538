import {
  addressed,
  addressing,
  asks,
  certainQuestions,
  determiners,
  fillers,
  firm,
  firmPairs,
  levels,
  noVerbs,
  nounFollowers,
  replyPairs,
  verbs,
} from "./instruction-words.js";

/** A sentence that tells its reader what to do. Offsets into the text as `foldText` gives it. */
export interface Instruction {
  start: number;
  end: number;
  /** 3: meant for an assistant. 2: a request, a rule or a question. 1: in the imperative, as any manual is. */
  strength: Strength;
}

type Strength = 1 | 2 | 3;

/**
 * The text as instructions are looked for in it: in lower case, in one form of each character, without invisible ones.
 * Of a long text the beginning and the end, where what is hidden is read.
 */
export function foldText(text: string): string {
  const part = isTooLong(text) ? `${text.slice(0, maxBefore)}\n${text.slice(-maxBehind)}` : text;
  const plain = disguising.test(part) ? part.normalize("NFKC").replaceAll(/\p{Cf}|\p{Mn}/gu, "") : part;
  return plain.replaceAll("’", "'").toLowerCase();
}

// Invisible characters, accents that stand alone, and other forms of letters: wide, raised, circled, in the fonts of
// mathematics. Only where there are any is it worth the time, 0.1 ms for 10 KB, to undo them.
const disguising =
  // oxlint-disable-next-line no-misleading-character-class -- each stands for itself
  /[\u00AD\u0300-\u036F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u209F\u2100-\u218F\u2460-\u24FF\u3000\uFB00-\uFB4F\uFE00-\uFE0F\uFEFF\uFF00-\uFFEF\uD835\uD83C\uDB40]/;

const maxBefore = 64 * 1024;
const maxBehind = 16 * 1024;

/** True for a text of which the middle is not looked at. */
export function isTooLong(text: string): boolean {
  return text.length > maxBefore + maxBehind;
}

// What is longer is no sentence, and looking further from every word would take the product of both lengths.
const longest = 400;

/**
 * Finds the instructions of a text in the order in which they stand. Takes time in proportion to its length: this runs
 * on everything that an agent sees.
 */
export function findInstructions(plain: string): Instruction[] {
  const found: Instruction[] = [];
  const hits = addressedAt(plain);
  let hit = 0;
  let end = 0;
  /** Where the words began that may begin a sentence, of those that were passed last. */
  let begin = 0;
  const add = (start: number, strength: Strength) => {
    if (start >= end) end = endOf(plain, start);
    const isAddressed = hits[hit] !== undefined && (hits[hit] as number) < end;
    found.push({ start, end, strength: isAddressed ? 3 : strength });
    while (hits[hit] !== undefined && (hits[hit] as number) < end) hit++;
  };
  const catchUp = (at: number) => {
    // What is said to an assistant in a sentence that begins like any other.
    if (hits[hit] === undefined || (hits[hit] as number) >= at) return;
    const sentence = startOf(plain, hits[hit] as number);
    add(Math.max(begin, sentence), 3);
  };
  for (const start of freshWords(plain)) {
    catchUp(start);
    begin = start;
    const strength = strengthAt(plain, start, start >= end);
    if (strength) add(start, strength);
  }
  catchUp(Infinity);
  return found;
}

/** Offsets of what is said to an assistant. */
function addressedAt(plain: string): number[] {
  const hits: number[] = [];
  for (const { index } of plain.matchAll(addressing)) {
    addressed.lastIndex = index;
    if (addressed.test(plain)) hits.push(index);
  }
  return hits;
}

/** Where sentences, clauses, lines, comments and quotations begin: the offsets of their first words. */
function freshWords(plain: string): number[] {
  const starts: number[] = [];
  let isFresh = true;
  for (let i = 0; i < plain.length; i++) {
    const kind = kindOf(plain.charCodeAt(i));
    if (kind === letter) {
      const begin = i;
      i = endOfWord(plain, i);
      // The `z` of a time is no word.
      const isPart = kindOf(plain.charCodeAt(begin - 1)) === digit;
      if (isFresh && !isPart) {
        isFresh = (mayPrecede(plain, begin, i) && fillers.has(plain.slice(begin, i))) || isHash(plain, begin, i);
        if (!isFresh && plain.charCodeAt(i) === 0x20) starts.push(begin);
      } else if (!isPart) {
        // What a log says follows on its level.
        isFresh = mayPrecede(plain, begin, i) && levels.has(plain.slice(begin, i));
      }
      i--;
    } else if (kind === escape) {
      // `\n` and the like, in texts that are quoted in JSON.
      const next = plain[i + 1];
      if (next === "n" || next === "r" || next === "t") i++;
      isFresh = true;
    } else if (kind === colour) {
      while (i < plain.length - 1 && kindOf(plain.charCodeAt(i)) !== letter) i++;
      isFresh = true;
    } else if (kind !== digit && kind !== inner) isFresh = true;
  }
  return starts;
}

/** False for most words, without making a text of them: that took half of the time. */
function mayPrecede(plain: string, begin: number, end: number): boolean {
  return end - begin < 16 && precedingShapes[shapeOf(plain.charCodeAt(begin), end - begin)] === 1;
}

/** First letter and length of a word in one number. */
function shapeOf(code: number, length: number): number {
  return ((code & 127) << 4) | (length & 15);
}

const precedingShapes = new Uint8Array(128 << 4);
for (const word of [...fillers, ...levels]) precedingShapes[shapeOf(word.charCodeAt(0), word.length)] = 1;

/** The commit with which `git log --oneline` begins its lines. */
function isHash(plain: string, begin: number, end: number): boolean {
  return end - begin >= 7 && end - begin <= 40 && /^(?=[a-f]*\d)[\da-f]+$/.test(plain.slice(begin, end));
}

/** `isNew`: not inside a sentence that is already found, where only what is more than an imperative is worth having. */
function strengthAt(plain: string, start: number, isNew: boolean): Strength | undefined {
  const firstEnd = endOfWord(plain, start);
  const first = plain.slice(start, firstEnd);
  let at = firstEnd;
  while (at < firstEnd + 4 && isBetween(kindOf(plain.charCodeAt(at)))) at++;
  const second = plain.slice(at, endOfWord(plain, at));
  if (second === "") return undefined;
  if (replyPairs.get(first)?.has(second)) return 3;
  if (firmPairs.get(first)?.has(second)) return 2;
  if (firm.has(first)) return verbs.has(second) || fillers.has(second) ? 2 : undefined;
  if (asks.has(first)) return isQuestion(plain, start, first, second) ? 2 : undefined;
  if (!isNew || nounFollowers.has(second)) return undefined;
  const isLikely = verbs.has(first) || (determiners.has(second) && looksLikeVerb(first));
  return isLikely && isProse(plain, start) ? 1 : undefined;
}

/** A word before an article that is none of those that usually stand there. */
function looksLikeVerb(word: string): boolean {
  return word.length > 2 && !noVerbs.has(word) && !/(?:[^s]s|ed|ing|ly|'\w+)$/.test(word);
}

function isQuestion(plain: string, start: number, first: string, second: string): boolean {
  if (certainQuestions.has(`${first} ${second}`)) return true;
  const near = plain.slice(start, start + longest);
  const end = near.indexOf("?");
  if (end === -1) return false;
  const question = near.slice(0, end);
  // It may go over several lines, but not over the end of a sentence.
  for (let at = 0; at < end; at++) if (isStop(question, at)) return false;
  if (question.split(" ", 4).length < 4) return false;
  // `Is the server running?` wonders; `is this good or bad?` wants an answer.
  return !/^(?:is|are|do|does|did)$/.test(first) || question.includes(" or ");
}

/** Three words, and few signs: not a line of code that begins like a sentence. */
function isProse(plain: string, start: number): boolean {
  const most = Math.min(plain.length, start + longest);
  let words = 0;
  let signs = 0;
  let end = start;
  for (; end < most && !isEnd(plain, end); end++) {
    const kind = kindOf(plain.charCodeAt(end));
    if (kind === inner) words++;
    else if (!isInWord(kind) && kind !== quote && kind !== punctuation) signs++;
  }
  return words >= 2 && signs <= 2 + (end - start) / 20;
}

function startOf(plain: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < longest && !isEnd(plain, start - 1)) start--;
  while (start < at && !isInWord(kindOf(plain.charCodeAt(start)))) start++;
  return start;
}

function endOf(plain: string, from: number): number {
  const most = Math.min(plain.length, from + longest);
  let end = from;
  while (end < most && !isEnd(plain, end)) end++;
  return end;
}

function endOfWord(plain: string, from: number): number {
  let end = from;
  // Behind the end there is no code, which is in no word.
  for (; ; end++) {
    const code = plain.charCodeAt(end);
    if (code < 128 ? inWord[code] === 0 : !isInWord(kindOf(code))) return end;
  }
}

// Kinds of characters, by table: asking about each in turn took four times as long.
const other = 0;
const letter = 1;
const digit = 2;
/** `don't` */
const apostrophe = 3;
/** Neither ends nor begins anything: a blank, `_`, `%`. */
const inner = 4;
const escape = 5;
/** Escape, with which a terminal's colours begin. */
const colour = 6;
const quote = 7;
const punctuation = 8;

const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) kinds[code] = letter;
  else if (/\d/.test(char)) kinds[code] = digit;
  else if (char === "'") kinds[code] = apostrophe;
  else if (/[ _%]/.test(char)) kinds[code] = inner;
  else if (char === "\\") kinds[code] = escape;
  else if (char === "\u001B") kinds[code] = colour;
  else if (/["(`]/.test(char)) kinds[code] = quote;
  else if (/[,.:)-]/.test(char)) kinds[code] = punctuation;
}

// Most characters are asked about only for this.
const inWord = kinds.map((kind) => Number(isInWord(kind)));

function kindOf(code: number): number {
  if (code < 128) return kinds[code] as number;
  // Neither spaces, dashes, arrows and boxes, nor the signs of East Asia, nor the `×` before a test that failed.
  const isSign = code === 0xd7 || (code >= 0x2000 && code < 0x2c00) || (code >= 0x3000 && code < 0x3040);
  const isLetter = code > 0xbf && !isSign;
  return isLetter ? letter : other;
}

function isInWord(kind: number): boolean {
  return kind === letter || kind === digit || kind === apostrophe;
}

/** Blanks, and what quotes a word. */
function isBetween(kind: number): boolean {
  return kind === inner || kind === quote || kind === apostrophe;
}

/** The end of a line counts, and of what stands in a line of code. */
function isEnd(plain: string, at: number): boolean {
  const code = plain.charCodeAt(at);
  if (code > 0x5c || (code > 0x3f && code < 0x5c)) return false;
  if (code === 0x0a || code === 0x0d || code === 0x3b) return true;
  if (code === 0x5c) return plain.charCodeAt(at + 1) === 0x6e;
  if (code === 0x2f) return plain.charCodeAt(at + 1) === 0x2f && plain.charCodeAt(at - 1) !== 0x3a;
  return isStop(plain, at);
}

/** A full stop and its like, not the one in `example.com`. */
function isStop(plain: string, at: number): boolean {
  const code = plain.charCodeAt(at);
  if (code !== 0x2e && code !== 0x21 && code !== 0x3f) return false;
  const next = kindOf(plain.charCodeAt(at + 1));
  return next !== letter && next !== digit;
}
