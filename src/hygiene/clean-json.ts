import type { Json } from "../base/base.js";
import { MemoryError } from "../base/memory-error.js";
import { cleanText, type HygieneFlag } from "./clean-text.js";
import { neutralise } from "./neutralise.js";
import { redactionMarker } from "./secret-finding.js";
import { findSecretKindUnderKey } from "./secret-assignments.js";

const depthLimit = 32;

/**
 * Cleans every string of a JSON value as `cleanText` does, keys included; a secret that only its key gives away
 * (`{ password: "hunter2" }`) is redacted too. Properties that are `undefined` are left out, as JSON does.
 *
 * Throws `content-refused`, naming the path, for what JSON cannot carry and for more than 32 levels.
 *
 * @example
 * await cleanJson({ user: "bob", password: "hunter2" }, "metadata")
 * // { value: { user: "bob", password: "[redacted:password]" }, flags: ["secret-redacted"] }
 */
export async function cleanJson(value: unknown, field: string): Promise<{ value: Json; flags: HygieneFlag[] }> {
  const flags = new Set<HygieneFlag>();
  return { value: await clean(value, field, [], flags), flags: [...flags] };
}

async function clean(value: unknown, path: string, parents: object[], flags: Set<HygieneFlag>): Promise<Json> {
  if (typeof value === "string") return cleanString(value, path, flags);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw refusal(path, `is ${value}`);
    return value;
  }
  if (typeof value !== "object") throw refusal(path, value === undefined ? "is undefined" : `is a ${typeof value}`);

  if (parents.includes(value)) throw refusal(path, "contains itself");
  if (parents.length >= depthLimit) throw refusal(path, `is nested more than ${depthLimit} levels deep`);
  const inside = [...parents, value];
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (let index = 0; index < value.length; index += 1) {
      items.push(await clean(value[index], `${path}[${index}]`, inside, flags));
    }
    return items;
  }
  if (!isPlainObject(value)) throw refusal(path, `is a ${value.constructor?.name || "special object"}`);
  return cleanObject(value, path, inside, flags);
}

async function cleanObject(
  value: object,
  path: string,
  parents: object[],
  flags: Set<HygieneFlag>,
): Promise<{ [key: string]: Json }> {
  const entries = new Map<string, Json>();
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    if (item === undefined) continue;
    const cleanKey = await cleanString(key, `a key of ${path}`, flags);
    const itemPath = `${path}.${readable(cleanKey)}`;
    if (entries.has(cleanKey)) throw refusal(itemPath, "appears twice once its key is cleaned");

    const cleanItem = await clean(item, itemPath, parents, flags);
    const kind = isScalar(cleanItem) ? findSecretKindUnderKey(cleanKey, String(cleanItem)) : undefined;
    if (kind !== undefined) flags.add("secret-redacted");
    entries.set(cleanKey, kind === undefined ? cleanItem : redactionMarker(kind));
  }
  // Not by assignment: a key named __proto__ would become the prototype and vanish.
  return Object.fromEntries(entries);
}

async function cleanString(text: string, path: string, flags: Set<HygieneFlag>): Promise<string> {
  const cleaned = await cleanText(text, path);
  for (const flag of cleaned.flags) flags.add(flag);
  return cleaned.text;
}

function isScalar(value: Json): value is string | number {
  return typeof value === "string" || typeof value === "number";
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
