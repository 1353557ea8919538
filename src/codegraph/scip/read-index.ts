import { PbfReader } from "pbf";
import { MemoryError } from "../../base/memory-error.js";

/** A SCIP index as far as it is read at once. Documents are read one at a time, each as often as it is asked for. */
export interface ScipIndex {
  /** Such as `scip-typescript 0.4.0`. */
  tool: string;
  /** Where its documents lie, as a URL; empty where it does not say. */
  projectRoot: string;
  documents: ScipDocument[];
}

export interface ScipDocument {
  /** From the project's root, as the index writes it. */
  path: string;
  read: () => DocumentContent;
}

export interface DocumentContent {
  occurrences: Occurrence[];
  symbols: SymbolInformation[];
  encoding: PositionEncoding;
}

/** In what a column counts. An indexer that does not say counts as its own editors do, in UTF-16. */
export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

export interface Occurrence {
  range: Range;
  symbol: string;
  isDefinition: boolean;
  /** The whole of what is defined here. */
  enclosing?: Range;
}

/** From 0; the end is not part of it. */
export interface Range {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface SymbolInformation {
  symbol: string;
  /** A number of `SymbolInformation.Kind`; 0 where it is not said. */
  kind: number;
  /** The symbols that it implements, extends or overrides. */
  implemented: string[];
}

/**
 * Reads what a SCIP index holds: its head, and where its documents are. Nothing of them is copied. What is cut off, or no
 * such index at all, is refused.
 *
 * @example readIndex(await readFile("index.scip")).documents.map(({ path }) => path)
 */
export function readIndex(bytes: Uint8Array): ScipIndex {
  const index: ScipIndex = { tool: "", projectRoot: "", documents: [] };
  let hasHead = false;
  const reader = new PbfReader(bytes);
  refusingBroken(() =>
    eachField(reader, bytes.length, {
      1: (end) => {
        hasHead = true;
        readHead(reader, end, index);
      },
      2: (end) => {
        const start = reader.pos;
        const path = readPath(reader, end);
        index.documents.push({ path, read: () => refusingBroken(() => readDocument(bytes, start, end)) });
      },
    }),
  );
  if (!hasHead) throw noIndex("it does not begin as one");
  return index;
}

/** The reader itself throws where a number does not end. */
function refusingBroken<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof MemoryError ? error : noIndex("it is no protobuf", error);
  }
}

function readHead(reader: PbfReader, end: number, index: ScipIndex): void {
  eachField(reader, end, {
    2: (toolEnd) => {
      const parts: string[] = [];
      const note = (textEnd: number) => parts.push(textUpTo(reader, textEnd));
      eachField(reader, toolEnd, { 1: note, 2: note });
      index.tool = parts.join(" ");
    },
    3: (textEnd) => (index.projectRoot = textUpTo(reader, textEnd)),
  });
}

function readPath(reader: PbfReader, end: number): string {
  let path = "";
  eachField(reader, end, { 1: (textEnd) => (path = textUpTo(reader, textEnd)) });
  return path;
}

function readDocument(bytes: Uint8Array, start: number, end: number): DocumentContent {
  const reader = new PbfReader(bytes);
  reader.pos = start;
  const content: DocumentContent = { occurrences: [], symbols: [], encoding: "utf-16" };
  eachField(reader, end, {
    2: (inner) => {
      const occurrence = readOccurrence(reader, inner);
      if (occurrence) content.occurrences.push(occurrence);
    },
    3: (inner) => content.symbols.push(readSymbol(reader, inner)),
    6: () => (content.encoding = encodings[reader.readVarint()] ?? "utf-16"),
  });
  return content;
}

const encodings: (PositionEncoding | undefined)[] = [undefined, "utf-8", "utf-16", "utf-32"];

/** Undefined for what stands for no symbol: it colours the text. */
function readOccurrence(reader: PbfReader, end: number): Occurrence | undefined {
  const range: number[] = [];
  const enclosing: number[] = [];
  let symbol = "";
  let roles = 0;
  const numbers = (list: number[]) => (inner: number) => {
    if (inner < 0) list.push(reader.readVarint(true));
    else while (reader.pos < inner) list.push(reader.readVarint(true));
  };
  eachField(reader, end, {
    1: numbers(range),
    2: (inner) => (symbol = textUpTo(reader, inner)),
    3: () => (roles = reader.readVarint()),
    7: numbers(enclosing),
  });
  if (symbol === "") return undefined;
  const whole = rangeOf(enclosing);
  return {
    range: rangeOf(range) ?? nowhere,
    symbol,
    isDefinition: (roles & 1) === 1,
    ...(whole && { enclosing: whole }),
  };
}

// A range that no text has: whoever looks there finds that the document does not fit.
const nowhere: Range = { line: -1, column: -1, endLine: -1, endColumn: -1 };

/** Three numbers stand for a range within one line, four for any. */
function rangeOf(numbers: readonly number[]): Range | undefined {
  const [line = 0, column = 0, third = 0, fourth = 0] = numbers;
  if (numbers.length === 3) return { line, column, endLine: line, endColumn: third };
  return numbers.length === 4 ? { line, column, endLine: third, endColumn: fourth } : undefined;
}

function readSymbol(reader: PbfReader, end: number): SymbolInformation {
  const found: SymbolInformation = { symbol: "", kind: 0, implemented: [] };
  eachField(reader, end, {
    1: (inner) => (found.symbol = textUpTo(reader, inner)),
    4: (inner) => {
      let symbol = "";
      let isImplemented = false;
      eachField(reader, inner, {
        1: (textEnd) => (symbol = textUpTo(reader, textEnd)),
        3: () => (isImplemented = reader.readVarint() === 1),
      });
      if (isImplemented && symbol !== "") found.implemented.push(symbol);
    },
    5: () => (found.kind = reader.readVarint()),
  });
  return found;
}

/** Gets the end of what it is to read, or -1 for a number, which has none. */
type ReadField = (end: number) => unknown;

const wire = { number: 0, eight: 1, bytes: 2, four: 5 };

/**
 * Goes through the fields of a message. The reader itself runs on behind the end of what it reads, so every length is
 * looked at first.
 */
function eachField(reader: PbfReader, end: number, fields: Partial<Record<number, ReadField>>): void {
  while (reader.pos < end) {
    const tag = reader.readVarint();
    const kind = tag & 7;
    const read = fields[tag >>> 3];
    let next = -1;
    if (kind === wire.bytes) {
      const length = reader.readVarint();
      next = reader.pos + length;
      if (length < 0 || !(next <= end)) throw noIndex("it is cut off");
    } else if (kind === wire.eight || kind === wire.four) {
      reader.pos += kind === wire.eight ? 8 : 4;
    } else if (kind !== wire.number) {
      throw noIndex("it is no protobuf");
    }
    if (kind === wire.number) (read ?? (() => reader.readVarint()))(-1);
    else if (kind === wire.bytes) read?.(next);
    if (kind === wire.bytes) reader.pos = next;
    if (!(reader.pos <= end)) throw noIndex("it is cut off");
  }
}

const decoder = new TextDecoder();

function textUpTo(reader: PbfReader, end: number): string {
  const text = end < 0 ? "" : decoder.decode(reader.buf.subarray(reader.pos, end));
  reader.pos = Math.max(reader.pos, end);
  return text;
}

function noIndex(why: string, cause?: unknown): MemoryError {
  return new MemoryError(
    "invalid-input",
    `This is no SCIP index: ${why}.`,
    "Make it again, for example with: npx @sourcegraph/scip-typescript index",
    cause,
  );
}
