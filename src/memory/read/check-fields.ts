import { MemoryError } from "../../base/memory-error.js";
import { parseTime } from "./parse-time.js";

/** Refuses a field that nobody knows, and a value that does not fit, naming the field. */
export function checkFields(verb: string, value: unknown, fields: Record<string, Check>): void {
  if (object(value) !== undefined) {
    throw new MemoryError(
      "invalid-input",
      `${verb} takes an object.`,
      `Known fields: ${Object.keys(fields).join(", ")}.`,
    );
  }
  for (const [field, entry] of Object.entries(value as Record<string, unknown>)) {
    if (entry === undefined) continue;
    const check = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!check) {
      throw new MemoryError(
        "invalid-input",
        `${verb} does not know the field ${JSON.stringify(field)}.`,
        `Known fields: ${Object.keys(fields).join(", ")}.`,
      );
    }
    const expected = check(entry);
    if (expected !== undefined) {
      throw new MemoryError("invalid-input", `${field} must be ${expected}.`, `Correct ${field} and try again.`);
    }
  }
}

/** Says what is expected when the value is not it. */
export type Check = (value: unknown) => string | undefined;

export const text: Check = (value) => (typeof value === "string" ? undefined : "a text");
export const texts: Check = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string") ? undefined : "a list of texts";
export const object: Check = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : "an object";
export const yesOrNo: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
export const share: Check = (value) =>
  typeof value === "number" && value >= 0 && value <= 1 ? undefined : "a number from 0 to 1";
export const time: Check = (value) => {
  parseTime(value, "the time");
  return undefined;
};
export const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && values.includes(value) ? undefined : `one of ${values.join(", ")}`;
