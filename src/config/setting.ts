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
  /**
   * Whether a value only takes away from what another allows. Then a project's file may set it before anybody accepted that;
   * absent: never.
   */
  isStricter?: (value: SettingValue, than: SettingValue) => boolean;
  /** Of an object: what is wrong with it, where its type alone does not tell. */
  check?: (value: object) => string | undefined;
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
  properties?: Readonly<Record<string, object>>;
  additionalProperties?: false;
}

export type ValueType = "boolean" | "number" | "integer" | "string" | "object";

/** For a switch that may be turned off unasked. */
export function isOff(value: SettingValue): boolean {
  return value === false;
}

/** Whether a value is one that the setting may have. */
export function accepts({ schema, check }: Setting, value: unknown): value is SettingValue {
  const types = new Set<string>([schema.type].flat());
  if (value === null) return types.has("null");
  if (typeof value === "object") {
    return types.has("object") && !Array.isArray(value) && check?.(value) === undefined;
  }
  if (typeof value === "string") return types.has("string") && isAllowedText(schema, value);
  if (typeof value === "number") return isAllowedNumber(schema, value, types.has("integer"));
  return typeof value === "boolean" && types.has("boolean");
}

/** What must be put right in a value that is not accepted; completes "file:line: …". */
export function describeMistake({ name, expected, schema, check, isConfidential }: Setting, value: unknown): string {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const inside = isObject && schema.type === "object" ? check?.(value) : undefined;
  return inside === undefined
    ? `${name} must be ${expected}${isConfidential ? "" : `; it is ${shown(value)}`}.`
    : `${inside}.`;
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
