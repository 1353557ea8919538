/**
 * How a text falls into words, for the word index, for questions and for comparing two texts.
 *
 * It is done here and not by FTS5's tokenizers, because those split neither identifiers nor scripts without spaces.
 * A token consists of a-z, 0-9 and characters outside ASCII only: to FTS5's `ascii` tokenizer that is one token.
 */
import { stemmer } from "stemmer";
import { capitalNames, stopWords } from "./stop-words.js";

/** One searchable word of a text: as it was written, and the token that the index holds for it. */
export interface Word {
  text: string;
  token: string;
}

/** A word of a question. */
export interface QueryWord extends Word {
  /** The token is the beginning of what to look for: a single character of a script without spaces. */
  prefix?: true;
}

/**
 * The tokens of a text to be indexed, in order and with repeats, because how often a word occurs counts. Stop words
 * are not among them; a text of nothing else gives the empty string.
 *
 * @example indexTokens("Call getUserById twice") // "call get user id getuserbyid twice"
 */
export function indexTokens(text: string): string {
  const tokens: string[] = [];
  if (outsideAscii.test(text)) for (const match of clean(text).match(compound) ?? []) pushTokens(match, tokens);
  else for (const match of text.match(compoundOfAscii) ?? []) pushTokens(match, tokens);
  return tokens.join(" ");
}

/**
 * The words of a question, each token once and in order, and the stop words that were left out.
 *
 * @example queryWords("How do we deploy?")
 * // { words: [{ text: "deploy", token: "deploi" }], ignored: ["How", "do", "we"] }
 */
export function queryWords(text: string): { words: QueryWord[]; ignored: string[] } {
  const words = new Map<string, QueryWord>();
  const ignored = new Set<string>();
  for (const { text: written, token, role } of readWords(text)) {
    if (token === "") ignored.add(written);
    else if (role === "question") words.set(`${token}*`, { text: written, token, prefix: true });
    else if (role !== "index" && !words.has(token)) words.set(token, { text: written, token });
  }
  return { words: [...words.values()], ignored: [...ignored] };
}

/** The tokens of a text as a set, to see how much two texts have in common. */
export function stems(text: string): Set<string> {
  const tokens = new Set<string>();
  for (const { token, role } of readWords(text)) if (token !== "" && role !== "question") tokens.add(token);
  return tokens;
}

// Programs say the same names again and again: 2.4 MB of source have 230,000, of which 12,000 are different. With what was
// made of them kept, its tokens take 0.25 s instead of 0.5 the first time and 0.06 instead of 0.35 later (2026-11).
const knownTokens = new Map<string, string>();
const maxKnown = 20_000;
const longestKnown = 40;

function pushTokens(written: string, tokens: string[]): void {
  let found = knownTokens.get(written);
  if (found === undefined) {
    // A copy: V8's part of a string keeps the whole alive, which may be a file.
    const name = written.length <= longestKnown ? Buffer.from(written, "utf16le").toString("utf16le") : written;
    const words: ReadWord[] = [];
    readCompound(name, words);
    found = words.flatMap(({ token, role }) => (token === "" || role === "question" ? [] : [token])).join(" ");
    if (knownTokens.size >= maxKnown) knownTokens.clear();
    if (name.length <= longestKnown) knownTokens.set(name, found);
  }
  if (found !== "") tokens.push(found);
}

/** A word as it is read: a stop word has no token, and some words are for one side only. */
interface ReadWord extends Word {
  role?: "index" | "question";
}

// Longer than any name people give; beyond are blobs, of which the beginning is enough to find them again.
const longestToken = 64;

// More pieces than this in one stretch of letters and digits is a hash or a key, not a name.
const maxPieces = 8;

