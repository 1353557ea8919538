import type { Reader } from "../../storage/storage.js";
import { rankNodes } from "../ask/rank-nodes.js";
import type { CodeNode, Tree } from "../codegraph.js";
import { isTestFile } from "../languages/is-test-file.js";
import { readMapNodes } from "./map-queries.js";
import { whereToBegin, type MapSubject } from "./where-to-begin.js";

// From what is used to who uses it. On 90 commits of six repositories (bench/repository-map.mjs), without it a map for a
// prompt shows 4 symbols in a hundred fewer, one without a prompt 18 files; 0.3 to 1 are alike (2026-11).
const back = 0.5;
// Who knows what it is about stays nearer to it: at 0.85 two files and two symbols in a hundred fewer. Where nobody knows,
// 0.85 has 4 files in a hundred more.
const nearby = 0.7;
const anywhere = 0.85;
// Each further symbol of a file counts so much less than the one before: 3 files in a hundred more for 3 symbols fewer; at 0.6
// one file more for 8 symbols fewer.
const nextOfFile = 0.9;
// The first of all that are ranked, of which locals, properties and tests go.
const maxRanked = 4000;

/** The symbols of a tree that a map should show, the most central for its subject first. Tests only where they are in play. */
export async function chooseSymbols(reader: Reader, tree: Tree, subject: MapSubject): Promise<CodeNode[]> {
  const start = await whereToBegin(reader, tree, subject);
  const isAbout = (subject.prompt ?? "").trim() !== "" || (subject.files ?? []).length > 0;
  const ranks = await rankNodes(reader, tree, { ...(start && { start }), back, damping: isAbout ? nearby : anywhere });
  const first = [...ranks]
    .toSorted(([a, one], [b, other]) => other - one || a - b)
    .slice(0, maxRanked)
    .map(([number]) => number);
  const inPlay = new Set(subject.files);
  const nodes = (await readMapNodes(reader, tree, first))
    .filter(({ node }) => inPlay.has(node.file) || !isTestFile(node.file))
    .map(({ number, node }) => ({ node, rank: ranks.get(number) ?? 0 }))
    .toSorted((a, b) => b.rank - a.rank || byId(a.node, b.node));
  const seen = new Map<string, number>();
  return nodes
    .map(({ node, rank }) => {
      const before = seen.get(node.file) ?? 0;
      seen.set(node.file, before + 1);
      return { node, worth: rank * nextOfFile ** before };
    })
    .toSorted((a, b) => b.worth - a.worth || byId(a.node, b.node))
    .map(({ node }) => node);
}

function byId(a: CodeNode, b: CodeNode): number {
  return a.id < b.id ? -1 : 1;
}
