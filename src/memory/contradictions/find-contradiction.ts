import {
  attributes,
  circumstances,
  countless,
  generics,
  plainAttributes,
  sharedDeeds,
  sharedFamilies,
} from "./lexicon.js";
import type { Clause, Token } from "./read-clause.js";
import { readMainStatement, readStatements } from "./read-statements.js";

export interface Contradiction {
  /** The same subject with another value, the opposite, or what somebody would rather have now. */
  kind: "value" | "negation" | "preference";
  /** For a person: `says 8081 where it said 8080`. */
  why: string;
}

/**
 * Tells whether a statement closes an older one, by rules over words. Both are taken apart around the verb; where all words
 * that carry meaning are the same, they contradict each other by a negation or by the ends of a scale (enabled, disabled); where
 * one value differs, by that value, if a thing has one of its kind at a time. In doubt undefined: both stay.
 *
 * @example findContradiction("The API listens on port 8080", "The API listens on port 8081")
 * // { kind: "value", why: "says 8081 where it said 8080" }
 */
export function findContradiction(older: string, newer: string): Contradiction | undefined {
  const next = readStatements(newer);
  return next.length === 0 ? undefined : compareStatements(readMainStatement(older), next);
}

/** The same of statements that were read. Of the older its first clause counts: the rest explains it. */
export function compareStatements(older: Clause | undefined, newer: Clause[]): Contradiction | undefined {
  if (!older) return undefined;
  for (const clause of newer) {
    const found = compareClauses(older, clause);
    if (found) return found;
  }
  return undefined;
}

function compareClauses(old: Clause, next: Clause): Contradiction | undefined {
  const difference = differ(old, next);
  return (
    findReplaced(old, next, difference) ?? findOpposite(old, next, difference) ?? findOtherValue(old, next, difference)
  );
}

/** The words that only one of both has, and those that both have. */
export interface Difference {
  gone: Token[];
  come: Token[];
  shared: Token[];
}

export function differ(old: Clause, next: Clause): Difference {
  const [before, after] = [old, next].map(({ content }) => new Set(content.map(({ key }) => key))) as [
    Set<string>,
    Set<string>,
  ];
  return {
    gone: old.content.filter(({ key, raw }) => !after.has(key) && !generics.has(raw.toLowerCase())),
    come: next.content.filter(({ key, raw }) => !before.has(key) && !generics.has(raw.toLowerCase())),
    shared: next.content.filter(({ key }) => before.has(key)),
  };
}

/** "Use pnpm instead of npm" where npm was said: what it names as what was before is all that goes. */
function findReplaced(old: Clause, next: Clause, { gone, come, shared }: Difference): Contradiction | undefined {
  if (!next.instead || old.negations > 0 || next.negations > 0 || come.length === 0) return undefined;
  const { old: replaced, isRename } = next.instead;
  const keys = new Set(replaced);
  if (replaced.length === 0 || !replaced.every((key) => gone.some((token) => token.key === key))) return undefined;
  const left = gone.filter(({ key }) => !keys.has(key));
  const value = gone.filter(({ key }) => keys.has(key));
  const isNamed =
    isRename && value.every(({ side }) => side === "after") && ["be", "call"].includes(old.verb?.base ?? "");
  if (left.length > 0 && !isNamed && !isOtherTool(old, next, value, come)) return undefined;
  if (shared.length === 0 && !isNamed && !["use", "prefer", "be"].includes(old.verb?.kind ?? "")) return undefined;
  return toldAs(old, next, value, come);
}

/** "We migrated from Jest to Vitest" tells no purpose, and so is said of every one. */
function isOtherTool({ verb }: Clause, { content }: Clause, [from]: Token[], [to]: Token[]): boolean {
  if (!from?.family || from.family !== to?.family || content.length > 1) return false;
  return verb?.kind === "use" && from.side === "after" && from.preposition === undefined;
}

