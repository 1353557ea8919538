import { changeMemories, type MemoryContext, type MemoryWriter } from "../../memory/change/change.js";
import { idFrom, newId, parseNodeId } from "../../base/ids/ids.js";
import type { Reader } from "../../storage/storage.js";
import { cleanFields } from "../../memory/prepare/prepare.js";
import { askedFor, linkedSql } from "./code-links.js";
import { noteChanges } from "../../memory/history/history.js";
import { keyRange, listByKeys, type KeyedMemory } from "../../memory/read/read.js";
import type { Relation } from "../../memory/memory.js";
import { type Project, readProject } from "../../project/project.js";
import { writePlaces, type Places } from "./write-places.js";

/** What went elsewhere between two looks at a work tree, all of it at once. */
export interface CodeMoves {
  /** Paths from the root. */
  files: readonly { from: string; to: string }[];
  /** Nodes, as `src/store.ts#Store.read`. What is defined inside one goes with it. */
  symbols: readonly { from: string; to: string }[];
}

export interface FollowOptions {
  /** True for a file or a symbol that another work tree still has where it was: then both places count. */
  keepOld?: (from: string) => boolean;
  /** What these moves were seen by. The same is followed once, even two files that changed places. */
  occasion?: string;
}

export interface FollowReport {
  /** The ids of the memories that name other places now. */
  moved: string[];
}

// A server sends no more than 10 MB at once (sqld), and a memory may hold 64 KiB.
const pageRows = 50;

/**
 * Lets the memories of a project follow code that was renamed or moved: their related files, their relations to code and
 * their graph nodes. One operation of their history, "moved", which can be undone. Nothing is written where no memory is
 * concerned.
 */
export async function followMoves(
  context: MemoryContext,
  moves: CodeMoves,
  { keepOld = () => false, occasion }: FollowOptions = {},
): Promise<FollowReport> {
  const atlas = chart(moves, keepOld);
  if (atlas.asked.length === 0) return { moved: [] };
  const concerned = await readProject(context, [], (reader, project) => listConcerned(reader, project, atlas));
  // Before the transaction, because cleaning takes longer than writing.
  for (const { node } of concerned) await atlas.placesOf(node);
  if (concerned.length === 0) return { moved: [] };

  return changeMemories(context, async (writer, project) => {
    const now = context.now();
    // With the moves: a history that came from another store may know an occasion of the same name.
    const operation =
      occasion === undefined ? newId(now) : idFrom(project.id, "moved", occasion, JSON.stringify(moves));
    if (await wasFollowed(writer, operation)) return { moved: [] };
    const keys = [...new Set((await listConcerned(writer, project, atlas)).map(({ key }) => key))];
    const moved: string[] = [];
    for (let start = 0; start < keys.length; start += pageRows) {
      const memories = await listByKeys(writer, project, keys.slice(start, start + pageRows), now);
      const changed: Places[] = [];
      for (const memory of memories) {
        const places = await movedPlaces(memory, atlas);
        if (places) changed.push(places);
      }
      moved.push(...changed.map(({ memory }) => memory.record.id));
      // What is forgotten cannot be undone, and must not keep the others from it.
      const [forgotten, others] = partition(changed, ({ memory }) => memory.record.forgottenAt !== undefined);
      await noteMoves(writer, project, others, operation, now);
      for (const one of forgotten) await noteMoves(writer, project, [one], newId(now), now);
    }
    return { moved };
  });
}

async function noteMoves(
  writer: MemoryWriter,
  project: Project,
  changed: Places[],
  id: string,
  now: Date,
): Promise<void> {
  const keys = changed.map(({ memory }) => memory.key);
  await noteChanges(writer, project, { verb: "moved", keys, now, id }, () =>
    writePlaces(writer, project, changed, now),
  );
}

async function wasFollowed(reader: Reader, operation: string): Promise<boolean> {
  const rows = await reader.rows("SELECT 1 FROM memory_changes WHERE operation = :operation LIMIT 1", { operation });
  return rows.length > 0;
}

