import { createHash } from "node:crypto";
import { findStated, listMentions, wordsIn } from "./mentions.js";
import { readSignature, splitAt } from "./read-signature.js";
import { depthsOf, hasHashComments, spell, tokensOf } from "./tokens.js";
import type { SeenDefinition, SeenSymbol } from "./grounds.js";

// Longer values are compared by what a memory says of them, and shown shortened.
const longestValue = 200;
// Two things with less than this are alike by chance: `MAX = 5`, `return undefined`.
const fewestTokens = 8;

const callable = new Set(["function", "method", "constructor", "macro"]);
const holding = new Set(["variable", "property", "constant", "field", "enum", "type", "interface"]);

/** What can be seen of a definition. */
export interface SymbolReading {
  symbol: SeenSymbol;
  /** What it holds or consists of; empty for what can be called, whose body is nobody's business. */
  words: ReadonlySet<string>;
}

/** Reads a definition out of the lines of its file. */
export function readSymbol(lines: readonly string[], definition: SeenDefinition): SymbolReading {
  const { kind, file, startLine, endLine, fingerprint } = definition;
  const name = definition.name.replace(/^#/, "");
  const tokens = tokensOf(lines.slice(startLine - 1, endLine).join("\n"), file);
  const signature = callable.has(kind) ? readSignature(tokens, name, file) : undefined;
  const own = holding.has(kind) ? valueOf(tokens, name, kind, file) : [];
  const nameless = tokens.map((token) => (token === name ? "" : token));
  return {
    symbol: {
      kind,
      ...(fingerprint !== undefined && { fingerprint }),
      ...(signature && { signature }),
      ...(own.length > 0 && { value: spell(own).slice(0, longestValue) }),
      ...(tokens.length >= fewestTokens && { shape: hashOf(nameless) }),
    },
    words: wordsIn(own),
  };
}

/** What a variable is set to, or what a type consists of. */
function valueOf(tokens: readonly string[], name: string, kind: string, file: string): string[] {
  const after = tokens.slice(tokens.indexOf(name) + 1);
  if (!tokens.includes(name)) return [];
  if (kind === "enum" || kind === "interface") return after;
  const depths = depthsOf(after);
  const end = after.findIndex((token, at) => {
    const depth = depths[at] ?? 0;
    return depth < 0 || (depth === 0 && token === ";");
  });
  const whole = end < 0 ? after : after.slice(0, end);
  // `const a = 1, b = 2`; in Python that is a pair.
  const [first = []] = hasHashComments(file) ? [whole] : splitAt(whole, ",");
  const depthsInFirst = depthsOf(first);
  const equals = first.findIndex((token, at) => token === "=" && depthsInFirst[at] === 0);
  if (equals >= 0) return first.slice(equals + 1);
  // A type and no value, as in an interface: that is what it says of itself.
  return first.filter((token) => token !== ":" && token !== "?");
}

/** The same with what a memory says of it. */
export function withMentions({ symbol, words }: SymbolReading, text: string, name: string): SeenSymbol {
  const mentions = listMentions(text).flatMap(({ said, tokens }): [string, string][] => {
    const token = tokens.find((one) => words.has(one));
    return token === undefined || said === name ? [] : [[said, token]];
  });
  return mentions.length === 0 ? symbol : { ...symbol, mentions: mentions.slice(0, maxMentions) };
}

const maxMentions = 20;

/** The value that a text states and the code does not have, where both are one plain value. */
export function findMisstated({ symbol, words }: SymbolReading, text: string, name: string): string | undefined {
  if (
    symbol.value === undefined ||
    !/^(?:-?\d[\p{L}\p{N}_.]*(?: ?\* ?\d[\p{L}\p{N}_.]*)*|true|false|True|False)$/u.test(symbol.value)
  ) {
    return undefined;
  }
  const stated = findStated(text, name);
  if (!stated) return undefined;
  const known = new Set([...words].map((word) => word.toLowerCase()));
  return stated.tokens.some((token) => known.has(token)) ? undefined : stated.said;
}

function hashOf(tokens: readonly string[]): string {
  return createHash("sha1").update(tokens.join(" ")).digest("hex").slice(0, 16);
}
