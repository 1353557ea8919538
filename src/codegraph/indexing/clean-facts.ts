import type { FileFacts } from "../facts.js";

/**
 * The facts of a file in which secrets were found, without them: a name may be one, such as a key of an object or what is
 * imported. Every name of the facts stands in the text; one that no longer stands in the cleaned text was, or held, a secret.
 */
export function cleanFacts(facts: FileFacts, cleaned: string): FileFacts {
  const isClean = (name: string) =>
    cleaned.includes(name) || name.split(/[.~/]/).every((part) => cleaned.includes(part));
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

// Too little to be a secret. Among them are the words of the facts themselves, which no text has to hold.
const shortWord = /^[A-Za-z*[\]]{0,12}$/;
