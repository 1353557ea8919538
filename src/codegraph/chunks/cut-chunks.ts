import type { OutlinePart } from "../facts/facts.js";
import { cutProse } from "./cut-prose.js";
import { measureLines, type MeasuredLines } from "../files/measure-lines.js";

export type ChunkType = "function" | "class" | "module" | "prose";

/** Some lines of a file that belong together. */
export interface Chunk {
  type: ChunkType;
  /** Of what is defined in it, or of the definition it is a part of; several small ones are separated by commas. */
  name: string;
  /** The names of what it is written in, outermost first. */
  context: string[];
  /** From 1, both included. */
  startLine: number;
  endLine: number;
}

// In characters that are not white. Of hono, vite and this repository, 284,000 lines, every line is in one chunk of 10,100;
// half of those of hono are between 490 and 1,700 (2026-11).
const roomy = 2000;
// A function is kept whole up to here: half of one says little.
const maxOfFunction = 4000;
const tooSmall = 300;
// More names than this are a list that nobody reads.
const maxNames = 8;

/**
 * Cuts a file into chunks, in order, every line in exactly one. Comments and decorators go with what follows them. What is
 * too large falls into the parts of its body, small neighbours are put together, and only what has no parts is cut between
 * any two lines. A single line is never cut.
 */
export function cutChunks(source: string, outline: readonly OutlinePart[] | undefined, path: string): Chunk[] {
  const lines = measureLines(source);
  if (lines.texts.length === 0) return [];
  const pieces = outline
    ? joinSmall(joinLoose(split(lines, outline, [0, lines.texts.length - 1], moduleOwner), lines), lines)
    : cutProse(lines, path);
  return pieces.map(({ type, names, context, start, end }) => ({
    type,
    name: names.slice(0, maxNames).join(", "),
    context,
    startLine: start + 1,
    endLine: end + 1,
  }));
}

/** A chunk in the making. Lines from 0, both included. */
export interface Piece {
  type: ChunkType;
  names: string[];
  context: string[];
  start: number;
  end: number;
  /** Imports and plain statements: they may stand together up to the limit. */
  isLoose?: boolean;
}

/** What the statements of a body are a part of. */
interface Owner {
  type: ChunkType;
  names: string[];
  context: string[];
  /** What is defined inside has this for its context. */
  inner: string[];
}

const moduleOwner: Owner = { type: "module", names: [], context: [], inner: [] };

type Range = readonly [start: number, end: number];

function split(lines: MeasuredLines, parts: readonly OutlinePart[], range: Range, owner: Owner): Piece[] {
  const units = toUnits(parts, range);
  if (units.length === 0) return cutAnywhere(lines, toPiece({ start: range[0], end: range[1] }, owner));
  return units.flatMap((unit) => {
    const piece = toPiece(unit, owner);
    if (lines.size(piece.start, piece.end) <= limitOf(piece)) return [piece];
    const inner = unit.part?.parts;
    if (!inner || inner.length === 0) return cutAnywhere(lines, piece);
    return split(lines, inner, [unit.start, unit.end], ownerOf(unit.part, piece, owner));
  });
}

interface Unit {
  start: number;
  end: number;
  /** Absent where several share a line, and so cannot be told apart. */
  part?: OutlinePart;
}

/** The lines of a range, dealt out to its parts: those before a part go with it, those behind the last with the last. */
function toUnits(parts: readonly OutlinePart[], [from, to]: Range): Unit[] {
  const units: Unit[] = [];
  let next = from;
  for (const part of parts) {
    const end = Math.min(part.end, to);
    const last = units.at(-1);
    if (last && part.start <= last.end) {
      last.end = Math.max(last.end, end);
      delete last.part;
      next = last.end + 1;
    } else if (end >= next && part.start <= to) {
      units.push({ start: next, end, part });
      next = end + 1;
    }
  }
  const last = units.at(-1);
  if (last) last.end = to;
  return units;
}