// Hyphen, dot and apostrophe tie words into one; a slash, colon or @ does not, so that of a path each name counts by
// itself: nobody writes a path the same way twice (absolute, relative, with or without an alias).
const compoundOfAscii = /[a-z0-9_]+(?:[-.'][a-z0-9_]+)*/gi;
const compound =
  /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:[-‐.'’][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*|\p{RI}{2}|\p{Extended_Pictographic}/gu;
const outsideAscii = /[^\0-\x7f]/;

function readWords(text: string): ReadWord[] {
  const words: ReadWord[] = [];
  if (outsideAscii.test(text)) for (const [match] of clean(text).matchAll(compound)) readCompound(match, words);
  else for (const [match] of text.matchAll(compoundOfAscii)) readCompound(match, words);
  return words;
}

const invisible = /[\p{Cf}\p{Variation_Selector}\u20e3]+/gu;
// Putting a long pile of combining marks in order takes quadratic time, and no script stacks more than a few.
const pileOfMarks = /(\p{M}{16})\p{M}+/gu;

function clean(text: string): string {
  return text.replace(invisible, "").replace(pileOfMarks, "$1").normalize("NFKC");
}

const plainWord = /^[A-Za-z]?[a-z]*$/;
const shortEnding = /['’](?:s|re|ve|ll|d|m)$/i;
const connector = /[-‐.'’]/;
const singleLetter = /^[a-z]$/i;
const plainHyphenated = /^[\p{L}\p{M}]+(?:[-‐][\p{L}\p{M}]+)+$/u;

const unspaced =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)/u;

function readCompound(written: string, words: ReadWord[]): void {
  if (plainWord.test(written) || isStopWord(written)) return readWord(written, written, words);
  const name = written.replace(shortEnding, "").replace(/^v(?=\d+\.\d)/i, "");
  if (!connector.test(name)) return readName(name, written, words);
  const parts = name.split(connector);
  for (const part of parts) readName(part, "", words);
  const version = /^\d+(?:\.\d+){1,3}/.exec(name)?.[0] ?? "";
  readVersion(version, words);
  if (version === name || name.length > 2 * longestToken || unspaced.test(name)) return;
  // kebab-case, dotted names and O'Brien are indexed as one word too: user-profile meets userProfile, e-mail email,
  // node.js nodejs, --no-verify is told from verify. A question does not ask for hyphenated words whose parts all
  // say something: English hyphens come and go (boundary layer, boundary-layer), and counting them twice cost 0.1
  // to 0.5 points of nDCG@10 on Cranfield.
  const hyphenated = plainHyphenated.test(name) && !parts.some((part) => singleLetter.test(part) || isStopWord(part));
  readWhole(name, words, hyphenated ? "index" : undefined);
}

/** 1.2 finds 1.2.3, which is the same as v1.2.3; the dots stay in some form, because 1.23 is not 12.3. */
function readVersion(version: string, words: ReadWord[]): void {
  const numbers = version.split(".");
  for (let count = 2; count <= numbers.length; count++) {
    const beginning = numbers.slice(0, count);
    words.push({ text: beginning.join("."), token: cut(beginning.join("·")) });
  }
}

/**
 * One stretch without connectors: a word, a snake_case or camelCase name, or a run of a script without spaces.
 * Part of a longer name when `written` is empty.
 */
function readName(name: string, written: string, words: ReadWord[]): void {
  if (outsideAscii.test(name) && unspaced.test(name)) {
    for (const [index, run] of name.split(unspaced).entries()) {
      if (index % 2 === 1) readUnspaced(run, words);
      else if (run !== "") readName(run, run, words);
    }
    return;
  }
  const pieces = name.split("_").filter(Boolean).flatMap(splitAtCase);
  if (pieces.length === 1) return readWord(pieces[0] ?? "", written, words);
  for (const piece of pieces) readWord(piece, "", words);
  readWhole(name, words);
}

// getUser|ById, HTTP|Server (but URLs stays), Server|2, utf|8 (but s3, k8s and e2e stay: one letter says nothing).
const caseBoundary =
  /(?<=[\p{Ll}\p{M}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})|(?<=\p{L}{2})(?=\p{N})|(?<=\p{N})(?=\p{Lu}?\p{Ll}{2}|\p{Lu}\p{Lu})/u;

function splitAtCase(name: string): string[] {
  if (name.length > longestToken) return [name];
  const pieces = name.split(caseBoundary);
  return pieces.length > maxPieces ? [name] : pieces;
}

/** Reads one word. A part of a name (`written` is empty) that says nothing by itself is in the whole anyway. */
function readWord(word: string, written: string, words: ReadWord[]): void {
  const isPart = written === "";
  if (isStopWord(word)) {
    if (!isPart) words.push({ text: written, token: "" });
  } else if (!isPart || !singleLetter.test(word)) words.push({ text: word, token: stem(fold(cut(word))) });
}

/** The parts were read; now the name as a whole, so that it is found as itself and above those that share parts. */
function readWhole(name: string, words: ReadWord[], role?: "index"): void {
  const joined = name.replace(/(\d)\.(?=\d)/g, "$1·").replace(/[-‐.'’_]/g, "");
  if (joined === "" || joined.length > longestToken) return;
  words.push({ text: name, token: stem(fold(joined)), ...(role && { role }) });
}

// Two characters are about a word in these scripts, so a run is indexed in overlapping pairs. Its last character
// alone makes every character the beginning of some token: that is how a question of one character finds it.
const character = /\P{M}\p{M}*|\p{M}+/gu;

function readUnspaced(run: string, words: ReadWord[]): void {
  const characters = run.match(character) ?? [];
  const last = characters.at(-1) ?? "";
  for (let index = 0; index + 1 < characters.length; index++) {
    const pair = `${characters[index]}${characters[index + 1]}`;
    words.push({ text: pair, token: pair.toLowerCase() });
  }
  words.push({ text: last, token: last, role: "index" });
  if (characters.length === 1) words.push({ text: last, token: last, role: "question" });
}

function isStopWord(word: string): boolean {
  return word.length < 12 && stopWords.has(word.toLowerCase().replace("’", "'")) && !capitalNames.has(word);
}

function cut(word: string): string {
  if (word.length <= longestToken) return word;
  return word.slice(0, longestToken).replace(/[\ud800-\udbff]$/, "");
}

// In these scripts a mark is an accent or a vowel sign that people leave out when they type; elsewhere it is part of
// the letter.
const accent = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
const letterWithoutAccent: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ς: "σ",
};

function fold(word: string): string {
  const lower = word.toLowerCase();
  if (!outsideAscii.test(lower)) return lower;
  return lower
    .normalize("NFD")
    .replace(accent, "$1")
    .normalize("NFC")
    .replace(/[ßæœøđðłıþς]/g, (letter) => letterWithoutAccent[letter] ?? letter);
}

const asciiLetters = /^[a-z]{3,64}$/;
const stemCache = new Map<string, string>();

function stem(word: string): string {
  if (!asciiLetters.test(word)) return word;
  let found = stemCache.get(word);
  if (found === undefined) {
    // A language has fewer living stems than this; a flood of made-up words must not grow it for ever.
    if (stemCache.size >= 20_000) stemCache.clear();
    found = stemmer(word);
    stemCache.set(word, found);
  }
  return found;
}