/** The same words, but one says no; or one names the other end of a scale. */
function findOpposite(old: Clause, next: Clause, { gone, come, shared }: Difference): Contradiction | undefined {
  // What is said to be so or not: "true" alone says nothing of anything.
  const isAboutSomething = shared.some(({ key }) => !key.startsWith("±"));
  if (old.sign === next.sign || !isAboutSomething || old.isConditional !== next.isConditional) return undefined;
  // "2 spaces" instead of tabs.
  if (come.length > 0 && !(come[0]?.kind === "number" && shared.some(({ key }) => key === "±tabs"))) return undefined;
  const isAllGone = next.isEnd && next.sign === -1 && shared.length >= 2 && gone.length <= 2;
  const isMeasureGone = next.negations > 0 && shared.length >= 2 && gone.every(({ kind }) => kind === "number");
  if (gone.length > 0 && !(isAllGone && gone.every(mayGo)) && !isMeasureGone) return undefined;
  const kind = isPreference(old, next) ? "preference" : "negation";
  const word = (clause: Clause) => clause.content.find(({ key }) => key.startsWith("±"))?.raw;
  const [before, after] = [word(old), word(next)];
  if (before !== undefined && after !== undefined && before.toLowerCase() !== after.toLowerCase()) {
    return { kind, why: `says ${after} where it said ${before}` };
  }
  return { kind, why: next.negations > old.negations ? "says that this is not so" : "says that this is so after all" };
}

function mayGo({ raw, isCondition }: Token): boolean {
  return !isCondition && !circumstances.has(raw.toLowerCase());
}

/** One value in the place of another, and all else the same. */
function findOtherValue(old: Clause, next: Clause, { gone, come, shared }: Difference): Contradiction | undefined {
  if (old.negations > 0 || next.negations > 0 || old.sign !== next.sign) return undefined;
  if (old.isConditional !== next.isConditional) return undefined;
  if (!isOneSlot(old, gone) || !isOneSlot(next, come)) return undefined;
  // "A test uses port 8080": there may be others.
  if ([old, next].some(({ content: [first] }) => first?.side === "before" && /^an?$/.test(first.determiner ?? "")))
    return undefined;
  const change: Change = { old, next, gone, come, shared };
  const isOther = [isOtherNumber, isOtherOfFamily, isOtherAgent, isOtherRole, isOtherThing].some((rule) =>
    rule(change),
  );
  return isOther ? toldAs(old, next, gone, come) : undefined;
}

interface Change extends Difference {
  old: Clause;
  next: Clause;
}

const longestValue = 3;

/** A few words side by side, of no list and no condition. */
function isOneSlot({ content }: Clause, slot: Token[]): boolean {
  if (slot.length === 0 || slot.length > longestValue) return false;
  const first = content.indexOf(slot[0] as Token);
  if (slot.some((token, index) => content[first + index] !== token)) return false;
  const behind = content[first + slot.length];
  if (behind?.isJoined || slot.some(({ isJoined }) => isJoined)) return false;
  return slot.every((token) => mayGo(token) && !token.isOwner && !token.key.startsWith("±"));
}

function isOtherNumber({ old, next, gone, come, shared }: Change): boolean {
  const [[from], [to]] = [gone, come];
  if (gone.length !== 1 || come.length !== 1 || !from || !to) return false;
  if (!measured.has(from.kind) || from.kind !== to.kind || from.family !== to.family) return false;
  if (!shared.some(({ raw }) => !circumstances.has(raw.toLowerCase()))) return false;
  if (isLabel(from) || isLabel(to)) return false;
  if (!old.verb || !next.verb) {
    return shared.length >= 2 && old.content.at(-1) === from && next.content.at(-1) === to && isMeasure(from);
  }
  // "Port 8080 is taken": a number before the verb tells which thing it is.
  if (from.side === "before" || to.side === "before") return false;
  if (from.kind === "calendar" && !old.content.some(({ side }) => side === "before")) return false;
  if (from.kind !== "number" && [old, next].some(({ verb }) => verb?.kind === "many")) return false;
  return !(from.kind === "version" && from.isBehindObject && from.preposition !== "to");
}

/** "Server 3" is not server 4: a bare number behind a noun tells which one, unless it is the noun's own measure, as of a port. */
function isLabel({ kind, family, noun }: Token): boolean {
  return kind === "number" && family === "" && noun !== undefined && !attributes.has(noun);
}

function isMeasure({ family, kind, noun }: Token): boolean {
  return family !== "" || kind !== "number" || attributes.has(noun ?? "");
}

const measured = new Set<Token["kind"]>(["number", "version", "date", "clock", "calendar"]);