/** Each memory with each node that it names and that went elsewhere. */
async function listConcerned(
  reader: Reader,
  project: Project,
  { asked }: Atlas,
): Promise<{ key: number; node: string }[]> {
  const rows = await reader.rows(
    `WITH ${linkedSql} SELECT DISTINCT key, node FROM linked WHERE key BETWEEN :first AND :last ORDER BY key`,
    { ...askedFor(asked), project: BigInt(project.number), ...keyRange(project) },
  );
  return rows.map((row) => ({ key: Number(row["key"]), node: String(row["node"]) }));
}

/** Where things went. */
interface Atlas {
  /** The files and symbols that are no longer where they were. */
  asked: string[];
  /** Where something is now that a memory calls by this name: one place, or two where the old one still counts. */
  placesOf: (node: string) => Promise<readonly string[]>;
}

/** Every name is looked up as it was before all moves, so that two files may change places. */
function chart({ files, symbols }: CodeMoves, keepOld: (from: string) => boolean): Atlas {
  const [toFile, toSymbol] = [goingOf(files), goingOf(symbols)];
  const cleaner = cleanFields();
  const known = new Map<string, readonly string[]>();
  const find = async (node: string): Promise<readonly string[]> => {
    const move = findMove(node, toFile, toSymbol);
    if (!move) return [node];
    const place = await cleaner.label(move.to, "file");
    return keepOld(move.from) ? [node, place] : [place];
  };
  return {
    asked: [...toFile.keys(), ...toSymbol.keys()],
    placesOf: async (node) => {
      const places = known.get(node) ?? (await find(node));
      known.set(node, places);
      return places;
    },
  };
}

function goingOf(moves: readonly { from: string; to: string }[]): Map<string, string> {
  return new Map(moves.filter(({ from, to }) => from !== to).map(({ from, to }) => [from, to]));
}

/** What moved, and where that takes the node; undefined for what stayed. */
function findMove(
  node: string,
  toFile: Map<string, string>,
  toSymbol: Map<string, string>,
): { from: string; to: string } | undefined {
  const { file, symbol } = parseNodeId(node);
  // The nearest that moved: the method by itself, then its class, then the file.
  for (let end = symbol.length; end > 0; end = symbol.lastIndexOf(".", end - 1)) {
    const from = `${file}#${symbol.slice(0, end)}`;
    const to = toSymbol.get(from);
    if (to !== undefined) return { from, to: to + symbol.slice(end) };
  }
  const whole = toFile.get(node);
  if (whole !== undefined) return { from: node, to: whole };
  const to = symbol === "" ? undefined : toFile.get(file);
  return to === undefined ? undefined : { from: file, to: `${to}#${symbol}` };
}

/** What a memory names now; undefined where that is what it named before. */
async function movedPlaces(memory: KeyedMemory, atlas: Atlas): Promise<Places | undefined> {
  const { relatedFiles, graphNodes, relations } = memory.record;
  const moved: Places = {
    memory,
    relatedFiles: await follow(relatedFiles, atlas),
    graphNodes: await follow(graphNodes, atlas),
    relations: await followRelations(relations, atlas),
  };
  const [before, after] = [
    [relatedFiles, graphNodes, relations],
    [moved.relatedFiles, moved.graphNodes, moved.relations],
  ];
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : moved;
}

async function follow(names: string[], { placesOf }: Atlas): Promise<string[]> {
  const places: string[] = [];
  for (const name of names) places.push(...(await placesOf(name)));
  return [...new Set(places)];
}

/** Of relations that lead to the same now, what somebody stated counts, then the surer one. */
async function followRelations(relations: Relation[], { placesOf }: Atlas): Promise<Relation[]> {
  const followed = new Map<string, Relation>();
  for (const relation of relations) {
    const { kind, memory, file } = relation;
    for (const place of file === undefined ? [undefined] : await placesOf(file)) {
      const name = JSON.stringify([kind, memory, place]);
      const next = place === undefined ? relation : { ...relation, file: place };
      const other = followed.get(name);
      followed.set(name, other && isSurer(other, next) ? other : next);
    }
  }
  return [...followed.values()];
}

function isSurer(one: Relation, other: Relation): boolean {
  return one.automatic === other.automatic ? one.confidence >= other.confidence : other.automatic;
}

function partition<T>(list: T[], fits: (entry: T) => boolean): [T[], T[]] {
  return [list.filter(fits), list.filter((entry) => !fits(entry))];
}
