import { parseNodeId } from "../../base/ids/ids.js";
import { listClaims } from "./list-claims.js";
import { manifest, scriptsIn } from "./read-manifest.js";
import type { CodeView, Ground, SeenDefinition } from "./grounds.js";

/** What is known of a memory that is to be checked. */
export interface CheckedMemory {
  key: number;
  content: string;
  contentHash: string;
  relatedFiles: string[];
  /** Files and symbols that somebody stated: graph nodes, and relations to code. */
  nodes: string[];
  userVerified: boolean;
}

/** A file or a symbol that a memory rests on. */
export interface ResolvedClaim {
  node: string;
  by: Ground["by"];
  /** Absent for a file. */
  definition?: SeenDefinition;
}

export type Resolve = (memory: CheckedMemory) => ResolvedClaim[];

/**
 * Finds what memories rest on, as a tree has it: the files and symbols that they are filed under or name. A name that could
 * mean several things means none of them, unless one is in a file of the memory's own. What is not there is left out.
 */
export async function openResolver(view: CodeView, memories: readonly CheckedMemory[]): Promise<Resolve> {
  const claims = new Map(memories.map((memory) => [memory.key, listClaims(memory.content)]));
  const files = await view.files();
  const names = [...claims.values()].flatMap((each) => each.names.map(({ name }) => lastOf(name)));
  const own = memories.flatMap(({ nodes }) => nodes.map((node) => parseNodeId(node).file));
  const hasScripts = [...claims.values()].some((each) => each.scripts.length > 0);
  const scripts = hasScripts ? scriptsIn(await view.linesOf(manifest)) : undefined;
  const [named, stated] = [await view.definitionsNamed(names), await view.definitionsIn(own)];
  const byName = groupBy(named, ({ name }) => name);
  const byId = new Map([...named, ...stated].map((definition) => [definition.id, definition]));
  const ends = lazily(() => groupBy([...files.keys()], (file) => file.slice(file.lastIndexOf("/") + 1)));

  return (memory) => {
    const { names: called = [], files: paths = [], scripts: run = [] } = claims.get(memory.key) ?? {};
    const places = new Map<string, ResolvedClaim>();
    const put = (place: ResolvedClaim) => {
      if (places.get(place.node)?.by !== "text") places.set(place.node, place);
    };
    for (const node of [...memory.relatedFiles, ...memory.nodes]) {
      const definition = byId.get(node);
      if (definition) put({ node, by: "place", definition });
      else if (parseNodeId(node).symbol === "" && (files.has(node) || view.isOnDisk(node))) put({ node, by: "place" });
    }
    for (const path of paths) {
      const file = findFile(path, files, ends(), memory);
      if (file !== undefined) put({ node: file, by: "text" });
    }
    for (const { name, file } of called) {
      const definition = pick(byName.get(lastOf(name)) ?? [], name, file, [...memory.relatedFiles, ...places.keys()]);
      if (definition) put({ node: definition.id, by: "text", definition });
    }
    for (const name of run) if (scripts?.has(name)) put({ node: `${manifest}#scripts.${name}`, by: "text" });
    return [...places.values()];
  };
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function findFile(
  path: string,
  files: ReadonlyMap<string, unknown>,
  ends: ReadonlyMap<string, string[]>,
  { relatedFiles }: CheckedMemory,
): string | undefined {
  if (files.has(path)) return path;
  const candidates = (ends.get(lastPart(path)) ?? []).filter((file) => file.endsWith(`/${path}`));
  const own = candidates.filter((file) => relatedFiles.includes(file));
  const [only, ...others] = own.length > 0 ? own : candidates;
  return others.length === 0 ? only : undefined;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The one that is meant: in a file of the memory's own, else the only one of the tree. */
function pick(
  candidates: readonly SeenDefinition[],
  name: string,
  told: string | undefined,
  own: readonly string[],
): SeenDefinition | undefined {
  const fitting = candidates
    .filter(({ path }) => !/~\d+$/.test(path))
    .filter(({ path }) => path === name || path.endsWith(`.${name}`))
    .filter(({ file }) => told === undefined || file === told || file.endsWith(`/${told}`));
  const near = fitting.filter(({ file }) => own.includes(file));
  const among = near.length > 0 ? near : fitting;
  const whole = among.filter(({ path }) => path === name);
  const [only, ...others] = whole.length > 0 ? whole : among;
  return others.length === 0 ? only : undefined;
}

function groupBy<T>(list: readonly T[], keyOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of list) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return groups;
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