function toPiece({ start, end, part }: Unit, owner: Owner): Piece {
  const { kind = "other", name } = part ?? {};
  const names = name === undefined || name === "" ? [] : [name];
  if (kind === "function" || kind === "class") return { type: kind, names, context: owner.inner, start, end };
  // A statement of a function is known by the function; one of the module by what it declares, if anything.
  const isOfModule = owner.type === "module";
  return {
    type: owner.type,
    names: isOfModule ? names : owner.names,
    context: isOfModule ? owner.inner : owner.context,
    start,
    end,
    isLoose: true,
  };
}

function ownerOf(part: OutlinePart | undefined, { type, names, context }: Piece, owner: Owner): Owner {
  const isDefinition = part?.kind === "function" || part?.kind === "class";
  if (isDefinition || owner.type === "module") return { type, names, context, inner: [...owner.inner, ...names] };
  return owner;
}

function limitOf({ type, isLoose }: Piece): number {
  return type === "function" && isLoose !== true ? maxOfFunction : roomy;
}

/** What has no parts is cut between lines, at a blank one where there is one in the second half. */
function cutAnywhere(lines: MeasuredLines, piece: Piece): Piece[] {
  const cut: Piece[] = [];
  let start = piece.start;
  while (lines.size(start, piece.end) > roomy && start < piece.end) {
    let end = start;
    while (end < piece.end && lines.size(start, end + 1) <= roomy) end += 1;
    // What is left is not worth a chunk of its own, and there is room for it.
    if (end === piece.end) break;
    const blank = lastBlank(lines, start, end);
    cut.push({ ...piece, start, end: blank ?? end, isLoose: true });
    start = (blank ?? end) + 1;
  }
  cut.push({ ...piece, start, isLoose: cut.length > 0 || piece.isLoose === true });
  return cut;
}

function lastBlank(lines: MeasuredLines, start: number, end: number): number | undefined {
  for (let line = end; lines.size(start, line) > roomy / 2; line -= 1) if (lines.size(line, line) === 0) return line;
  return undefined;
}

/** Puts neighbours of one body together: imports and statements up to the limit, definitions while both are small. */
function joinLoose(pieces: readonly Piece[], lines: MeasuredLines): Piece[] {
  const joined: Piece[] = [];
  const isSmall = ({ start, end }: Piece) => lines.size(start, end) < tooSmall;
  for (const piece of pieces) {
    const last = joined.at(-1);
    const fits = last && isSameBody(last, piece) && lines.size(last.start, piece.end) <= roomy;
    if (fits && (isSmall(last) || isStatement(last)) && (isSmall(piece) || isStatement(piece))) {
      joined[joined.length - 1] = join(last, piece, lines);
    } else joined.push(piece);
  }
  return joined;

  // The end of one long function and the beginning of the next do not belong together.
  function isStatement({ isLoose, type }: Piece): boolean {
    return isLoose === true && type === "module";
  }
}

function isSameBody(one: Piece, other: Piece): boolean {
  return one.context.length === other.context.length && one.context.every((name, at) => name === other.context[at]);
}

/** What is still too small joins the smaller of its neighbours that has room for it. */
function joinSmall(pieces: Piece[], lines: MeasuredLines): Piece[] {
  const joined: Piece[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as Piece;
    const [before, after] = [joined.at(-1), pieces[at + 1]];
    const isSmall = lines.size(piece.start, piece.end) < tooSmall;
    const sizeBefore = before ? lines.size(before.start, piece.end) : Infinity;
    const sizeAfter = after ? lines.size(piece.start, after.end) : Infinity;
    if (before && isSmall && sizeBefore <= roomy && sizeBefore <= sizeAfter) {
      joined[joined.length - 1] = join(before, piece, lines);
    } else if (after && isSmall && sizeAfter <= roomy) {
      pieces[at + 1] = join(piece, after, lines);
    } else joined.push(piece);
  }
  return joined;
}

/** Two neighbours as one: it is what the larger one is, and has the names of both where they are of one body. */
function join(one: Piece, other: Piece, lines: MeasuredLines): Piece {
  const main = lines.size(one.start, one.end) >= lines.size(other.start, other.end) ? one : other;
  const names = isSameBody(one, other) ? [...new Set([...one.names, ...other.names])] : main.names;
  const isLoose = one.isLoose === true && other.isLoose === true;
  return { ...main, names, start: one.start, end: other.end, isLoose };
}
