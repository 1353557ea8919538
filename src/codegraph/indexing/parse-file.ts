import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { emptyFacts, type FileFacts, type SpaceFact } from "../facts/facts.js";
import { languageOf } from "../languages/language-of.js";
import type { Extract, Language } from "../languages/language.js";
import { chunksOf, type ChunkRow } from "../chunks/chunks-of.js";
import { cleanSource } from "../files/clean-source.js";
import { cannotBeRead, readSource, type Source } from "../files/read-source.js";
import { surfaceOf } from "../link/link.js";
import { wellFormed, wellFormedText } from "../tree/well-formed.js";
import { cleanFacts, mayHideNames } from "./clean-facts.js";

export interface FileToParse {
  path: string;
  /** The hash of what is known of it, by this version. */
  hash?: string;
}

/** A file as it is kept. What goes into the database as JSON is JSON already, so that no thread has to make it twice. */
export interface ParsedFile {
  path: string;
  hash: string;
  size: number;
  modifiedMs: number;
  /** When it was read. A file that changes within the clock's step after that looks the same. */
  readMs: number;
  language?: string;
  /** "same": as it is known, and nothing else was done. */
  state: "whole" | "partial" | "text" | "skipped" | "same";
  problem?: string;
  /** Nothing was found out about it, because what parses its language could not be opened here. */
  lacksParser?: true;
  surface: string;
  facts?: string;
  /** The names that it adds to spaces: a list of [space, name], each once. */
  spaces?: string;
  /** A list of [path, name, kind, start, end, fingerprint]; the file itself comes first. */
  nodes: string;
  chunks: ChunkRow[];
}

const opened = new Map<Language, Promise<Extract>>();

// Reading takes several steps, and while a file is parsed none of them goes on: with so many begun, one is always done.
const readAhead = 8;

/** Reads files and takes apart what is in them, each as it is asked for; undefined for one that is not there any more. */
export async function* parseInOrder(
  root: string,
  files: readonly FileToParse[],
): AsyncGenerator<ParsedFile | undefined> {
  const read = (file: FileToParse | undefined) => {
    const reading = file && { readMs: Date.now(), source: readSource(root, file.path) };
    // Whoever asks for the next one hears of what went wrong.
    reading?.source.catch(() => undefined);
    return reading;
  };
  const ahead = files.slice(0, readAhead).map(read);
  for (const [index, file] of files.entries()) {
    const reading = ahead.shift() as NonNullable<ReturnType<typeof read>>;
    ahead.push(read(files[index + readAhead]));
    const source = await reading.source;
    yield source && (await parseSource(file, source, reading.readMs));
  }
}

