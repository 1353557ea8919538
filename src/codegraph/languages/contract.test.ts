import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linkFolder, readFolder, type LinkedFolder } from "../../../test/support/linked-folder.js";
import type { Extraction, OutlinePart } from "../facts/facts.js";
import { languageOf } from "./language-of.js";
import { cleanFacts } from "../indexing/clean-facts.js";
import { languages } from "./languages.js";

/**
 * What every language keeps. Its fixture is a small program of several files below fixtures/, and graph.txt beside it says
 * everything that the graph is to know of it: each symbol with its kind, each import, call, parent and test, each call that
 * is to be missed. Write it by hand, from the program.
 */
describe.each(languages.map((language) => [language.name, language] as const))("%s", (name, language) => {
  const folder = join(import.meta.dirname, "fixtures", name);
  const files = existsSync(folder) ? readFolder(folder) : new Map<string, string>();
  const sources = [...files].filter(([path]) => languageOf(path) === language);

  it("[G18] is known by exactly what its fixture says", async () => {
    expect(sources.length).toBeGreaterThan(2);
    const expected = (files.get("graph.txt") ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("#"));

    expect(linesOf(await linkFolder(files)).join("\n")).toBe(expected.toSorted().join("\n"));
  });

  it("[G18] parses its fixture without an error, and cuts it into parts that never overlap", async () => {
    const { extractions } = await linkFolder(new Map(sources));

    for (const [path, { firstErrorLine, outline }] of extractions) {
      expect(firstErrorLine, path).toBeUndefined();
      expect(isInOrder(outline, -1, Infinity), path).toBe(true);
    }
  });

  it("[G18] makes sound facts of half a file, of nothing, and of what is no program", async () => {
    const extract = await language.open();
    const [path, source] = sources[0] as [string, string];
    const cuts = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => source.slice(0, Math.floor((source.length * n) / 8)));
    const texts = [...cuts, "}{)(", "\0\u{FEFF}\u2028", "(".repeat(3000), `${"a.".repeat(2000)}a()`];

    for (const text of texts) expect(faultsOf(extract(path, text)), text.slice(-40)).toEqual([]);
  });

  it("[G18] names nothing that would go as a secret, where a file has one", async () => {
    const extract = await language.open();

    for (const [path, source] of sources) {
      const { facts } = extract(path, source);
      expect(cleanFacts(facts, `${source}\n${path}`)).toEqual(facts);
    }
  });

  it("[G18] says the same of the same text", async () => {
    const extract = await language.open();

    for (const [path, source] of sources) expect(extract(path, source)).toEqual(extract(path, source));
  });
});

function linesOf({ extractions, edges, misses }: LinkedFolder): string[] {
  const symbols = [...extractions].flatMap(([path, { facts }]) =>
    facts.symbols.map(({ path: symbol, kind }) => `${kind} ${path}#${symbol}`),
  );
  const told = edges
    .filter(({ kind }) => ["imports", "calls", "extends", "implements", "tests"].includes(kind))
    .map(({ from, kind, to }) => `${from} ${kind} ${to}`);
  const missed = misses.map(({ file, from, kind, name }) => `${file}${from && `#${from}`} misses ${kind} ${name}`);
  return [...symbols, ...told, ...missed].toSorted();
}

function isInOrder(parts: readonly OutlinePart[], after: number, within: number): boolean {
  let last = after;
  return parts.every(({ start, end, parts: inner = [] }) => {
    const isGood = start > last && end >= start && end <= within && isInOrder(inner, start - 1, end);
    last = end;
    return isGood;
  });
}

/** Whatever refers to something else of the file refers to something that is there. */
function faultsOf({ facts, outline }: Extraction): string[] {
  const { symbols, scopes, shapes, uses, spaces = [] } = facts;
  const scope = (at: number) => at >= 0 && at < scopes.length;
  const symbol = (at: number) => at >= -1 && at < symbols.length;
  const rules = {
    "two symbols of one path": new Set(symbols.map(({ path }) => path)).size === symbols.length,
    "a symbol without lines": symbols.every(({ start, end, parent }) => start >= 1 && end >= start && symbol(parent)),
    "a scope in none": scopes.every(({ parent, symbol: of }, at) => parent < at && symbol(of)),
    "a shape without a scope": shapes.every((shape) => scope(shape.scope) && symbol(shape.symbol)),
    "a use without a scope": uses.every((use) => scope(use[2]) && use[3] >= 1),
    "a name without a scope": spaces.flatMap(([, names]) => names).every(([, , at]) => scope(at)),
    "parts that overlap": isInOrder(outline, -1, Infinity),
  };
  return Object.entries(rules).flatMap(([fault, isKept]) => (isKept ? [] : [fault]));
}
