import { standIn } from "../../hygiene/stand-in.js";

// Real ones are UUIDs.
const longest = 500;

/** An id that an agent gave, as every store carries it, with a stand-in for a secret; undefined for what cannot be one. */
export function cleanId(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > longest) return undefined;
  return standIn(value.replaceAll(/[\0\p{Surrogate}]/gu, "\u{fffd}"));
}