/** Never throws for what a file holds. */
async function parseSource({ path, hash }: FileToParse, source: Source, readMs: number): Promise<ParsedFile> {
  const { size } = source;
  const modifiedMs = wholeMs(source.modifiedMs);
  const language = languageOf(path);
  const read = { path, hash: source.hash, size, modifiedMs, readMs, ...(language && { language: language.name }) };
  // Who may read it changes neither its size nor its time: as one that was read too soon, it is always looked at again.
  if ("skipped" in source && source.skipped === cannotBeRead) read.readMs = modifiedMs;
  // What was not read has no hash, and is looked at again only when its name, its size or its time has changed.
  if (source.hash === hash) return { ...read, state: "same", surface: "", nodes: "[]", chunks: [] };
  if ("skipped" in source) return refused(read, source.skipped);
  const { text } = source;
  if (language === undefined) {
    return {
      ...read,
      state: "text",
      surface: "",
      nodes: nodesOf(path, emptyFacts, text),
      chunks: await chunksOf(path, text),
    };
  }
  const extract = await openLanguage(language);
  // The machine's fault and not the file's, such as too little memory: without a hash, it is looked at again.
  if (extract instanceof Error) {
    const unread = refused({ ...read, hash: "", modifiedMs: 0 }, `could not be parsed: ${extract.message}`);
    return { ...unread, lacksParser: true };
  }
  try {
    const clean = await cleanSource(text, path);
    // Of the text as it is: without its secrets it may not parse.
    const { facts: found, outline, firstErrorLine } = extract(path, text);
    const facts = clean === text && !mayHideNames(text) ? found : cleanFacts(found, `${clean}\n${path}`);
    return {
      ...read,
      ...(firstErrorLine === undefined
        ? { state: "whole" }
        : { state: "partial", problem: `does not parse at line ${firstErrorLine}` }),
      surface: surfaceOf(facts),
      facts: wellFormed(JSON.stringify(facts)),
      ...(facts.spaces && { spaces: wellFormed(JSON.stringify(listAdded(facts.spaces))) }),
      nodes: nodesOf(path, facts, text),
      chunks: (await chunksOf(path, text, outline, clean)).map(wellNamed),
    };
  } catch (error) {
    // A parser that fails must not take the other files with it; the report names this one.
    return refused(read, `could not be parsed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * A file that could not be parsed at all. It is in the tree, with nothing known of what it holds. The cause may have been
 * another, such as a machine that slept: so the next indexing looks at it again, and only what fails then too is left alone.
 */
export async function refusedFile(root: string, file: FileToParse, problem: string): Promise<ParsedFile> {
  const { path } = file;
  const { size, mtimeMs } = await stat(join(root, path)).catch(() => ({ size: 0, mtimeMs: 0 }));
  const modifiedMs = mayHaveFailed(file) ? wholeMs(mtimeMs) : 0;
  const language = languageOf(path);
  return refused(
    { path, hash: "", size, modifiedMs, readMs: Date.now(), ...(language && { language: language.name }) },
    problem,
  );
}

/** Whether it may be one that could not be parsed the last time: of those, nothing was read. */
export function mayHaveFailed({ path, hash }: FileToParse): boolean {
  return hash === "" && languageOf(path) !== undefined;
}

/** SQLite gives a number back with 15 digits, and a time in parts of a millisecond has more: it would never be the same. */
export function wholeMs(time: number): number {
  return Math.trunc(time);
}

type Read = Pick<ParsedFile, "path" | "hash" | "size" | "modifiedMs" | "readMs" | "language">;

function refused(read: Read, problem: string): ParsedFile {
  return {
    ...read,
    state: "skipped",
    problem: wellFormedText(problem),
    surface: surfaceOf(emptyFacts),
    facts: JSON.stringify(emptyFacts),
    nodes: nodesOf(read.path, emptyFacts, ""),
    chunks: [],
  };
}

/** Opens a parser, once. One that could not be opened is tried again with the next file. */
async function openLanguage(language: Language): Promise<Extract | Error> {
  const opening = opened.get(language) ?? language.open();
  opened.set(language, opening);
  return opening.catch((error: unknown) => {
    opened.delete(language);
    return error instanceof Error ? error : new Error(String(error));
  });
}

function listAdded(spaces: readonly SpaceFact[]): [space: string, name: string][] {
  return spaces.flatMap(([space, names]) =>
    [...new Set(names.map(([name]) => name))].map((name): [string, string] => [space, name]),
  );
}

function nodesOf(path: string, { symbols }: FileFacts, text: string): string {
  const file = ["", basename(path), "file", 1, countLines(text), null];
  const nodes = [
    file,
    ...symbols.map(({ path: symbol, name, kind, start, end, fingerprint }) => [
      symbol,
      name,
      kind,
      start,
      end,
      fingerprint ?? null,
    ]),
  ];
  return wellFormed(JSON.stringify(nodes));
}

/** Words hold nothing but letters and digits; a name may be quoted, and hold anything. */
function wellNamed(chunk: ChunkRow): ChunkRow {
  return { ...chunk, name: wellFormedText(chunk.name) };
}

function countLines(text: string): number {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return Math.max(1, lines);
}
