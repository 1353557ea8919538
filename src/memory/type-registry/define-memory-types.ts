import { MemoryError } from "../../base/memory-error.js";
import { customTypes, isBuiltIn, typeNames, type MemoryType } from "./memory-types.js";
import { phases, scopes } from "../memory.js";

/**
 * A type of memory that Tacit does not have by itself. What is left out: a label made of the name, the tone `plain`, no
 * fading, no expiry, the usual weight and share.
 */
export type CustomMemoryType = Pick<MemoryType, "type" | "purpose"> &
  Partial<Omit<MemoryType, "type" | "purpose" | "everyOneCounts">>;

/**
 * Adds types for this process: what is remembered under one of them from now on fades, expires, weighs and is packed as it
 * says. All of them or none. The same definition again changes nothing; a built-in type, or one that somebody else has
 * defined otherwise, is refused.
 *
 * Half-life and expiry are kept with each memory, and so hold where nobody defines the type. The rest does not: there it is
 * a note under its own name.
 *
 * @example
 * defineMemoryTypes([{ type: "tdd_cycle", purpose: "tells how a test came to pass", halfLifeDays: 30 }], "tdd")
 */
export function defineMemoryTypes(types: readonly CustomMemoryType[], by = "this program"): void {
  if (!Array.isArray(types)) throw refused(by, "The custom types are no list.", "Give an array of types.");
  const added = new Map<string, MemoryType>();
  for (const given of types) {
    const type = toType(given, by);
    const known = added.get(type.type) ?? customTypes.get(type.type);
    if (known && !isSame(known, type)) {
      throw refused(
        by,
        `The type ${type.type} is defined already, in another way${ownerOf(known)}.`,
        `Call it something else, for example ${`${by}_${type.type}`.replace(/\W+/g, "_").toLowerCase()}.`,
      );
    }
    if (!known) added.set(type.type, type);
  }
  for (const [name, type] of added) {
    customTypes.set(name, type);
    owners.set(type, by);
  }
}

const owners = new WeakMap<MemoryType, string>();

function ownerOf(type: MemoryType): string {
  const owner = owners.get(type);
  return owner === undefined ? "" : ` by ${owner}`;
}

/** A checked copy of its own: what a plug-in does to its object later changes nothing here. */
function toType(given: CustomMemoryType, by: string): MemoryType {
  if (typeof given !== "object" || given === null) {
    throw refused(by, "A custom type is no object.", 'Give at least { type: "…", purpose: "…" }.');
  }
  const name = typeof given.type === "string" ? given.type : "?";
  for (const field of Object.keys(given).filter((key) => !Object.hasOwn(checks, key))) {
    throw refused(by, `The type ${name} has a field ${field}.`, `There are ${Object.keys(checks).join(", ")}.`);
  }
  for (const [field, { isNeeded, fits, expected }] of Object.entries(checks)) {
    const value: unknown = given[field as keyof CustomMemoryType];
    if (value === undefined ? isNeeded : !fits(value)) {
      throw refused(by, `${field} of the type ${name} does not fit.`, `It must be ${expected}.`);
    }
  }
  if (isBuiltIn(name)) {
    throw refused(by, `${name} is a type of Tacit, and stays as it is.`, "Call yours something else: tacit types");
  }
  const { halfLifeDays, expires, loadSchema } = given;
  return Object.freeze({
    type: name,
    label: given.label ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`,
    purpose: given.purpose,
    tone: given.tone ?? "plain",
    weights: Object.freeze({ ...given.weights }),
    shares: Object.freeze({ ...given.shares }),
    ...(halfLifeDays !== undefined && { halfLifeDays }),
    ...(expires && { expires: Object.freeze({ ...expires }) }),
    ...(loadSchema && { loadSchema }),
  });
}

/** What a field must be, where it is there. */
interface FieldCheck {
  isNeeded?: true;
  expected: string;
  fits: (value: unknown) => boolean;
}

const maxDays = 36_500;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
// They stand in front of what a model is told: no line of its own, and nothing that could pass for the end of a quotation.
const isLine = (value: unknown, most: number) =>
  typeof value === "string" &&
  value.trim() === value &&
  value.length > 0 &&
  value.length <= most &&
  /^[\p{L}\p{N} .,;:!?'’()/&_+-]+$/u.test(value);
const isDays = (value: unknown) => typeof value === "number" && value > 0 && value <= maxDays;
const isByPhase = (value: unknown, least: number, most: number) =>
  isObject(value) &&
  Object.entries(value).every(
    ([phase, figure]) =>
      phases.some((known) => known === phase) && typeof figure === "number" && figure >= least && figure <= most,
  );

const checks: Record<keyof CustomMemoryType, FieldCheck> = {
  type: {
    isNeeded: true,
    expected: "small letters, digits and _, beginning with a letter, at most 64",
    fits: (value) => typeof value === "string" && typeNames.test(value),
  },
  purpose: {
    isNeeded: true,
    expected: 'one line of at most 120 letters, digits and common signs that completes "a memory that …"',
    fits: (value) => isLine(value, 120),
  },
  label: {
    expected: "one line of at most 40 letters, digits and common signs",
    fits: (value) => isLine(value, 40),
  },
  tone: {
    expected: "plain, warn or stop",
    fits: (value) => value === "plain" || value === "warn" || value === "stop",
  },
  halfLifeDays: { expected: `a number of days above 0, at most ${maxDays}`, fits: isDays },
  expires: {
    expected: `{ days } above 0, or { endOfDayInScope } with one of ${scopes.join(", ")}`,
    fits: (value) =>
      isObject(value) &&
      Object.keys(value).length === 1 &&
      (isDays(value["days"]) || scopes.some((scope) => scope === value["endOfDayInScope"])),
  },
  // Around what the built-in ones have: 0.8 to 1.4, and at most 0.4 of a phase.
  weights: {
    expected: `a number from 0.5 to 2 for any of ${phases.join(", ")}`,
    fits: (value) => isByPhase(value, 0.5, 2),
  },
  shares: {
    expected: `a number from 0 to 0.5 for any of ${phases.join(", ")}`,
    fits: (value) => isByPhase(value, 0, 0.5),
  },
  loadSchema: { expected: "a function that gives a zod schema", fits: (value) => typeof value === "function" },
};

/** A schema cannot be compared; the same source is taken for the same. */
function isSame(a: MemoryType, b: MemoryType): boolean {
  return fingerprint(a) === fingerprint(b);
}

function fingerprint({ loadSchema, weights, shares, ...rest }: MemoryType): string {
  return JSON.stringify([
    rest,
    phases.map((phase) => [weights[phase] ?? null, shares[phase] ?? null]),
    String(loadSchema),
  ]);
}

function refused(by: string, message: string, hint: string): MemoryError {
  return new MemoryError("invalid-input", `Types of ${by}: ${message}`, hint);
}
