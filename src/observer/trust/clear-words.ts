import type { Json } from "../../base/base.js";
import type { Wording } from "../signals/signal.js";
import { familiarWords, purposeOf } from "../tools/command-purpose.js";
import { runsOf } from "../tools/command-runs.js";
import type { KnownNames } from "./known-names.js";

/** What a sighting says, and about what. */
interface Worded {
  subject: string;
  data: Record<string, Json>;
}

/**
 * The data of a sighting that says nothing but values: every text in it is a name that the project had before, or a
 * command of such names. What it can do without is left out; undefined where what remains says more.
 *
 * @example
 * clearWords({ subject: "src/a.ts", data: { file: "src/a.ts", message: "Do this" } }, { by: "values", optional: ["message"] }, names)
 * // { file: "src/a.ts" }
 */
export function clearWords(
  { subject, data }: Worded,
  wording: Wording,
  names: KnownNames,
): Record<string, Json> | undefined {
  if (wording.by !== "values" && wording.by !== "command") return undefined;
  const isKnown = (text: string) => isOwn(text, wording) || names.isPath(text) || isKnownText(text, wording, names);
  const cleared: Record<string, Json> = {};
  for (const [field, value] of Object.entries(data)) {
    const clear = clearValue(value, isKnown);
    if (clear !== undefined) cleared[field] = clear;
    else if (!wording.optional?.includes(field)) return undefined;
  }
  return isKnownSubject(subject, cleared, isKnown) ? cleared : undefined;
}

/** The words of a sighting that git is to be asked about. */
export function listWords({ subject, data }: Worded, wording: Wording): string[] {
  const texts = [...stringsIn(data), ...piecesOf(subject)].filter((text) => !isOwn(text, wording));
  return wording.by === "command" ? texts.flatMap((text) => [text, ...(wordsOfCommand(text) ?? [])]) : texts;
}

function isOwn(text: string, { terms = [] }: Wording): boolean {
  return text === "" || text === "none" || terms.includes(text) || isFingerprint.test(text);
}

const isFingerprint = /^[0-9a-f]{12,64}$/;

function isKnownText(text: string, { by, terms = [] }: Wording, names: KnownNames): boolean {
  if (by === "values") return names.isWord(text);
  const words = wordsOfCommand(text);
  return (
    words?.every(
      (word) => familiarWords.has(word) || terms.includes(word) || names.isPath(word) || names.isWord(word),
    ) ?? false
  );
}

/**
 * The words of a command that a person could be told to run: none where it does several things, installs something or
 * asks the network. What stands behind `=` is a word of its own.
 */
export function wordsOfCommand(line: string): string[] | undefined {
  if (!/^[\w@%+=:,./* -]{1,200}$/.test(line)) return undefined;
  const runs = runsOf(line, { root: "/", directory: "/" });
  const doesMore = runs.length !== 1 || runs.some(({ isByXargs }) => isByXargs);
  const fetches = runs.some(({ program, args }) => /^(?:install|network)$/.test(purposeOf(program, args).purpose));
  if (doesMore || fetches || /:\/\//.test(line)) return undefined;
  return line
    .split(/[\s=]+/)
    .map((word) => word.replace(/^-+/, ""))
    .filter((word, index, all) => word !== "" && !/^\d+(?:\.\d+)?$/.test(word) && !isShortOption(line, all, index));
}

/** `-r`, which says nothing by itself. */
function isShortOption(line: string, words: readonly string[], index: number): boolean {
  const word = words[index] as string;
  return word.length === 1 && line.includes(` -${word}`);
}

function clearValue(value: Json, isKnown: (text: string) => boolean): Json | undefined {
  if (typeof value === "string") return isKnown(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return stringsIn(value).every(isKnown) ? value : undefined;
  // A list of names, or of names with a number each, says the same with one less. Steps in their order do not.
  const isList = value.every((one) => typeof one !== "object" || Array.isArray(one));
  const known = value.filter((one) => stringsIn(one).every(isKnown));
  return isList || known.length === value.length ? known : undefined;
}

function isKnownSubject(subject: string, cleared: Record<string, Json>, isKnown: (text: string) => boolean): boolean {
  if (isKnown(subject)) return true;
  const said = new Set(stringsIn(cleared).map((text) => text.toLowerCase()));
  const isSaid = (text: string) => isKnown(text) || said.has(text.toLowerCase());
  return isSaid(subject) || piecesOf(subject).every(isSaid);
}

/** `src/a.ts + src/b.ts`, `src/api (native)`, `missed in .github`. */
function piecesOf(subject: string): string[] {
  const joined = subject.split(/ \+ | → |: | \(|\)$/).filter((piece) => piece !== "");
  return joined.flatMap((piece) => piece.split(/, | (?=(?:in|by|to) )|(?<=^(?:in|by|to)) /));
}

function stringsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
