import { MemoryError } from "../../base/memory-error.js";

/** Refuses what is no whole number from `least`; what is left out is fine. */
export function checkWholeNumber(name: string, value: unknown, least = 0): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return;
  throw new MemoryError(
    "invalid-input",
    `${name} must be a whole number from ${least}.`,
    "Leave it out for the usual.",
  );
}
