import { shortId } from "../../base/ids/ids.js";
import type { Memory } from "../../memory/memory.js";
import { everywhere, headingOf, markOf, shownText, shownTypes, type Line } from "./line.js";
import { worthOf, type ShownMemories } from "./shown-memories.js";

export interface RenderOptions {
  /** Bytes of the whole file. */
  maxBytes: number;
  /** Lines of a person that cannot be taken in as they are: they stay until they are mended, whatever room they take. */
  held?: readonly HeldLine[];
}

export interface HeldLine {
  statement: Line;
  /** The memory that it would have changed; absent for a new one. */
  memory?: Memory;
}

/**
 * MEMORY.md: a section a type, one bullet a memory, what is worth most first, and what is true everywhere below a heading of
 * its own. What does not fit is left out, least worth first, and counted; so is one that alone would take half of the room.
 * The last line says what the file was written from. The same memories give the same bytes.
 */
export function renderMemoryFile(memories: ShownMemories, { maxBytes, held = [] }: RenderOptions): string {
  const byWorth = [
    ...memories.project.map((memory) => shownLine(memory, false)),
    ...memories.everywhere.map((memory) => shownLine(memory, true)),
  ].toSorted((a, b) => b.worth - a.worth || (newness(a) < newness(b) ? 1 : -1));
  const isHeld = new Set(held.map(({ memory }) => memory?.id));
  const kept = byWorth.filter(({ memory }) => isHeld.has(memory.id));
  const fitting = byWorth.filter(({ memory, bytes }) => !isHeld.has(memory.id) && bytes <= maxBytes / 2);
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
function countWithin(lines: readonly ShownLine[], room: number): number {
  let left = room;
  const first = lines.findIndex(({ bytes }) => (left -= bytes) < 0);
  return first === -1 ? lines.length : first;
}

/** One memory as the file says it. */
interface ShownLine {
  memory: Memory;
  isEverywhere: boolean;
  worth: number;
  bullet: string;
  bytes: number;
  /** What the last line says of it. */
  entry: () => string;
}

function shownLine(memory: Memory, isEverywhere: boolean): ShownLine {
  const bullet = bulletOf(memory.content);
  let entry: string | undefined;
  return {
    memory,
    isEverywhere,
    worth: worthOf(memory),
    bullet,
    bytes: Buffer.byteLength(bullet),
    entry: () => (entry ??= `${shortId(memory.id)}:${markOf(memory.content, memory.type, isEverywhere)}`),
  };
}

function newness({ memory: { createdAt, id } }: ShownLine): string {
  return `${createdAt} ${id}`;
}

function render(lines: readonly ShownLine[], held: readonly HeldLine[], left: number): string {
  const sections = (isEverywhere: boolean, level: string) =>
    shownTypes.flatMap((type) => {
      const bullets = [
        ...lines
          .filter((line) => line.isEverywhere === isEverywhere && line.memory.type === type)
          .map(({ memory: { id }, bullet }) => {
            const instead = held.find(({ memory }) => memory?.id === id);
            return instead ? bulletOf(instead.statement.text) : bullet;
          }),
        ...held
          .filter(({ memory }) => !lines.some((line) => line.memory.id === memory?.id))
          .filter(({ statement }) => statement.isEverywhere === isEverywhere)
          .filter(({ statement }) => (statement.type ?? "note") === type)
          .map(({ statement }) => bulletOf(statement.text)),
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

/** Every further line is indented, so that nothing in a text can pass for a heading, a bullet or a comment of the file. */
function bulletOf(text: string): string {
  const [first, ...rest] = shownText(text).split("\n");
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

/** In the order of the file: a line that was changed is known by its place. */
function trailerOf(lines: readonly ShownLine[]): string {
  const entries = (isEverywhere: boolean) =>
    shownTypes.flatMap((type) =>
      lines
        .filter((line) => line.isEverywhere === isEverywhere && line.memory.type === type)
        .map(({ entry }) => entry()),
    );
  const common = entries(true);
  return ["<!-- tacit 1", ...entries(false), ...(common.length > 0 ? ["everywhere", ...common] : []), "-->"].join(" ");
}
