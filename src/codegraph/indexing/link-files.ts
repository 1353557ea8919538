import type { Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { linkFile, votesOf, winnerOf } from "../link/link.js";
import type { LinkedFile, LinkSources } from "../link/linked-file.js";
import type { ScipAnswers } from "../link/scip-answers.js";
import type { ModuleResolver, ResolveSpace } from "../languages/module-resolver.js";
import { nameKey } from "../link/spaces.js";
import type { FactsCache } from "./facts-cache.js";
import {
  listVotedNames,
  putLinks,
  putVotes,
  readAllVotes,
  readVotes,
  unlinkDependents,
  type LinkedRow,
} from "./link-queries.js";
import { readScipAnswers } from "./scip-answer-queries.js";
import type { SpaceCache } from "./space-cache.js";

/** What linking works with, for as long as an indexing lasts. */
export interface Linking {
  tree: Tree;
  cache: FactsCache;
  modules: ModuleResolver;
  resolveSpace: ResolveSpace;
  /** Absent where no file of the tree adds to a space. */
  spaces?: SpaceCache | undefined;
  numberOf: (path: string) => number | undefined;
  /** What each file was counted and linked from so far. */
  asked: Map<string, Set<string>>;
}

interface FileToLink {
  path: string;
  number: number;
}

/**
 * Has files say what their typed parameters are called. Where that changes what most parameters of a name are, whoever
 * went by it is to be linked anew.
 */
export async function countVotes(writer: Writer, linking: Linking, files: readonly FileToLink[]): Promise<void> {
  const { tree } = linking;
  const numbers = files.map(({ number }) => number);
  const counted: { number: number; votes: ReturnType<typeof votesOf> }[] = [];
  for (const { path, number } of files) {
    counted.push({ number, votes: await withFacts(writer, linking, path, (sources) => votesOf(path, sources)) });
  }
  const names = new Set([
    ...(await listVotedNames(writer, numbers)),
    ...counted.flatMap(({ votes }) => votes.map(({ parameter }) => parameter)),
  ]);
  await whileVoting(writer, tree, [...names], () => putVotes(writer, tree, counted));
}

/** Does what changes the votes on these names, and has whoever went by a winner that is none now linked anew. */
export async function whileVoting(
  writer: Writer,
  tree: Tree,
  names: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const before = await readVotes(writer, tree, names);
  await work();
  const after = await readVotes(writer, tree, names);
  const turned = names.filter((name) => winnerOf(before.get(name) ?? []) !== winnerOf(after.get(name) ?? []));
  await unlinkDependents(
    writer,
    tree,
    turned.map((name) => `vote:${name}`),
  );
}

/** Links files, from their facts and those of the files they lead to. */
export async function linkFiles(writer: Writer, linking: Linking, files: readonly FileToLink[]): Promise<void> {
  const winners = await openWinners(writer, linking, files.length);
  const linked: LinkedRow[] = [];
  const answers = await readScipAnswers(
    writer,
    files.map(({ number }) => number),
  );
  for (const { path, number } of files) {
    const json = answers.get(number);
    const scip = json === undefined ? undefined : (JSON.parse(json) as ScipAnswers);
    const attempt = (sources: LinkSources) => linkOrName(path, scip ? { ...sources, scip } : sources);
    const found = await withFacts(writer, linking, path, attempt, winners);
    const dependencies = [...(linking.asked.get(path) ?? []), ...found.dependencies];
    linking.asked.delete(path);
    linked.push({ number, ...found, dependencies });
  }
  await putLinks(writer, linking.tree, linked, linking.numberOf);
}

/** What most parameters of each name are, as far as it is known. */
interface Winners {
  known: Map<string, string | undefined>;
  /** Whether a name that is not among them has none. */
  isWhole: boolean;
}

// Where so many files are linked, most names are asked for.
const manyFiles = 32;

async function openWinners(writer: Writer, { tree }: Linking, files: number): Promise<Winners> {
  if (files < manyFiles) return { known: new Map(), isWhole: false };
  const votes = await readAllVotes(writer, tree);
  return { known: new Map([...votes].map(([name, all]) => [name, winnerOf(all)])), isWhole: true };
}

/** A file on which linking fails must not keep the others from being linked, now and every time. */
function linkOrName(path: string, sources: LinkSources): LinkedFile & { problem?: string } {
  try {
    return linkFile(path, sources);
  } catch (error) {
    const problem = `could not be linked: ${error instanceof Error ? error.message : String(error)}`;
    return { edges: [], misses: [], dependencies: [], problem };
  }
}

/** Tries until nothing is asked for that is not at hand. */
async function withFacts<T>(
  writer: Writer,
  { tree, cache, modules, asked, spaces, resolveSpace }: Linking,
  path: string,
  attempt: (sources: LinkSources) => T,
  winners: Winners = { known: new Map(), isWhole: false },
): Promise<T> {
  const unknown = new Set<string>();
  const keys = asked.get(path) ?? new Set<string>();
  asked.set(path, keys);
  const sources: LinkSources = {
    facts: (file) => {
      if (file !== path) keys.add(`file:${file}`);
      return cache.get(file);
    },
    modules: {
      resolve: (from, specifier) => {
        const resolution = modules.resolve(from, specifier);
        for (const stem of resolution.stems) keys.add(`stem:${stem}`);
        return resolution;
      },
    },
    winner: (parameter) => {
      keys.add(`vote:${parameter}`);
      if (!winners.isWhole && !winners.known.has(parameter)) unknown.add(parameter);
      return winners.known.get(parameter);
    },
    ...(spaces && {
      spaces: {
        declaring: (space: string, name: string) => {
          keys.add(nameKey(space, name));
          return spaces.declaring(space, name);
        },
        resolve: resolveSpace,
      },
    }),
  };
  cache.trim();
  cache.want([path]);
  await cache.fetch(writer);
  cache.want(importsOf(path, sources));
  await cache.fetch(writer);
  for (;;) {
    const result = attempt(sources);
    const isFetched = [await cache.fetch(writer), await spaces?.fetch(writer)].includes(true);
    if (!isFetched && unknown.size === 0) return result;
    for (const [name, votes] of await readVotes(writer, tree, [...unknown])) winners.known.set(name, winnerOf(votes));
    unknown.clear();
  }
}

/** The files that a file names itself: it will lead there, so they are fetched in one go. */
function importsOf(path: string, sources: LinkSources): string[] {
  const specifiers = sources.facts(path)?.imports.map(({ specifier }) => specifier) ?? [];
  return [...new Set(specifiers)].flatMap((specifier) => sources.modules.resolve(path, specifier).file ?? []);
}
