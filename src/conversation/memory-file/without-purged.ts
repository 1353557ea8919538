import { hashOf } from "../../memory/record/record.js";
import { matchLines, type LineThen, type ReferencedMemories } from "./compare-plan.js";
import { shownText, type Line } from "./line.js";
import { alikeElsewhere, likeness, pairLines } from "./pair-lines.js";
import { readMemoryFile, trailer } from "./read-memory-file.js";

/** A memory that is no longer in the store. */
export interface PurgedMemory {
  shortId: string;
  /** What it said, and had said before. */
  texts: string[];
  isEverywhere: boolean;
}

// Shorter texts are part of too many others.
const tellingCharacters = 12;

/**
 * A MEMORY.md as it is, without the lines of memories that were purged: those that its last line says are theirs, changed or
 * not, and where that says nothing those that say the same, or nearly so and what no memory says that is left. The rest stays,
 * and so does a line of another memory that happens to say the same.
 */
export function withoutPurged(text: string, purged: readonly PurgedMemory[], left: ReferencedMemories): string {
  const { statements, written = [] } = readMemoryFile(text);
  const isPurged = ({ shortId, isEverywhere }: Pick<LineThen, "shortId" | "isEverywhere">) =>
    purged.find((one) => one.shortId === shortId && one.isEverywhere === isEverywhere);
  const lines = written.map((line): LineThen => {
    const of = left[line.isEverywhere ? "everywhere" : "project"];
    const memory = of.find(({ id }) => id.endsWith(line.shortId));
    return { ...line, said: isPurged(line)?.texts ?? (memory ? [memory.content] : []), memory };
  });
  const { gone, added, unchanged, places } = matchLines(lines, statements);
  const owners = new Map([...pairLines(gone, added, places)].map(([line, statement]) => [statement, line]));
  const known = new Set([...left.project, ...left.everywhere].map(({ content }) => hashOf(shownText(content))));
  const isDoomed = (statement: Line): boolean => {
    const owner = unchanged.get(statement) ?? owners.get(statement);
    if (owner) return isPurged(owner) !== undefined;
    const texts = purged.filter((one) => one.isEverywhere === statement.isEverywhere).flatMap((one) => one.texts);
    const said = shownText(statement.text);
    return !known.has(hashOf(said)) && texts.some((one) => saysIt(said, one));
  };
  return withoutEntries(withoutLines(text, statements.filter(isDoomed)), (entry) => isPurged(entry) !== undefined);
}

function saysIt(line: string, purged: string): boolean {
  const plain = shownText(purged);
  if (hashOf(line) === hashOf(plain) || likeness(line, plain) >= alikeElsewhere) return true;
  return plain.length >= tellingCharacters && line.includes(plain);
}

function withoutLines(text: string, doomed: readonly Line[]): string {
  // Numbered as `readMemoryFile` does it, with the ends that they have.
  return text
    .split(/(?<=\r\n|\n|\r(?!\n))/)
    .filter((_, index) => !doomed.some(({ line, lastLine }) => index + 1 >= line && index + 1 <= lastLine))
    .join("");
}

/** Their last lines without what stands for these. */
function withoutEntries(text: string, isGone: (entry: { shortId: string; isEverywhere: boolean }) => boolean): string {
  return text.replace(trailer, (whole: string, entries: string) => {
    const border = entries.indexOf("everywhere");
    const kept = entries.replace(/\s+([0-9a-f]{8}):[0-9a-f]{6}/g, (entry: string, shortId: string, at: number) =>
      isGone({ shortId, isEverywhere: border !== -1 && at > border }) ? "" : entry,
    );
    return whole.replace(entries, () => kept);
  });
}
