import type { FileFacts } from "../facts.js";

/**
 * The facts of a file in which secrets were found, without them: a name may be one, such as a key of an object or what is
 * imported. Every name of the facts stands in the text; one that no longer stands in the cleaned text was, or held, a secret.
 */
export function cleanFacts(facts: FileFacts, cleaned: string): FileFacts {
  const isClean = (name: string) =>
    cleaned.includes(name) || name.split(/[.~/]/).every((part) => cleaned.includes(part));
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return keywords.has(value) || isClean(value) ? value : "redacted";
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      // A fingerprint is no name, but a hash.
      Object.entries(value).map(([field, one]) => [field, field === "fingerprint" ? one : clean(one)]),
    );
  };
  return clean(facts) as FileFacts;
}

// Words of the facts themselves, which no text has to hold.
const keywords = new Set(
  `default * symbol import value parameter shape alias variable name this super member element call new module type either
  given array function of local from reference class interface method property enum namespace object`.split(/\s+/),
);
