import type { Parameter, Signature } from "./read-signature.js";
import { shorten } from "./quote-code.js";

/** `wider`: whoever called it as it was can go on doing so. */
export type SignatureChange = "same" | "wider" | "other";

/**
 * What has become of a signature. A type that is stated only now, or no longer, is no change: what was called so is called so
 * still. Nor is one of the project's own types under another name, unless the text of the memory names it: types are renamed
 * all the time (of 19 memories that the history of this repository put in doubt, 11 were by that, 2026-11).
 */
export function compareSignatures(before: Signature, now: Signature, text = ""): SignatureChange {
  const isOther = (one: string | undefined, other: string | undefined) => isOtherType(one, other, text);
  if (before.isAsync !== now.isAsync && !givesPromise(before, now)) return "other";
  if (isOther(before.returns, now.returns)) return "other";
  const changes = new Set(
    before.parameters.map((parameter, at) => compareParameters(parameter, now.parameters[at], isOther)),
  );
  const added = now.parameters.slice(before.parameters.length);
  if (changes.has("other") || added.some(({ isOptional }) => !isOptional)) return "other";
  return added.length > 0 || changes.has("wider") ? "wider" : "same";
}

/** Whether both say that they give a promise: then it does not matter who makes it. */
function givesPromise(before: Signature, now: Signature): boolean {
  return before.returns !== undefined && before.returns === now.returns && before.returns.startsWith("Promise<");
}

function compareParameters(
  before: Parameter,
  now: Parameter | undefined,
  isOther: (one: string | undefined, other: string | undefined) => boolean,
): SignatureChange {
  if (!now) return "other";
  // Options that nobody has to give: one more of them is nothing to whoever calls it, whatever their type is called.
  if (before.isOptional && now.isOptional && holdsAll(before.name, now.name)) return "wider";
  if (isOther(before.type, now.type)) return "other";
  const isTakenApart = [before, now].some(({ name }) => /^[{[]/.test(name));
  // Whoever calls it does not see whether it is taken apart where it is passed, or later.
  const isSameThing = before.name === now.name || (isTakenApart && before.type !== undefined && now.type !== undefined);
  if (!isSameThing && !holdsAll(before.name, now.name)) return "other";
  if (before.isOptional && (!now.isOptional || before.default !== now.default)) return "other";
  return !isSameThing || before.isOptional !== now.isOptional ? "wider" : "same";
}

/** Of what is taken apart where it is passed (`{ limit, offset }`): whether nothing of it is gone. */
function holdsAll(before: string, now: string): boolean {
  if (!before.startsWith("{") || !now.startsWith("{")) return false;
  const names = new Set(wordsOf(now));
  return wordsOf(before).every((name) => names.has(name));
}

function isOtherType(before: string | undefined, now: string | undefined, text: string): boolean {
  if (before === undefined || now === undefined || before === now) return false;
  const told = new Set(wordsOf(text));
  const [old, next] = [before, now].map((type) => new Set(wordsOf(type))) as [Set<string>, Set<string>];
  const isNamed = [...old].some((word) => !next.has(word) && told.has(word));
  return isNamed || withoutOwn(before) !== withoutOwn(now);
}

/** A type without the names that the project itself has given: those with a capital, but for what languages bring along. */
function withoutOwn(type: string): string {
  return type
    .replaceAll("readonly ", "")
    .replaceAll(/[\p{L}\p{N}_$]+/gu, (word) => (/^\p{Lu}/u.test(word) && !known.has(word) ? "#" : word));
}

const known = new Set(
  (
    "Date Promise Map Set Array ReadonlyArray ReadonlyMap ReadonlySet Record Partial Pick Omit Buffer Uint8Array RegExp Error " +
    "Function Object String Number Boolean Symbol BigInt Iterable AsyncIterable Iterator URL AbortSignal Response Request " +
    "List Dict Tuple Optional Union Any None Callable Sequence Mapping Path Decimal Integer Long Double Float Character Void " +
    "Option Result Vec HashMap HashSet Box Rc Arc Task IEnumerable Dictionary Int Bool"
  ).split(" "),
);

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/** How both are told apart in a sentence: by names of parameters, and with types and defaults where those are the same. */
export function tellSignatures(name: string, before: Signature, now: Signature): [before: string, now: string] {
  const ways = [byNames, whole].map((way) => [before, now].map((signature) => shorten(`${name}${way(signature)}`)));
  const told = ways.find(([one, other]) => one !== other) ?? ways[1];
  return told as [string, string];
}

function byNames({ parameters }: Signature): string {
  return `(${parameters.map(({ name }) => name).join(", ")})`;
}

function whole({ parameters, returns, isAsync }: Signature): string {
  const told = parameters.map(({ name, type, default: value, isOptional }) => {
    const mark = isOptional && value === undefined && !/^[.*]/.test(name) ? "?" : "";
    return `${name}${mark}${type === undefined ? "" : `: ${type}`}${value === undefined ? "" : ` = ${value}`}`;
  });
  return `(${told.join(", ")})${returns === undefined ? "" : `: ${returns}`}${isAsync ? " (async)" : ""}`;
}
