import { plainLine } from "../../base/input/input.js";
import type { Turn } from "../conversation.js";
import { countPaths, mostNamed } from "./named-paths.js";
import { sentencesOfTurn } from "./sentences-of-turn.js";
import { isDistinctive, distinctiveWords, wordsIn } from "./distinctive-words.js";
import { countTools, speakerOf } from "./turn-heading.js";
import { weighSentence, type SentenceKind, type Weighed } from "./weigh-sentence.js";

export interface TurnSummary {
  /** An entry of a history: what it was about, then sentences as they were said, and by whom. */
  text: string;
  /** At most four, of a to z and digits, for a name. */
  words: string[];
  /** Paths that were named, most often first. */
  files: string[];
}

/**
 * Sums up a conversation without a model: what was asked, decided, corrected and stated, what broke and what mended it, what
 * is open, and names, numbers, dates and plans. Sentences are quoted word by word, in their order, none twice; code and what
 * tools print are left out. About 6,000 characters for 50 messages and more, less for fewer.
 */
export function summariseTurns(turns: readonly Turn[]): TurnSummary {
  const counts = new Map<string, number>();
  const looksAt = Math.max(400, Math.min(8000, Math.floor(mostLookedAt / Math.max(1, turns.length))));
  const spoken = turns.filter(({ role }) => role === "user" || role === "assistant");
  for (const { content } of spoken) countPaths(content.slice(0, looksAt), counts);
  const files = mostNamed(counts);
  const isWork =
    files.length > 0 ||
    turns.some(({ toolsUsed, role, content }) => toolsUsed.length > 0 || role === "tool" || content.includes("```"));

  const said = new Map<string, number>();
  const sentences = listSentences(turns, looksAt, said);
  const weighed = weigh(sentences, said, isWork);
  const asked = weighed.filter(({ kind }) => kind === "asked").slice(0, 5);
  const first = firstLine(isWork, asked, weighed, said);
  const words = distinctiveWords({
    files,
    asked: [...new Set([...first.used, ...asked])].map(({ text }) => text),
    said,
  });
  const tools = countTools(turns.flatMap(({ toolsUsed }) => toolsUsed));
  const last = [
    files.length === 0 ? "" : plainLine(`Files: ${files.join(", ")}.`, longestList),
    tools === "" ? "" : plainLine(`Tools: ${tools}.`, longestList),
    span(turns),
  ].filter((line) => line !== "");
  const days = new Set(turns.map(dayOf)).size;
  const taken = first.text.length + last.join("\n").length + (days > 1 ? Math.min(days, 60) * 12 : 0);
  const room = lengthFor(turns.length) - taken - 4;
  const chosen = choose(
    weighed.filter((sentence) => !first.used.has(sentence)),
    room,
  );
  return { text: [first.text, ...listed(chosen), ...last].join("\n"), words, files };
}

// 2,000 turns in about 60 ms (2026-11).
const mostLookedAt = 600_000;
const longestText = 6000;
const longestList = 700;

/** Half of what people say in 20 messages, and ever less of more. */
function lengthFor(turns: number): number {
  return Math.min(longestText, 500 + 110 * turns);
}

interface Sentence {
  turn: Turn;
  text: string;
  /** Its place among all. */
  index: number;
  words: readonly string[];
  isError?: true;
}

interface WeighedSentence extends Sentence {
  kind?: SentenceKind;
  weight: number;
}

/** Every sentence once, the first time it is said; and one line of each error that a tool or a person shows. */
function listSentences(turns: readonly Turn[], looksAt: number, said: Map<string, number>): Sentence[] {
  const sentences: Sentence[] = [];
  const seen = new Set<string>();
  const add = (turn: Turn, text: string, isError?: true): void => {
    const words = wordsIn(text);
    const key = words.join(" ");
    for (const word of words) if (isDistinctive(word)) said.set(word, (said.get(word) ?? 0) + 1);
    if (key === "" || seen.has(key)) return;
    seen.add(key);
    sentences.push({ turn, text, words, index: sentences.length, ...(isError && { isError }) });
  };
  for (const turn of turns) {
    const error = findError(turn.content.slice(0, looksAt));
    const own = turn.role === "user" || turn.role === "assistant" ? sentencesOfTurn(turn.content, looksAt) : [];
    for (const sentence of own) add(turn, sentence);
    if (error !== undefined && !own.some((sentence) => sentence.includes(error.slice(0, 60)))) add(turn, error, true);
  }
  return sentences;
}

/** The line that names an error; else one that says that there is one. */
function findError(text: string): string | undefined {
  const line = (namedError.exec(text) ?? failure.exec(text))?.[0];
  return line === undefined ? undefined : plainLine(line, longestError);
}

const longestError = 240;
const namedError =
  /^[ \t]{0,8}(?:[\w.]{0,60}(?:Error|Exception)\b(?: \[\w{1,40}\])?:|(?:npm )?(?:error|fatal|panic)(?:\[\w{1,20}\]| TS\d{1,5})?:|\S{1,120}: error\b)[^\n]{4,160}/im;
const failure = /^[ \t]{0,8}FAIL\b[^\n]{4,160}/m;

