/** An entry of HISTORY.md: what one archive says, below a heading that is a time. */
export interface HistoryEntry {
  /** ISO 8601, UTC. */
  at: string;
  /** The name of the archive. */
  name: string;
  text: string;
}

/** What is written behind half an entry, which the next attempt finds at the end of the file. */
export const cutOff = "[cut off]";

const heading = /^## (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)$/;

/** How an entry begins: no other one does. */
export function beginningOf({ at, name }: Pick<HistoryEntry, "at" | "name">): string {
  return `## ${at}\n\n[${at.slice(0, 10)} ${at.slice(11, 16)}] (${name}) `;
}

/** An entry as it stands in the file, ended by a blank line. A line of its text that looks like a heading is escaped. */
export function renderEntry(entry: HistoryEntry): string {
  const text = entry.text
    .replace(/\r\n?/g, "\n")
    .trim()
    .replace(/^\\*## /gm, "\\$&");
  return `${beginningOf(entry)}${text}\n\n`;
}

/** The time in the heading of an archive's entry. */
export function entryTime(archivedAt: string, createdAt: string): string {
  const time = new Date(archivedAt);
  return Number.isNaN(time.getTime()) ? createdAt : time.toISOString();
}

/** The file without the entries of these archives, known by name and time, and without halves of them. */
export function withoutEntries(text: string, archives: readonly Pick<HistoryEntry, "at" | "name">[]): string {
  const pieces = piecesOf(text);
  const beginnings = archives.map(({ at, name }) => beginningOf({ at, name }));
  const doomed = pieces.filter(({ text: whole }) => {
    const plain = whole.replaceAll("\r\n", "\n");
    return beginnings.some((beginning) => plain.startsWith(beginning));
  });
  const times = new Set(doomed.map(({ at }) => at));
  const isHalf = ({ at, text: whole }: Piece) => times.has(at) && whole.trimEnd().endsWith(cutOff);
  return pieces
    .filter((piece) => !doomed.includes(piece) && !isHalf(piece))
    .map((piece) => piece.text)
    .join("");
}

interface Piece {
  at: string;
  text: string;
}

/** The text cut before each heading; what stands above the first has no time. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [{ at: "", text: "" }];
  for (const line of text.split(/(?<=\n)/)) {
    const [, at] = heading.exec(line.trimEnd()) ?? [];
    if (at !== undefined) pieces.push({ at, text: "" });
    (pieces.at(-1) as Piece).text += line;
  }
  return pieces.filter((piece) => piece.text !== "");
}
