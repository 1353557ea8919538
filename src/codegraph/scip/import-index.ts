import { realpath } from "node:fs/promises";
import { isAbsolute, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { MemoryError } from "../../base/memory-error.js";
import type { Store, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { putFacts } from "../indexing/file-queries.js";
import { putNodes } from "../tree/node-queries.js";
import { putScipAnswers, type StoredScipAnswers } from "../indexing/scip-answer-queries.js";
import { noteWrite } from "../tree/tree-queries.js";
import { wellFormed } from "../tree/well-formed.js";
import { surfaceOf } from "../link/link.js";
import type { FileFacts } from "../facts/facts.js";
import { answersOf } from "./answers-of.js";
import { usesOf } from "./facts-of-document.js";
import { KnownSymbols } from "./known-symbols.js";
import { hasChanged, readDocument } from "./read-document.js";
import { readIndex, type ScipDocument, type ScipIndex } from "./read-index.js";
import { putSurfaces, putSymbols, readIndexedFiles, type IndexedFile } from "./scip-queries.js";
import { withoutSecrets } from "./without-secrets.js";

/** What became of a SCIP index. */
export interface ScipReport {
  /** Who made it, such as `scip-typescript 0.4.0`. */
  tool: string;
  documents: number;
  /** Documents that fit their file, and count until it changes. */
  taken: number;
  refused: { path: string; why: string }[];
  /** Symbols that have a node here. */
  symbols: number;
}

/**
 * Takes in a SCIP index: what its documents say of files as they are indexed now is kept, and those files wait to be linked
 * with it. A document that was made of another text is refused; where none fits, nothing is written.
 */
export async function importIndex(store: Store, tree: Tree, bytes: Uint8Array): Promise<ScipReport> {
  const index = readIndex(bytes);
  const taking: Taking = {
    store,
    tree,
    prefix: await prefixOf(tree.root, index),
    refused: [],
    known: new KnownSymbols(),
    secretive: new Set(),
  };
  const fitting = await findFitting(taking, index.documents);
  if (fitting.length === 0) throw nothingFits(index, taking.refused);
  const files: PreciseFile[] = [];
  for (const { document, file } of fitting) {
    const precise = await readPrecise(taking, document, file);
    if (precise) files.push(precise);
  }
  const { taken, symbols } = await keep(taking, files);
  const { refused } = taking;
  return { tool: index.tool, documents: index.documents.length, taken, refused, symbols };
}

interface Taking {
  store: Store;
  tree: Tree;
  /** Where the index begins in the tree: empty, or a folder with a slash. */
  prefix: string;
  refused: { path: string; why: string }[];
  known: KnownSymbols;
  /** Files that hold secrets: a name may be one. */
  secretive: Set<string>;
}

/** An index may be of a part of the tree. One that was made elsewhere, as on a server, is taken to be of the whole. */
async function prefixOf(root: string, { projectRoot }: ScipIndex): Promise<string> {
  try {
    const path = relative(root, await realpath(fileURLToPath(projectRoot)));
    const isInside = path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
    return isInside ? `${path.split(sep).join("/")}/` : "";
  } catch {
    return "";
  }
}

interface Fitting {
  document: ScipDocument;
  file: IndexedFile;
}

// So many files are looked up at once.
const page = 64;

/** First of all, what every document defines: others lead there. */
async function findFitting(taking: Taking, documents: readonly ScipDocument[]): Promise<Fitting[]> {
  const { store, tree, prefix, refused, known } = taking;
  const fitting: Fitting[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < documents.length; at += page) {
    const part = documents.slice(at, at + page).map((document) => ({ document, path: pathIn(prefix, document.path) }));
    const paths = part.flatMap(({ path }) => path ?? []);
    const files = await store.read(async (reader) => readIndexedFiles(reader, tree, paths));
    for (const { document, path } of part) {
      const file = files.get(path ?? "");
      const isTwice = path !== undefined && seen.has(path);
      seen.add(path ?? "");
      const why = isTwice ? "is in the index twice" : await define(taking, document, path, file);
      if (why === undefined && file) fitting.push({ document, file: { ...file, nodes: [] } });
      else refused.push({ path: printable(document.path), why: why ?? "" });
      // What it defines is no less of this tree.
      if (why !== undefined && file) noteDefined(known, document);
    }
  }
  return fitting;
}

function noteDefined(known: KnownSymbols, document: ScipDocument): void {
  const symbols = document.read().occurrences.flatMap(({ isDefinition, symbol }) => (isDefinition ? [symbol] : []));
  known.define(document.path, [{ symbols, name: "", line: 0, column: 0 }], []);
}

/** From the root of the tree; undefined for what lies outside. */
function pathIn(prefix: string, path: string): string | undefined {
  const plain = posix.normalize(path.replaceAll("\\", "/"));
  const isInside = !/^(?:\.{0,2}$|\.\.\/|\/|[A-Za-z]:)/.test(plain) && !plain.includes("\0");
  return isInside ? prefix + plain : undefined;
}

/** Notes what a document defines, or tells why it does not fit. */
async function define(
  { tree, known, secretive }: Taking,
  document: ScipDocument,
  path: string | undefined,
  file: IndexedFile | undefined,
): Promise<string | undefined> {
  if (path === undefined) return "lies outside of the tree";
  if (!file) return "is no file of this tree, or git ignores it";
  if (file.problem !== undefined) return file.problem;
  const read = await readDocument(tree.root, document, file, true);
  if ("why" in read) return read.why;
  if (read.hasSecrets) secretive.add(path);
  known.define(path, read.sites, file.hasFacts ? file.nodes : read.facts.symbols);
  return undefined;
}

interface PreciseFile extends StoredScipAnswers {
  path: string;
  facts?: FileFacts;
  lines: number;
}

async function readPrecise(
  taking: Taking,
  document: ScipDocument,
  file: IndexedFile,
): Promise<PreciseFile | undefined> {
  const read = await readDocument(taking.tree.root, document, file, taking.secretive.has(file.path));
  if ("why" in read) {
    taking.refused.push({ path: printable(document.path), why: read.why });
    return undefined;
  }
  const all = answersOf(file.path, read.content, read.lines, taking.known);
  const answers = { ...all, uses: all.uses.filter(([, name]) => read.isClean(name)) };
  const facts = file.hasFacts ? undefined : { ...read.facts, uses: usesOf(read.facts, answers) };
  const { number, hash, path } = file;
  return {
    number,
    hash,
    path,
    answers: wellFormed(JSON.stringify(answers)),
    lines: read.lines.lines.length,
    ...(facts && { facts }),
  };
}

/**
 * All of it or nothing, but for files that somebody else has read anew or taken out meanwhile. Whoever indexes at the same
 * time begins anew with it.
 */
async function keep(
  { store, tree, known, refused }: Taking,
  files: readonly PreciseFile[],
): Promise<{ taken: number; symbols: number }> {
  const numberOf = new Map(files.map(({ path, number }) => [path, number]));
  const found = await withoutSecrets([...known.all()]);
  const all = found.flatMap(([symbol, file, path]): [string, number, string][] => {
    const number = numberOf.get(file);
    return number === undefined ? [] : [[symbol, number, path]];
  });
  const put = await store.write(async (writer) => {
    await noteWrite(writer, tree);
    const kept = await putScipAnswers(writer, files);
    const symbols = all.filter(([, number]) => kept.has(number));
    await putSymbols(writer, tree, [...kept], symbols);
    await putMade(
      writer,
      files.filter(({ number }) => kept.has(number)),
    );
    return { kept, symbols: symbols.length };
  });
  for (const { path, number } of files) if (!put.kept.has(number)) refused.push({ path, why: hasChanged });
  return { taken: put.kept.size, symbols: put.symbols };
}

/** What files consist of that have no facts but those of the index. */
async function putMade(writer: Writer, files: readonly PreciseFile[]): Promise<void> {
  const made = files.flatMap(({ number, path, facts, lines }) => (facts ? [{ number, path, facts, lines }] : []));
  if (made.length === 0) return;
  await putFacts(
    writer,
    made.map(({ number, facts }) => ({ number, facts: wellFormed(JSON.stringify(facts)) })),
  );
  await putNodes(
    writer,
    made.map(({ number, path, facts, lines }) => ({ number, nodes: nodesOf(path, facts, lines), isNew: false })),
  );
  await putSurfaces(
    writer,
    made.map(({ number, facts }) => ({ number, surface: surfaceOf(facts) })),
  );
}

function nodesOf(path: string, { symbols }: FileFacts, lines: number): string {
  const nodes = symbols.map(({ path: own, name, kind, start, end }) => [own, name, kind, start, end, null]);
  return wellFormed(JSON.stringify([["", posix.basename(path), "file", 1, lines, null], ...nodes]));
}

function nothingFits(index: ScipIndex, refused: Taking["refused"]): MemoryError {
  const [first] = refused;
  const { length } = index.documents;
  return new MemoryError(
    "invalid-input",
    length === 0
      ? "The SCIP index holds no documents."
      : `None of the ${length} documents of the SCIP index fits this tree.`,
    first
      ? `${first.path} ${first.why}.`
      : "Make it again at the root of the project, and look whether its indexer found any file.",
  );
}

/** A path that came with the index, fit to be shown. */
function printable(path: string): string {
  return path.replaceAll(/[\p{Cc}\p{Surrogate}]/gu, "\uFFFD").slice(0, 500);
}
