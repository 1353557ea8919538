import type { SettingName, Settings } from "./config.js";

export type SettingValue = Settings[SettingName];

/** Everything that is known about a setting. Validation, the JSON schema and the command line all read it here. */
export interface Setting {
  name: SettingName;
  default: SettingValue;
  /** One line that completes "it says …". */
  purpose: string;
  /** Completes "it must be …". */
  expected: string;
  /** In the words of JSON Schema. */
  schema: ValueSchema;
  /** Only the user's file may set it: any clone may bring a project's file, and it must not say who is told what. */
  isUsersAlone?: true;
  /** A key or a password is easily pasted here, so no error quotes it. */
  isConfidential?: true;
}

export interface ValueSchema {
  type: ValueType | [ValueType, "null"];
  enum?: readonly (string | null)[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
}

export type ValueType = "boolean" | "number" | "integer" | "string";

/** Whether a value is one that the setting may have. */
export function accepts({ schema }: Setting, value: unknown): value is SettingValue {
  const types = new Set<string>([schema.type].flat());
  if (value === null) return types.has("null");
  if (typeof value === "string") return types.has("string") && isAllowedText(schema, value);
  if (typeof value === "number") return isAllowedNumber(schema, value, types.has("integer"));
  return typeof value === "boolean" && types.has("boolean");
}

/** Whether the setting is a text, which is typed without quotes. */
export function isText({ schema }: Setting): boolean {
  return [schema.type].flat().includes("string");
}

/** A value as an error may quote it: short, because it may be a key that was pasted in the wrong place. */
export function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value);
}

export const longestShown = 40;

function isAllowedText({ enum: choices, pattern }: ValueSchema, value: string): boolean {
  return choices ? choices.includes(value) : pattern === undefined || new RegExp(pattern, "u").test(value);
}

function isAllowedNumber(
  { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, multipleOf }: ValueSchema,
  value: number,
  isWhole: boolean,
): boolean {
  const isOfType = isWhole ? Number.isSafeInteger(value) : Number.isFinite(value) && [type].flat().includes("number");
  return isOfType && value >= minimum && value <= maximum && (multipleOf === undefined || value % multipleOf === 0);
}
