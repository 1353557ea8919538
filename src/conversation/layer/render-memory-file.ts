import { shortId } from "../../base/ids.js";
import type { Memory } from "../../memory/memory.js";
import { everywhere, headingOf, markOf, plainText, shownTypes, type Statement } from "./statement.js";
import { worthOf, type ShownMemories } from "./shown-memories.js";

export interface RenderOptions {
  /** Bytes of the whole file. */
  maxBytes: number;
  /** Lines of a person that cannot be taken in as they are: they stay until they are mended, whatever room they take. */
  held?: readonly HeldLine[];
}

export interface HeldLine {
  statement: Statement;
  /** The memory that it would have changed; absent for a new one. */
  memory?: Memory;
}

/**
 * MEMORY.md: a section a type, one bullet a memory, what is worth most first, and what is true everywhere below a heading of
 * its own. What does not fit is left out, least worth first, and counted; so is one that alone would take half of the room.
 * The last line says what the file was written from. The same memories give the same bytes.
 */
export function renderMemoryFile(memories: ShownMemories, { maxBytes, held = [] }: RenderOptions): string {
  const byWorth = [...memories.project.map(here), ...memories.everywhere.map(there)].toSorted(
    (a, b) => worthOf(b.memory) - worthOf(a.memory) || (newness(a) < newness(b) ? 1 : -1),
  );
  const kept = byWorth.filter(({ memory }) => held.some((line) => line.memory?.id === memory.id));
  const fitting = byWorth.filter((line) => !kept.includes(line) && Buffer.byteLength(bulletOf(line)) <= maxBytes / 2);
  const room = maxBytes + held.reduce((bytes, { statement }) => bytes + Buffer.byteLength(statement.text) + 64, 0);
  const renderFirst = (count: number): string => {
    const chosen = new Set([...kept, ...fitting.slice(0, count)]);
    return render(
      byWorth.filter((line) => chosen.has(line)),
      held,
      byWorth.length - chosen.size + (memories.more ?? 0),
    );
  };

  // More bullets make a longer file: halve what is left until the last that fits is found.
  let [most, tooMany] = [0, countWithin(fitting, room) + 1];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (Buffer.byteLength(renderFirst(middle)) <= room) most = middle;
    else tooMany = middle;
  }
  return renderFirst(most);
}

/** How many bullets alone would take up the room: no more need be tried. */
function countWithin(lines: readonly Line[], room: number): number {
  let left = room;
  const first = lines.findIndex((line) => (left -= Buffer.byteLength(bulletOf(line))) < 0);
  return first === -1 ? lines.length : first;
}

interface Line {
  memory: Memory;
  isEverywhere: boolean;
}

const here = (memory: Memory): Line => ({ memory, isEverywhere: false });
const there = (memory: Memory): Line => ({ memory, isEverywhere: true });

function newness({ memory: { createdAt, id } }: Line): string {
  return `${createdAt} ${id}`;
}

function render(lines: readonly Line[], held: readonly HeldLine[], left: number): string {
  const sections = (isEverywhere: boolean, level: string) =>
    shownTypes.flatMap((type) => {
      const bullets = [
        ...lines
          .filter((line) => line.isEverywhere === isEverywhere && line.memory.type === type)
          .map((line) => bulletOf(line, held.find(({ memory }) => memory?.id === line.memory.id)?.statement.text)),
        ...held
          .filter(({ memory }) => !lines.some((line) => line.memory.id === memory?.id))
          .filter(({ statement }) => statement.isEverywhere === isEverywhere)
          .filter(({ statement }) => (statement.type ?? "note") === type)
          .map(({ statement }) => bullet(statement.text)),
      ];
      return bullets.length > 0 ? [`${level} ${headingOf(type)}`, bullets.join("\n")] : [];
    });
  const common = sections(true, "###");
  return `${[
    "# Memory",
    "<!-- Change, add or take away lines: the memory follows. -->",
    ...sections(false, "##"),
    ...(common.length > 0 ? [`## ${everywhere}`, ...common] : []),
    ...(left > 0 ? [`… and ${left} more: \`tacit list\``] : []),
    trailerOf(lines),
  ].join("\n\n")}\n`;
}

function bulletOf({ memory }: Line, text = memory.content): string {
  return bullet(text);
}

/** Every further line is indented, so that nothing in a text can pass for a heading, a bullet or a comment of the file. */
function bullet(text: string): string {
  const [first, ...rest] = plainText(text).split("\n");
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

/** In the order of the file: a line that was changed is known by its place. */
function trailerOf(lines: readonly Line[]): string {
  const entries = (isEverywhere: boolean) =>
    shownTypes.flatMap((type) =>
      lines
        .filter((line) => line.isEverywhere === isEverywhere && line.memory.type === type)
        .map(({ memory }) => `${shortId(memory.id)}:${markOf(memory.content, type, isEverywhere)}`),
    );
  const common = entries(true);
  return ["<!-- tacit 1", ...entries(false), ...(common.length > 0 ? ["everywhere", ...common] : []), "-->"].join(" ");
}
