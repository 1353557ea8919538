import type { Json } from "../../base/base.js";
import type { MetadataValue } from "./chroma-server.js";

type Flat = Record<string, Exclude<MetadataValue, null>>;

/**
 * Nested values as a collection can hold them: `{ a: { b: 1 } }` becomes `{ "a.b": 1 }`, a list its JSON text; null is left
 * out. `unflatten` gives back most of it; who needs all of it compares.
 *
 * @example flatten({ ci: { os: "linux" }, tags: ["a"] }) // { "ci.os": "linux", tags: '["a"]' }
 */
export function flatten(metadata: Record<string, Json>): Flat {
  const flat: [string, Exclude<MetadataValue, null>][] = [];
  const visit = (prefix: string, value: Json) => {
    if (value === null) return;
    if (Array.isArray(value)) flat.push([prefix, JSON.stringify(value)]);
    else if (typeof value !== "object") flat.push([prefix, value]);
    else for (const [key, entry] of Object.entries(value)) visit(`${prefix}.${key}`, entry);
  };
  for (const [key, value] of Object.entries(metadata)) visit(key, value);
  return Object.fromEntries(flat);
}

type Tree = Map<string, Tree | Json>;

// What a memory may hold; a key with more dots is none of ours.
const maxLevels = 32;

/** Puts together again what `flatten` took apart. A key that is both a value and a folder of others keeps its dots. */
export function unflatten(flat: Record<string, Json>): Record<string, Json> {
  // Maps, because a key may be called __proto__.
  const root: Tree = new Map();
  for (const [key, value] of Object.entries(flat)) {
    const folders = key.split(".");
    const last = folders.pop() as string;
    let tree: Tree | undefined = folders.length < maxLevels ? root : undefined;
    for (const folder of tree ? folders : []) {
      const next: Tree | Json = tree?.get(folder) ?? new Map();
      tree?.set(folder, next);
      tree = next instanceof Map ? next : undefined;
    }
    if (tree && !tree.has(last)) tree.set(last, listIn(value));
    else root.set(key, listIn(value));
  }
  return toObject(root);
}

function toObject(tree: Tree): Record<string, Json> {
  return Object.fromEntries([...tree].map(([key, value]) => [key, value instanceof Map ? toObject(value) : value]));
}

function listIn(value: Json): Json {
  if (typeof value !== "string" || !value.startsWith("[")) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}
