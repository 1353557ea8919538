import type { Json } from "../base/base.js";
import { MemoryError } from "../base/memory-error.js";
import { cleanText, type HygieneFlag } from "./clean-text.js";
import { neutralise } from "./neutralise.js";
import { redactionMarker } from "./secrets/secret-finding.js";
import { findSecretKindUnderKey } from "./secrets/secret-assignments.js";

const depthLimit = 32;
// Of these the value says nothing without the name.
const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;

/** Where a value stands. */
interface JsonLocation {
  path: string;
  /** What the value is called, if anything gives it a name. */
  name: string | undefined;
  parents: object[];
}

/**
 * Cleans every string of a JSON value as `cleanText` does, keys included; a secret that only its key gives away
 * (`{ password: "hunter2" }`), or its name beside it (`{ name: "PASSWORD", value: "hunter2" }`), is redacted too.
 * Properties that are `undefined` are left out, as JSON does.
 *
 * Throws `content-refused`, naming the path, for what JSON cannot carry and for more than 32 levels.
 *
 * @example
 * await cleanJson({ user: "bob", password: "hunter2" }, "metadata")
 * // { value: { user: "bob", password: "[redacted:password]" }, flags: ["secret-redacted"] }
 */
export async function cleanJson(value: unknown, field: string): Promise<{ value: Json; flags: HygieneFlag[] }> {
  const flags = new Set<HygieneFlag>();
  return { value: await clean(value, { path: field, name: undefined, parents: [] }, flags), flags: [...flags] };
}

async function clean(value: unknown, place: JsonLocation, flags: Set<HygieneFlag>): Promise<Json> {
  const { path, name, parents } = place;
  if (typeof value === "string") {
    const header = headerName.test(name ?? "") ? `${name}: ` : "";
    const cleaned = await cleanString(header + value, path, flags);
    return redactByName(cleaned.slice(header.length), name, flags);
  }
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw refusal(path, `is ${value}`);
    return redactByName(value, name, flags);
  }
  if (typeof value !== "object") throw refusal(path, value === undefined ? "is undefined" : `is a ${typeof value}`);

  if (parents.includes(value)) throw refusal(path, "contains itself");
  if (parents.length >= depthLimit) throw refusal(path, `is nested more than ${depthLimit} levels deep`);
  const inside = [...parents, value];
  if (Array.isArray(value)) return cleanArray(value, { path, name, parents: inside }, flags);
  if (!isPlainObject(value)) throw refusal(path, `is a ${value.constructor?.name || "special object"}`);
  return cleanObject(value, { path, name, parents: inside }, flags);
}

async function cleanArray(
  value: unknown[],
  { path, name, parents }: JsonLocation,
  flags: Set<HygieneFlag>,
): Promise<Json[]> {
  const items: Json[] = [];
  for (let index = 0; index < value.length; index += 1) {
    // The items of a list under "passwords" are passwords, and so is what follows "--password".
    const before: unknown = value[index - 1];
    const itemName = typeof before === "string" && before.startsWith("-") ? before : name;
    items.push(await clean(value[index], { path: `${path}[${index}]`, name: itemName, parents }, flags));
  }
  return items;
}

async function cleanObject(
  value: object,
  { path, parents }: JsonLocation,
  flags: Set<HygieneFlag>,
): Promise<{ [key: string]: Json }> {
  const entries = new Map<string, Json>();
  const properties = Object.entries(value) as [string, unknown][];
  for (const [key, item] of properties) {
    if (item === undefined) continue;
    const cleanKey = await cleanString(key, `a key of ${path}`, flags);
    const itemPath = `${path}.${readable(cleanKey)}`;
    if (entries.has(cleanKey)) throw refusal(itemPath, "appears twice once its key is cleaned");

    const name = cleanKey === "value" ? (nameBeside(properties) ?? cleanKey) : cleanKey;
    entries.set(cleanKey, await clean(item, { path: itemPath, name, parents }, flags));
  }
  // Not by assignment: a key named __proto__ would become the prototype and vanish.
  return Object.fromEntries(entries);
}

/** What `{ name: …, value: … }` and `{ key: …, value: … }` call their value. */
function nameBeside(properties: [string, unknown][]): string | undefined {
  return properties.filter(([key]) => key === "name" || key === "key").find(isNamed)?.[1];
}

function isNamed(property: [string, unknown]): property is [string, string] {
  return typeof property[1] === "string";
}

function redactByName<Value extends string | number>(
  value: Value,
  name: string | undefined,
  flags: Set<HygieneFlag>,
): Value | string {
  const kind = name === undefined ? undefined : findSecretKindUnderKey(name, String(value));
  if (kind === undefined) return value;
  flags.add("secret-redacted");
  return redactionMarker(kind);
}

async function cleanString(text: string, path: string, flags: Set<HygieneFlag>): Promise<string> {
  const cleaned = await cleanText(text, path);
  for (const flag of cleaned.flags) flags.add(flag);
  return cleaned.text;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The second test is for objects of another realm, such as a vm context.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function readable(key: string): string {
  return neutralise(key.length > 60 ? `${key.slice(0, 60)}…` : key);
}

function refusal(path: string, what: string): MemoryError {
  return new MemoryError(
    "content-refused",
    `${path} ${what}, which JSON cannot carry`,
    "Use only strings, finite numbers, booleans, null, arrays and plain objects, at most 32 levels deep.",
  );
}
