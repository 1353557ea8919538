import type { FileFacts } from "../../src/codegraph/facts/facts.js";
import { openTypeScript } from "../../src/codegraph/languages/typescript/open-typescript.js";
import { linkFile, votesOf, winnerOf } from "../../src/codegraph/link/link.js";
import type { LinkedFile, LinkSources, Vote } from "../../src/codegraph/link/linked-file.js";
import { createModuleResolver } from "../../src/codegraph/languages/typescript/resolve-modules.js";

export interface Linked {
  facts: Map<string, FileFacts>;
  votes: Vote[];
  winner: (parameter: string) => string | undefined;
  linked: (file: string) => LinkedFile;
  edges: (file: string) => string[];
  calls: (file: string) => string[];
}

export type Linker = (sources: Record<string, string>) => Linked;

/** Links trees of sources of TypeScript. */
export async function openLinker(): Promise<Linker> {
  const extract = await openTypeScript();
  return (sources) => {
    const facts = new Map(
      Object.entries(sources).map(([path, source]): [string, FileFacts] => [path, extract(path, source).facts]),
    );
    const modules = createModuleResolver({ files: new Set(facts.keys()), settings: new Map() });
    const without: LinkSources = { facts: (file) => facts.get(file), modules, winner: () => undefined };
    const votes = [...facts.keys()].flatMap((file) => votesOf(file, without));
    const winner = (parameter: string) => winnerOf(votes.filter((vote) => vote.parameter === parameter));
    const linked = (file: string) => linkFile(file, { ...without, winner });
    const edges = (file: string) =>
      linked(file)
        .edges.map(({ from, toFile, to, kind }) => `${from} -> ${toFile}${to && `#${to}`} ${kind}`)
        .toSorted();
    const calls = (file: string) =>
      linked(file)
        .edges.filter(({ kind }) => kind === "calls")
        .map(({ from, toFile, to, tier }) => `${from} -> ${toFile}#${to} ${tier}`)
        .toSorted();
    return { facts, votes, winner, linked, edges, calls };
  };
}
