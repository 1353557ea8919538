import { shortId } from "../../base/ids.js";
import type { Memory } from "../../memory/memory.js";
import { hashOf } from "../../memory/prepare-memory.js";
import type { ReadFile, WrittenLine } from "./read-memory-file.js";
import { pairUp } from "./pair-up.js";
import { markOf, plainText, shownTypes, type Line } from "./line.js";

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
export interface MeantMemories {
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
export function comparePlan({ statements, written }: ReadFile, meant: MeantMemories): Plan {
  const plan: Plan = { revise: [], forget: [], remember: [], written: written?.length ?? 0 };
  if (!written) {
    const isKnown = saysOne([...meant.project, ...meant.everywhere]);
    const last = statements.at(-1);
    plan.remember = statements.filter((one) => !isKnown(one) && !(one === last && isCutOff(one, meant)));
    return withWords(plan);
  }
  const lines = written.map((line) => ({ ...line, memory: memoryOf(line, meant) }));
  const { gone, added, places } = withoutUnchanged(lines, statements);
  const pairs = pairUp(gone, added, places);
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
}

function memoryOf({ shortId: short, mark, isEverywhere }: WrittenLine, meant: MeantMemories): Memory | undefined {
  const found = meant[isEverywhere ? "everywhere" : "project"].filter(({ id }) => shortId(id) === short);
  return found.length < 2 ? found[0] : found.find(({ content, type }) => markOf(content, type, isEverywhere) === mark);
}

/** The lines that are gone or changed, what stands in the file that was not there so, and where both are. */
function withoutUnchanged(
  lines: readonly LineThen[],
  statements: readonly Line[],
): { gone: LineThen[]; added: Line[]; places: Map<LineThen | Line, number> } {
  const left = new Set(lines);
  const places = new Map<LineThen | Line, number>();
  const anchors = new Map<Line, number>();
  const added: Line[] = [];
  for (const statement of statements) {
    const types = statement.type === undefined ? shownTypes : [statement.type];
    const marks = new Set(types.map((type) => markOf(statement.text, type, statement.isEverywhere)));
    const same = [...left].find(({ mark, isEverywhere }) => isEverywhere === statement.isEverywhere && marks.has(mark));
    if (!same) added.push(statement);
    else {
      left.delete(same);
      anchors.set(statement, lines.indexOf(same));
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
    const anchor = anchors.get(statement);
    if (anchor === undefined) places.set(statement, above);
    else above = anchor;
  }
  return { gone: [...left], added, places };
}

function changesOf(memory: Memory, { text, type }: Line): Revision["changes"] {
  return {
    ...(plainText(memory.content) !== text && { content: text }),
    ...(type !== undefined && type !== memory.type && { type }),
  };
}

function saysOne(memories: readonly Memory[]): (statement: Line) => boolean {
  const said = new Set(memories.map(({ content }) => hashOf(content)));
  return ({ text }) => said.has(hashOf(text));
}

/** The beginning of what a memory says, at the end of a file that was cut off there. */
function isCutOff({ text }: Line, { project, everywhere }: MeantMemories): boolean {
  return [...project, ...everywhere].some(({ content }) => plainText(content).startsWith(text));
}

/** What holds no word is nothing to remember. */
function withWords(plan: Plan): Plan {
  return { ...plan, remember: plan.remember.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)) };
}