/** Of a kind of tool one is used for a purpose: another package manager, another test runner. */
function isOtherOfFamily({ old, next, gone, come, shared }: Change): boolean {
  const [from, to] = [gone.find(({ family }) => family), come.find(({ family }) => family)];
  if (!from?.family || from.family !== to?.family || measured.has(from.kind)) return false;
  if (gone.length > 1 || come.length > 1 || from.side === "before" || to.side === "before") return false;
  const kinds = [old, next].map(({ verb }) => verb?.kind);
  if (kinds.some((kind) => kind === undefined || kind === "many" || kind === "agent")) return false;
  if (
    [old, next].some(
      ({ verb, content }) =>
        verb?.kind === "be" && content.some(({ side, raw }) => side === "after" && raw.endsWith("ing")),
    )
  )
    return false;
  const subjects = shared.filter(({ key }) => key !== "user");
  const isPurposeKnown = subjects.some(({ side, preposition }) => side === "after" || preposition !== undefined);
  if ([old, next].some(({ verb }) => verb?.base === "like") && subjects.length === 0) return false;
  if (sharedFamilies.has(from.family) && kinds.includes("use") && !isPurposeKnown) return false;
  return [from, to].every(({ preposition, isBehindObject, family }) => {
    if (preposition === undefined || !isBehindObject) return preposition !== "for";
    return means.has(preposition) || (family === "tongue" && preposition === "in") || !kinds.includes("use");
  });
}

const means = new Set(["with", "using", "via", "through", "by", "to", "as"]);

/** "Dana owns the billing service": one does, and now it is another. */
function isOtherAgent({ old, next, gone, come }: Change): boolean {
  if (old.verb?.kind !== "agent" || next.verb?.kind !== "agent") return false;
  return isAgent(old, gone) && isAgent(next, come);
}

function isAgent({ verb }: Clause, slot: Token[]): boolean {
  return slot.every(
    ({ kind, side, preposition, determiner }) =>
      kind === "name" && determiner === undefined && (verb?.isPassive ? preposition === "by" : side === "before"),
  );
}

/** "Maria is the tech lead": there is one, and now it is another. */
function isOtherRole({ old, next, gone, come }: Change): boolean {
  return hasRole(old, gone) && hasRole(next, come);
}

function hasRole({ verb, content }: Clause, slot: Token[]): boolean {
  const roles = content.filter((token) => !slot.includes(token));
  const [role] = roles;
  const isName = slot.every(
    ({ kind, determiner, preposition }) =>
      (kind === "name" || kind === "code") && determiner === undefined && preposition === undefined,
  );
  return (
    verb?.kind === "be" &&
    isName &&
    role?.preposition === undefined &&
    roles.every(({ side }) => side !== slot[0]?.side) &&
    ["the", "our", "my"].includes(role?.determiner ?? "")
  );
}

/** Another place, name or identifier where a thing has one. */
function isOtherThing({ old, next, gone, come, shared }: Change): boolean {
  if (gone.concat(come).some(({ side, kind }) => side === "before" || measured.has(kind))) return false;
  if (shared.length === 0 || isNearlySame(gone, come)) return false;
  const [[from], [to]] = [gone, come];
  // English is no other Markdown, and a folder no other language.
  if (isOfOtherKind(from, to)) return false;
  const isMoved = [old, next].some(({ verb }) => verb?.kind === "change");
  if (!isMoved && from?.preposition !== to?.preposition) return false;
  return [
    { clause: old, slot: gone },
    { clause: next, slot: come },
  ].every(({ clause, slot }) => isSingle(clause, slot));
}

function isOfOtherKind(from: Token | undefined, to: Token | undefined): boolean {
  const matters = [from, to].flatMap((token) => (sharedFamilies.has(token?.family ?? "") ? [token?.family] : []));
  if (matters.length === 2 && matters[0] !== matters[1]) return true;
  const kinds = new Set([from?.kind, to?.kind]);
  return kinds.has("place") && (kinds.has("name") || kinds.has("word"));
}

