import { checkName } from "../../memory/prepare/prepare.js";
import { parseTime } from "../../memory/read/read.js";

/** What a value from a file must look like. `read` gives it in the form that is stored, or undefined if it does not fit. */
export interface Shape {
  /** Completes "… must be". */
  expected: string;
  read(value: unknown): unknown;
}

export const text: Shape = {
  expected: "a text without NUL and broken characters",
  read: (value) => (typeof value === "string" && isWhole(value) ? value : undefined),
};

export const content: Shape = {
  expected: "a text with something in it, without NUL and broken characters",
  read: (value) => (typeof value === "string" && isWhole(value) && value.trim() !== "" ? value : undefined),
};

export const texts: Shape = {
  expected: "a list of texts, none of them empty",
  read: (value) =>
    Array.isArray(value) && value.every((entry) => content.read(entry) !== undefined) ? [...new Set(value)] : undefined,
};

export const name: Shape = {
  expected: "a name: one line of at most 256 bytes that has not the form of an id",
  read(value) {
    try {
      return typeof value === "string" && isWhole(value) ? checkName(value) : undefined;
    } catch {
      return undefined;
    }
  },
};

export const names: Shape = {
  expected: "a list of names: each one line of at most 256 bytes that has not the form of an id",
  read: (value) =>
    Array.isArray(value) && value.every((entry) => name.read(entry) !== undefined)
      ? [...new Set(value.map((entry) => name.read(entry) as string))].toSorted()
      : undefined,
};

export const typeName: Shape = {
  expected: "a type: small letters, digits and _ (`tacit types` lists those known)",
  read: (value) => (typeof value === "string" && /^[a-z][a-z0-9_]{0,63}$/.test(value) ? value : undefined),
};

export const id: Shape = {
  expected: "an id in the form of a UUID",
  read: (value) =>
    typeof value === "string" && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
      ? value.toLowerCase()
      : undefined,
};

export const time: Shape = {
  expected: "a time in ISO 8601, for example 2026-11-15T08:30:00Z",
  read(value) {
    if (isStoredTime(value)) return value;
    try {
      return parseTime(value, "the time");
    } catch {
      return undefined;
    }
  },
};

/** Times are most of what there is to check, and nearly all come as they were stored: this is twice as fast. */
function isStoredTime(value: unknown): value is string {
  const moment = typeof value === "string" && value.length === 24 ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(moment) && new Date(moment).toISOString() === value;
}

export const yesOrNo: Shape = {
  expected: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
};

export const share: Shape = {
  expected: "a number from 0 to 1",
  read: (value) => (typeof value === "number" && value >= 0 && value <= 1 ? value : undefined),
};

export const days: Shape = {
  expected: "a number of days above 0",
  read: (value) => (typeof value === "number" && value > 0 && Number.isFinite(value) ? value : undefined),
};

export const count: Shape = {
  expected: "a whole number from 0",
  read: (value) => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined),
};

/** Any object that a memory may hold: hygiene takes 32 levels. */
export function object(levels = 32): Shape {
  return {
    expected: `an object of at most ${levels} levels, without NUL and broken characters`,
    read: (value) => (isObject(value) && isStorable(value, levels) ? value : undefined),
  };
}

export function oneOf(values: readonly string[]): Shape {
  return {
    expected: `one of ${values.join(", ")}`,
    read: (value) => (typeof value === "string" && values.includes(value) ? value : undefined),
  };
}

export function someOf(values: readonly string[]): Shape {
  return {
    expected: `a list of ${values.join(", ")}`,
    read: (value) =>
      Array.isArray(value) && value.every((entry) => values.includes(entry as string))
        ? [...new Set(value)]
        : undefined,
  };
}

/** An object with exactly these properties; those whose name ends in `?` may be missing. */
export function objectOf(properties: Record<string, Shape>): Shape {
  const shapes = new Map(Object.entries(properties).map(([key, shape]) => [key.replace("?", ""), shape]));
  const needed = Object.keys(properties).filter((key) => !key.endsWith("?"));
  return {
    expected: `{ ${Object.keys(properties).join(", ")} }`,
    read(value) {
      if (!isObject(value) || !needed.every((key) => Object.hasOwn(value, key))) return undefined;
      const entries = Object.entries(value).map(([key, entry]) => [key, shapes.get(key)?.read(entry)] as const);
      return entries.every(([, entry]) => entry !== undefined) ? Object.fromEntries(entries) : undefined;
    },
  };
}

export function listOf(shape: Shape): Shape {
  return {
    expected: `a list of ${shape.expected}`,
    read(value) {
      const entries = Array.isArray(value) ? value.map((entry) => shape.read(entry)) : [undefined];
      return entries.includes(undefined) ? undefined : entries;
    },
  };
}

export function orNull(shape: Shape): Shape {
  return { expected: `${shape.expected}, or null`, read: (value) => (value === null ? null : shape.read(value)) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === "string") return isWhole(value);
  if (typeof value !== "object" || value === null) return typeof value !== "number" || Number.isFinite(value);
  if (levels === 0) return false;
  return Object.entries(value).every(([key, entry]) => isWhole(key) && isStorable(entry, levels - 1));
}

/** No NUL and no half of a surrogate pair, which no database carries. */
function isWhole(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- it is what is looked for
  return !/\0|\p{Surrogate}/u.test(value);
}
