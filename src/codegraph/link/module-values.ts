import { findExported } from "./find-names.js";
import { gather, mayGoOn, none, type FileLinking, type Type } from "./linking-context.js";

/**
 * What values are to whoever calls them, makes something of them or inherits from them: a module is what it assigned to
 * `module.exports`, be that another module. What only has `export default` is no such module, but then whoever calls it
 * has a tool that makes one of the two.
 */
export function valuesOf(linking: FileLinking, types: readonly Type[], depth: number): readonly Type[] {
  if (!types.some(({ is }) => is === "module")) return types;
  return gather(types, (type) => (type.is === "module" ? valuesAssigned(linking, type, depth) : [type]));
}

/** What was assigned to the whole of a module, if something was. */
export function valuesAssigned(
  linking: FileLinking,
  { place }: Extract<Type, { is: "module" }>,
  depth: number,
): readonly Type[] {
  if (place.facts.isOpen || !mayGoOn(linking, depth)) return none;
  const assigned = findExported(linking, place, "default", "value");
  return assigned ? valuesOf(linking, linking.inference.typesOfTarget(assigned, depth + 1), depth + 1) : none;
}
