import { basename } from "node:path";
import { idFrom } from "../../base/ids/ids.js";
import { dropPrivateParts } from "../../hygiene/private-parts.js";
import { parseTime } from "../../memory/read/read.js";
import { importRefused, type IncomingMemory } from "./incoming.js";
import { withDefaults } from "./record-fields.js";

const heading = /^## (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}))\s*$/;

// How other tools begin an entry, in a file of its own name only: a log line looks the same.
const dated = /^\[(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})\]/;

/** Whether a text is a history: it begins with a heading that is a time, below a title at most; or is called so and has one. */
export function isHistory(beginning: string, fileName: string): boolean {
  const lines = beginning.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("# "));
  return (
    heading.test(lines[0] ?? "") ||
    (isCalledSo(fileName) && lines.some((line) => heading.test(line) || dated.test(line)))
  );
}

function isCalledSo(fileName: string): boolean {
  return /^HISTORY[\w-]*\.md$/.test(basename(fileName));
}

/**
 * The entries of a HISTORY.md as archives of the time in their headings, each text whole. The same entry in the file of its
 * month is the same archive: its id follows from time and text. A paragraph that begins with `[2026-02-27 14:30]`, in UTC,
 * is an entry too in a file that is called HISTORY, above the first such heading: below one it is part of what is told. What
 * stands above all of them is no entry, and neither is half of one that was written again.
 */
export function parseHistory(text: string, file: string): IncomingMemory[] {
  const entries: { at: string; line: number; lines: string[] }[] = [];
  const whole = dropPrivateParts(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
  let [takesDated, isParagraph] = [isCalledSo(file), true];
  for (const [index, line] of whole.split("\n").entries()) {
    const [, at] = heading.exec(line) ?? [];
    const [, day, time] = (takesDated && isParagraph && dated.exec(line)) || [];
    isParagraph = line.trim() === "";
    takesDated &&= at === undefined;
    if (at !== undefined) entries.push({ at, line: index + 1, lines: [] });
    else if (day !== undefined) entries.push({ at: `${day}T${time}Z`, line: index + 1, lines: [line] });
    // Our own entries escape what would be a heading.
    else entries.at(-1)?.lines.push(line.replace(/^\\(?=\\*## )/, ""));
  }
  return entries.flatMap(({ at, line, lines }) => {
    const content = lines.join("\n").trim();
    if (content === "" || content.endsWith("\n[cut off]") || content === "[cut off]") return [];
    const origin = `${file}:${line}`;
    const createdAt = timeOf(at, origin);
    return split(content).map((part, index) => ({
      record: withDefaults({
        id: idFrom("history", createdAt, String(index), part),
        type: "archive",
        content: part,
        createdAt,
      }),
      origin,
    }));
  });
}

function timeOf(at: string, origin: string): string {
  try {
    return parseTime(at, "the time");
  } catch (error) {
    throw importRefused(origin, `${at} is no time.`, "A heading is a time such as 2026-02-27T14:30:00.000Z.", error);
  }
}

// Below what one memory may weigh, with room for what hygiene writes in the place of secrets.
const longestBytes = 60_000;

/** A text in parts that a memory can hold, cut between lines where it can be. */
function split(text: string): string[] {
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const piece of text.split(/(?<=\n)/).flatMap(shortPieces)) {
    const more = Buffer.byteLength(piece);
    if (bytes > 0 && bytes + more > longestBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(piece);
    bytes += more;
  }
  return parts.map((pieces) => pieces.join("").trim()).filter((part) => part !== "");
}

/** A character has at most four bytes. */
function shortPieces(line: string): string[] {
  if (Buffer.byteLength(line) <= longestBytes) return [line];
  return line.match(new RegExp(`[^]{1,${longestBytes / 4}}`, "gu")) ?? [];
}
