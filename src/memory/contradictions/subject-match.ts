import { indexTokens } from "../../base/text/text.js";
import { families, poles, sharedFamilies } from "./lexicon.js";
import type { Clause, Token } from "./read-clause.js";

/**
 * What an older statement must hold to be worth comparing, for the word index: the words on one side of the verb, because
 * what differs is on the other; or what the clause says that it replaces. Undefined where there is nothing to look for.
 */
export function subjectMatch(clauses: Clause[]): string | undefined {
  const groups = new Set(clauses.flatMap(groupsOf));
  return groups.size === 0 ? undefined : [...groups].slice(0, maxGroups).join(" OR ");
}

/** The same for whoever only wants to know what else is told of the subject: any of its words. */
export function anyWordMatch(clauses: Clause[]): string | undefined {
  const tokens = clauses.flatMap(({ content }) => content).filter((token) => !isNumber(token));
  const words = tokens.toSorted((a, b) => weightOf(b) - weightOf(a)).map(alternativesOf);
  return [...new Set(words)].filter(Boolean).slice(0, maxGroups).join(" OR ") || undefined;
}

const maxGroups = 8;
// Each further word costs about 30 µs (similar.ts), and two of a subject are rare together.
const wordsOfGroup = 2;

function groupsOf({ content, instead, negations }: Clause): string[] {
  const [before, after] = (["before", "after"] as const).map((side) =>
    content.filter((token) => token.side === side && !isNumber(token)),
  ) as [Token[], Token[]];
  const telling = before.filter(({ key }) => key !== "user");
  const groups = [allOf(telling), before.length > 0 ? "" : withoutOne(after, negations)];
  // Who is told much of is found with one more word.
  if (telling.length === 0 && before.length > 0) groups.push(allOf([...before, ...after.slice(0, 1)]), '"user"');
  if (before.length > 0 && after.length > 1) groups.push(allOf(after));
  if (instead) groups.push(joined(instead.old.filter((key) => !key.startsWith("±")).map(quoted)));
  return groups.filter(Boolean);
}

/** Where there is no subject, what differs is at the beginning or at the end of the rest. */
function withoutOne(tokens: Token[], negations: number): string {
  if (tokens.length > 2) return [allOf(tokens.slice(1)), allOf(tokens.slice(0, -1))].join(" OR ");
  if (tokens.length === 2) return tokens.map(alternativesOf).filter(Boolean).join(" OR ");
  const [token] = tokens;
  const isTelling =
    token && (negations > 0 || token.family !== undefined || token.key.startsWith("±") || token.kind !== "word");
  return isTelling ? alternativesOf(token) : "";
}

function isNumber({ kind }: Token): boolean {
  return kind === "number" || kind === "version" || kind === "date" || kind === "clock" || kind === "calendar";
}

/** Long words are rare words. */
function weightOf({ raw, key }: Token): number {
  return key === "user" ? 0 : raw.length;
}

/** The word, or any of those that may stand in its place. */
function alternativesOf({ key, raw, family }: Token): string {
  const others =
    family !== undefined && !sharedFamilies.has(family)
      ? membersOf(families, (other) => other === family)
      : key.startsWith("±")
        ? membersOf(poles, ({ scale }) => `±${scale}` === key)
        : [raw];
  const tokens = [...new Set(others.map((word) => indexTokens(word).split(" ").at(-1) ?? ""))].filter(Boolean);
  if (tokens.length <= 1) return tokens.map(quoted).join("");
  return `(${tokens.map(quoted).join(" OR ")})`;
}

function membersOf<T>(list: ReadonlyMap<string, T>, isWanted: (value: T) => boolean): string[] {
  return [...list].flatMap(([word, value]) => (isWanted(value) ? [word] : []));
}

/** The longest few of them, which are the rare ones. */
function allOf(tokens: Token[]): string {
  return joined(tokens.toSorted((a, b) => weightOf(b) - weightOf(a)).map(alternativesOf));
}

function joined(parts: string[]): string {
  const some = parts.filter(Boolean).slice(0, wordsOfGroup);
  return some.length > 1 ? `(${some.join(" AND ")})` : some.join("");
}

function quoted(token: string): string {
  return `"${token.replaceAll('"', "")}"`;
}