function weigh(sentences: readonly Sentence[], said: ReadonlyMap<string, number>, isWork: boolean): WeighedSentence[] {
  let errorAt = -1;
  let corrected: Turn | undefined;
  const isRare = (word: string): boolean => isDistinctive(word) && (said.get(word) ?? 0) <= 2;
  return sentences.map((sentence): WeighedSentence => {
    const { turn, text, words, isError, index } = sentence;
    const rareWords = words.filter(isRare).length;
    const isAfterError = errorAt !== -1 && index - errorAt < 25;
    const weighed: Weighed = isError
      ? { kind: "error", weight: 3 }
      : weighSentence(text, { role: turn.role, isWork, isAfterError, rareWords });
    if (weighed.kind === "error") errorAt = index;
    // "No. The guard is the wrong place.": what follows says what is so.
    if (corrected === turn && weighed.kind === undefined) weighed.weight += 1.2;
    corrected = weighed.kind === "corrected" ? turn : undefined;
    return { ...sentence, ...weighed };
  });
}

const longestFirst = 240;

/** What it was about: the first requests, or what was talked of most. */
function firstLine(
  isWork: boolean,
  asked: readonly WeighedSentence[],
  all: readonly WeighedSentence[],
  said: ReadonlyMap<string, number>,
): { text: string; used: ReadonlySet<WeighedSentence> } {
  const often = [...said].filter(([, count]) => count > 1);
  if (!isWork && often.length > 2) {
    const most = often.toSorted((a, b) => b[1] - a[1]).slice(0, 8);
    return { text: `About: ${most.map(([word]) => word).join(", ")}.`, used: new Set() };
  }
  const opener = all.find(({ turn, weight, kind }) => turn.role === "user" && (kind || weight > 0)) ?? all[0];
  const opening = all.filter(({ turn, weight, kind }) => turn === opener?.turn && (kind || weight > 0)).slice(0, 2);
  const used = new Set(opener && opening.length === 0 ? [opener] : opening);
  let length = [...used].reduce((sum, { text }) => sum + text.length + 1, 0);
  for (const sentence of asked) {
    length += used.has(sentence) ? 0 : sentence.text.length + 1;
    if (used.size >= 3 || length > longestFirst) break;
    used.add(sentence);
  }
  const text = [...used].map(({ text: request }) => request).join(" ");
  return { text: text === "" ? "Nothing was said in words." : `About: ${text}`, used };
}

const mostPerTurn = 4;
const lineStart = "- assistant (corrected): ".length;

/** The most telling ones that fit, in their order. */
function choose(sentences: readonly WeighedSentence[], room: number): WeighedSentence[] {
  const chosen: WeighedSentence[] = [];
  const perTurn = new Map<Turn, number>();
  let left = room;
  for (const sentence of sentences.toSorted((a, b) => b.weight - a.weight)) {
    if (sentence.weight < 1 && chosen.length > 0) break;
    const ofTurn = perTurn.get(sentence.turn) ?? 0;
    const length = sentence.text.length + (ofTurn === 0 ? lineStart : 3);
    if (length > left || ofTurn >= mostPerTurn) continue;
    if (chosen.some((other) => isSame(sentence.words, other.words))) continue;
    chosen.push(sentence);
    perTurn.set(sentence.turn, ofTurn + 1);
    left -= length;
  }
  return chosen.toSorted((a, b) => a.index - b.index);
}

/** Whether two sentences differ in a word or two of ten only. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 2) return false;
  const other = new Set(b);
  return a.filter((word) => other.has(word)).length >= 0.85 * Math.max(a.length, b.length) && !differsInNumber(a, b);
}

function differsInNumber(a: readonly string[], b: readonly string[]): boolean {
  const numbers = (words: readonly string[]): string => words.filter((word) => /\d/.test(word)).join(" ");
  return numbers(a) !== numbers(b);
}

/** One line for what somebody said in one turn; a line before the first of each day where there are several. */
function listed(chosen: readonly WeighedSentence[]): string[] {
  const lines: string[] = [];
  const days = new Set(chosen.map(({ turn }) => dayOf(turn)));
  let last: WeighedSentence | undefined;
  for (const sentence of chosen) {
    const { turn, kind, text, index } = sentence;
    if (days.size > 1 && (!last || dayOf(last.turn) !== dayOf(turn))) lines.push(`${dayOf(turn)}:`);
    if (last?.turn === turn && (last.kind === kind || kind === undefined)) {
      lines.push(`${lines.pop() ?? ""}${index === last.index + 1 ? " " : " … "}${text}`);
    } else lines.push(`- ${speakerOf(turn)}${kind === undefined ? "" : ` (${kind})`}: ${text}`);
    last = sentence;
  }
  return lines;
}

function dayOf({ timestamp }: Turn): string {
  return timestamp.slice(0, 10);
}

function span(turns: readonly Turn[]): string {
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return "";
  const [from = "", to = ""] = [first, last].map(({ timestamp }) => timestamp.slice(0, 16).replace("T", " "));
  const until = from === to ? "" : ` to ${dayOf(first) === dayOf(last) ? to.slice(11) : to}`;
  return `${turns.length} ${turns.length === 1 ? "message" : "messages"}, ${from}${until} UTC.`;
}
