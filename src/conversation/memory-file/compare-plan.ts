import { shortId } from "../../base/ids/ids.js";
import type { Memory } from "../../memory/memory.js";
import { hashOf } from "../../memory/record/record.js";
import type { ReadFile, WrittenLine } from "./read-memory-file.js";
import { pairLines } from "./pair-lines.js";
import { markOf, marksOf, shownText, type Line } from "./line.js";

/** What a file asks of the store. */
export interface Plan {
  revise: Revision[];
  /** Their lines are gone. */
  forget: { memory: Memory; isEverywhere: boolean }[];
  /** No memory says these. */
  remember: Line[];
  /** How many lines the file was written from. */
  written: number;
}

/** A memory whose line says something else now, or stands below the heading of another type. */
export interface Revision {
  memory: Memory;
  statement: Line;
  changes: { content?: string; type?: string };
}

/** Memories that lines may be about, whatever became of them. */
export interface ReferencedMemories {
  project: Memory[];
  everywhere: Memory[];
}

/**
 * What changed in a file since it was written, by what its last line says of that. A line that says what it said is left
 * alone: what happened to its memory meanwhile stands. A changed one is paired with its memory by place and likeness, and
 * wins over what happened meanwhile. A line that is gone forgets its memory, unless that says something else by now, which
 * nobody who took the line away has read. Without that last line nothing is revised or forgotten, and what any memory says
 * or said, a superseded or forgotten one too, is not said anew.
 */
export function comparePlan({ statements, written }: ReadFile, meant: ReferencedMemories): Plan {
  const plan: Plan = { revise: [], forget: [], remember: [], written: written?.length ?? 0 };
  if (!written) {
    const isKnown = saysOne([...meant.project, ...meant.everywhere]);
    const last = statements.at(-1);
    plan.remember = statements.filter((one) => !isKnown(one) && !(one === last && isCutOff(one, meant)));
    return withWords(plan);
  }
  const lines = written.map((line): LineThen => {
    const memory = memoryOf(line, meant);
    return { ...line, memory, said: memory ? [memory.content] : [] };
  });
  const { gone, added, places } = matchLines(lines, statements);
  const pairs = pairLines(gone, added, places);
  for (const line of gone) {
    const { memory, isEverywhere } = line;
    const statement = pairs.get(line);
    // One that is no longer in force is neither changed nor forgotten: what the line says now is said anew.
    if (!memory || !isInForce(memory)) {
      if (statement) plan.remember.push(statement);
    } else if (!statement) {
      if (markOf(memory.content, memory.type, isEverywhere) === line.mark) plan.forget.push({ memory, isEverywhere });
    } else {
      const changes = changesOf(memory, statement);
      if (Object.keys(changes).length > 0) plan.revise.push({ memory, statement, changes });
    }
  }
  const paired = new Set(pairs.values());
  const isSaidHere = saysOne(meant.project.filter(isInForce));
  const isSaidThere = saysOne(meant.everywhere.filter(isInForce));
  plan.remember.push(...added.filter((statement) => !paired.has(statement)));
  plan.remember = plan.remember.filter((one) => !(one.isEverywhere ? isSaidThere : isSaidHere)(one));
  return withWords(plan);
}

function isInForce({ status }: Memory): boolean {
  return status === "active";
}

/** A line as it was written, and its memory as it is now. */
export interface LineThen extends WrittenLine {
  memory: Memory | undefined;
  /** What it says, or may have said. */
  said: string[];
}

function memoryOf({ shortId: short, mark, isEverywhere }: WrittenLine, meant: ReferencedMemories): Memory | undefined {
  const found = meant[isEverywhere ? "everywhere" : "project"].filter(({ id }) => shortId(id) === short);
  return found.length < 2 ? found[0] : found.find(({ content, type }) => markOf(content, type, isEverywhere) === mark);
}

/** The lines of a file beside those that it was written with. */
export interface MatchedLines {
  /** Gone or changed. */
  gone: LineThen[];
  /** What was not there so. */
  added: Line[];
  unchanged: Map<Line, LineThen>;
  /** Where the ones that are gone were, and the ones that are added are. */
  places: Map<LineThen | Line, number>;
}

export function matchLines(lines: readonly LineThen[], statements: readonly Line[]): MatchedLines {
  const left = new Set(lines);
  const places = new Map<LineThen | Line, number>();
  const unchanged = new Map<Line, LineThen>();
  const added: Line[] = [];
  for (const statement of statements) {
    const marks = marksOf(statement);
    const same = [...left].find(
      ({ mark, isEverywhere }) => isEverywhere === statement.isEverywhere && marks.includes(mark),
    );
    if (!same) added.push(statement);
    else {
      left.delete(same);
      unchanged.set(statement, same);
    }
  }
  // A place is the gap between two lines that are as they were: the last of them that stands above.
  let above = -1;
  for (const [index, line] of lines.entries()) {
    if (left.has(line)) places.set(line, above);
    else above = index;
  }
  above = -1;
  for (const statement of statements) {
    const same = unchanged.get(statement);
    if (same === undefined) places.set(statement, above);
    else above = lines.indexOf(same);
  }
  return { gone: [...left], added, unchanged, places };
}

function changesOf(memory: Memory, { text, type }: Line): Revision["changes"] {
  return {
    ...(shownText(memory.content) !== shownText(text) && { content: text }),
    ...(type !== undefined && type !== memory.type && { type }),
  };
}

function saysOne(memories: readonly Memory[]): (statement: Line) => boolean {
  const said = new Set(memories.map(({ content }) => hashOf(shownText(content))));
  return ({ text }) => said.has(hashOf(shownText(text)));
}

/** The beginning of what a memory says, at the end of a file that was cut off there. */
function isCutOff({ text }: Line, { project, everywhere }: ReferencedMemories): boolean {
  return [...project, ...everywhere].some(({ content }) => shownText(content).startsWith(shownText(text)));
}

/** What holds no word is nothing to remember. */
function withWords(plan: Plan): Plan {
  return { ...plan, remember: plan.remember.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)) };
}
