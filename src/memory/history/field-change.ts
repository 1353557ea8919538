import type { Json } from "../../base/base.js";
import type { MemoryRecord, Relation } from "../memory.js";

type Element = string | Relation;

/** Of one field, what it was and what it became; null for absent. */
type FieldChange = [before: Json, after: Json];

/** The fields that are lists: what one change did to some of their elements, others leave alone. */
const lists = new Set<string>([
  "aliases",
  "tags",
  "relatedFiles",
  "relatedModules",
  "graphNodes",
  "provenanceSessionIds",
  "trustFlags",
  "relations",
] satisfies (keyof MemoryRecord)[]);

/** True when what the change made of the field was changed again; of a list, what it made of some of its elements. */
export function wasChangedAgain(field: string, change: FieldChange, now: Json): boolean {
  if (!lists.has(field)) return !isSame(change[1], now);
  const [after, current] = [byName(change[1]), byName(now)];
  return [...changedNames(change)].some((name) => !isSame(after.get(name), current.get(name)));
}

/** The field as it is without the change. Of a list, what others did to its other elements stays. */
export function withoutChange(field: string, change: FieldChange, now: Json): Json {
  const [before, after] = change;
  // The whole list where it can be, for the order of its elements.
  if (!lists.has(field) || isSame(after, now)) return before;
  const changed = changedNames(change);
  return [
    ...elements(now).filter((element) => !changed.has(nameOf(element))),
    ...elements(before).filter((element) => changed.has(nameOf(element))),
  ] as Json;
}

/** The names of the elements that the change added, took away, or gave another confidence. */
function changedNames(change: FieldChange): Set<string> {
  const [before, after] = [byName(change[0]), byName(change[1])];
  return new Set([...before.keys(), ...after.keys()].filter((name) => !isSame(before.get(name), after.get(name))));
}

function byName(list: Json): Map<string, Element> {
  return new Map(elements(list).map((element) => [nameOf(element), element]));
}

/** What tells elements of a list apart: a relation is the same one whatever its confidence. */
function nameOf(element: Element): string {
  if (typeof element === "string") return element;
  return JSON.stringify([element.kind, element.memory ?? null, element.file ?? null]);
}

/** The elements of a field that is a list. */
export function elements<T = Element>(list: Json | undefined): T[] {
  return Array.isArray(list) ? (list as T[]) : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
