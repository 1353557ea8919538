import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { EdgeKind } from "../../src/codegraph/codegraph.js";
import type { Extraction, FileFacts } from "../../src/codegraph/facts/facts.js";
import { languageOf } from "../../src/codegraph/languages/language-of.js";
import type { Extract, Language } from "../../src/codegraph/languages/language.js";
import { languages } from "../../src/codegraph/languages/languages.js";
import { linkFile, votesOf, winnerOf } from "../../src/codegraph/link/link.js";
import type { LinkSources, Miss } from "../../src/codegraph/link/linked-file.js";

/** What a folder of sources comes to, without any store. */
export interface LinkedFolder {
  extractions: Map<string, Extraction>;
  edges: { from: string; kind: EdgeKind; to: string; line?: number; tier: string }[];
  misses: (Miss & { file: string })[];
}

/** Reads the files of a folder. */
export function readFolder(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Extracts and links files, as indexing does it, but in memory. */
export async function linkFolder(files: ReadonlyMap<string, string>): Promise<LinkedFolder> {
  const opened = new Map<Language, Extract>();
  const extractions = new Map<string, Extraction>();
  for (const [path, source] of files) {
    const language = languageOf(path);
    if (!language) continue;
    const extract = opened.get(language) ?? (await language.open());
    opened.set(language, extract);
    extractions.set(path, extract(path, source));
  }
  const facts = new Map([...extractions].map(([path, extraction]) => [path, copyOf(extraction.facts)]));
  const sources = sourcesOf(files, facts);
  const votes = [...facts.keys()].flatMap((path) => votesOf(path, sources));
  const names = new Set(votes.map(({ parameter }) => parameter));
  const winners = new Map(
    [...names].map((name) => [name, winnerOf(votes.filter(({ parameter }) => parameter === name))]),
  );
  const edges: LinkedFolder["edges"] = [];
  const misses: LinkedFolder["misses"] = [];
  for (const path of facts.keys()) {
    const linked = linkFile(path, { ...sources, winner: (name) => winners.get(name) });
    for (const { from, toFile, to, ...edge } of linked.edges)
      edges.push({ ...edge, from: idOf(path, from), to: idOf(toFile, to) });
    misses.push(...linked.misses.map((miss) => ({ ...miss, file: path })));
  }
  return { extractions, edges, misses };
}

/** As they come back from the database. */
function copyOf(facts: FileFacts): FileFacts {
  return JSON.parse(JSON.stringify(facts)) as FileFacts;
}

function sourcesOf(files: ReadonlyMap<string, string>, facts: ReadonlyMap<string, FileFacts>): LinkSources {
  const tree = { files: new Set(files.keys()), settings: files };
  const resolvers = new Map(
    languages.map((language) => [
      language,
      { modules: language.createResolver?.(tree), spaces: language.createSpaceResolver?.(tree) },
    ]),
  );
  const resolverOf = (from: string) => resolvers.get(languageOf(from) as Language);
  const declared = new Map<string, Set<string>>();
  for (const [path, { spaces = [] }] of facts) {
    for (const [space, names] of spaces) {
      for (const [name] of names) {
        const key = `${space}\n${name}`;
        declared.set(key, (declared.get(key) ?? new Set()).add(path));
      }
    }
  }
  const adders = new Map([...declared].map(([key, paths]) => [key, [...paths].toSorted()]));
  return {
    facts: (file) => facts.get(file),
    modules: { resolve: (from, specifier) => resolverOf(from)?.modules?.resolve(from, specifier) ?? { stems: [] } },
    winner: () => undefined,
    spaces: {
      declaring: (space, name) => adders.get(`${space}\n${name}`) ?? [],
      resolve: (from, space) => {
        const resolve = resolverOf(from)?.spaces;
        return resolve ? resolve(from, space) : space;
      },
    },
  };
}

function idOf(file: string, symbol: string): string {
  return symbol === "" ? file : `${file}#${symbol}`;
}
