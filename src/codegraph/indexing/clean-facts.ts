import type { FileFacts } from "../facts/facts.js";

/**
 * The facts of a file in which secrets were found, without them: a name may be one, such as a key of an object or what is
 * imported. Every name of the facts stands in the text; one that no longer stands in the cleaned text was, or held, a secret.
 */
export function cleanFacts(facts: FileFacts, cleaned: string): FileFacts {
  const isClean = cleanNames(cleaned);
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return shortWord.test(value) || isClean(value) ? value : "redacted";
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      // A fingerprint is no name, but a hash.
      Object.entries(value).map(([field, one]) => [field, field === "fingerprint" ? one : clean(one)]),
    );
  };
  return clean(facts) as FileFacts;
}

/** Whether a name in the facts may differ from what the text says: then a secret may hide in it from whoever reads the text. */
export function mayHideNames(text: string): boolean {
  return /\\(?:[ux]|\r?\n)/.test(text);
}

// Too little to be a secret. Among them are the words of the facts themselves, which no text has to hold.
const shortWord = /^(?:[A-Za-z*[\]]{0,12}|<[a-z]{1,12}>|module_function)$/;
// The second of a name, the parameters of a type, the part of a tuple.
const count = /^\d{1,5}$/;
// The language of a space, and what tells an extension from a method.
const ofFacts = /^(?:[a-z]+:|this )/;
// What languages put names together with, and mark them by.
const joints = /::|[.~/!`^{}@]|=$/;

/** Looks each name up once, and in the whole text only what is not a word of it: the text may be long, and the names many. */
function cleanNames(cleaned: string): (name: string) => boolean {
  const words = new Set(cleaned.match(/[\p{ID_Continue}$]+/gu));
  const known = new Map<string, boolean>();
  const isPart = (part: string) => count.test(part) || words.has(part) || cleaned.includes(part);
  return (name) => {
    let isClean = known.get(name);
    if (isClean === undefined) {
      isClean = isPart(name) || name.replace(ofFacts, "").split(joints).every(isPart);
      known.set(name, isClean);
    }
    return isClean;
  };
}