/** True where a subject has one such thing at a time. */
function isSingle({ verb, content }: Clause, slot: Token[]): boolean {
  const [first] = slot;
  if (!verb || !first) return false;
  const { preposition, isBehindObject, determiner } = first;
  if (preposition === "for" && verb.base !== "work") return false;
  if (preposition === "about" || slot.some(({ raw }) => raw.endsWith("ly"))) return false;
  const subject = content.filter(({ side }) => side === "before");
  const head = subject
    .findLast((token) => token.preposition === undefined || token.preposition === "of")
    ?.raw.toLowerCase();
  if (subject.some(({ raw }) => countless.has(raw.toLowerCase()))) return false;
  if (verb.kind === "change") return preposition === "to" || preposition === "into";
  const isNamed = slot.every(({ kind }) => kind === "place" || kind === "code" || kind === "name");
  if (verb.kind === "be") {
    const known = isNamed ? attributes : plainAttributes;
    if (preposition === undefined && subject.some(({ raw }) => known.has(raw.toLowerCase())))
      return isNamed || !slot.some(isQuality);
    if (determiner === "a" || determiner === "an" || !isNamed || head === undefined) return false;
    const behind = content.filter(({ side }) => side === "after");
    const [deed] = behind;
    // "The tokens are signed with HS256".
    if (deed !== first) {
      const isDone =
        deed?.kind === "word" &&
        /(?:ed|en|sent|built|made|held|kept|drawn|paid)$/.test(deed.raw) &&
        !sharedDeeds.has(deed.raw);
      return isDone && behind[1] === first && preposition !== undefined && doneWith.has(preposition);
    }
    return preposition === undefined || places.has(preposition) || first.kind === "place";
  }
  // "Formatting is done by Prettier".
  if (verb.kind === "use" && verb.isPassive) return isNamed && !isBehindObject && means.has(preposition ?? "");
  // "We use Sentry for errors": for one purpose one thing.
  if (verb.kind === "use") {
    const hasPurpose = content.some(
      (token) => token.preposition === "for" && token.side === "after" && !slot.includes(token),
    );
    return isNamed && hasPurpose && verb.base === "use" && preposition === undefined;
  }
  if (verb.kind !== "one") return false;
  return single.get(verb.base)?.(first, verb.isPassive) ?? false;
}

const doneWith = new Set(["with", "as", "in", "to", "into", "at", "via", "using"]);
const places = new Set(["in", "at", "under", "from"]);

/** How something is, of which several hold at once. */
function isQuality({ kind, raw }: Token): boolean {
  return kind === "word" && /(?:ful|ous|ive|able|ible|ed|ing|al|less|ish|ent|ant|y)$/.test(raw);
}

const on =
  (...allowed: (string | undefined)[]) =>
  ({ preposition }: Token) =>
    allowed.includes(preposition);

/** Which of the objects of a verb there is one of. */
const single = new Map<string, (token: Token, isPassive: boolean) => boolean>(
  Object.entries({
    live: on("in", "at", "on", "under"),
    work: on("at", "as", "from", "for"),
    call: (token, isPassive) => isPassive && on(undefined, "as")(token),
    store: on("in", "as", "under", "on"),
    host: on("on", "at", "in", "by"),
    deploy: on("to", "with"),
    listen: on("on", "at"),
    default: on("to"),
    point: on("to", "at"),
    set: on("to"),
    belong: on("to"),
    report: on("to"),
    write: on("in", "as"),
    target: on(undefined),
    return: on(undefined),
    resolve: on("to"),
    start: on("at", "with", "in"),
    expire: on("after", "in"),
    format: on("as", "with"),
    pin: on("to", "at"),
    authenticate: on("with", "via", "through"),
  }),
);

/** "Node" and "Node runtime", "Berlin" and "Berlin, Germany": one is the other, told in more words. */
function isNearlySame(gone: Token[], come: Token[]): boolean {
  const [before, after] = [gone, come].map((tokens) => tokens.map(({ key }) => key).join(" ")) as [string, string];
  return `${before} `.startsWith(`${after} `) || `${after} `.startsWith(`${before} `);
}

function isPreference(old: Clause, next: Clause): boolean {
  return [old, next].some(
    ({ verb, content }) => verb?.kind === "prefer" || content.some(({ raw }) => /^favou?rite$/i.test(raw)),
  );
}

function toldAs(old: Clause, next: Clause, gone: Token[], come: Token[]): Contradiction {
  const text = (tokens: Token[]) => tokens.map(({ raw }) => raw).join(" ");
  return {
    kind: isPreference(old, next) ? "preference" : "value",
    why: `says ${text(come)} where it said ${text(gone)}`,
  };
}
