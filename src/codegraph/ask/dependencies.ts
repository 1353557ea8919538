import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { findTarget } from "./find-target.js";
import type { Impact, ImpactOptions } from "./impact.js";
import { reach } from "./reach.js";
import { listOwnMisses } from "./unresolved.js";

/**
 * Everything that a target hangs on: the other end of `impact`, in its shape. The dependents are what it needs, unresolved
 * are its own calls whose end is not known, and no tests are named. Whoever calls a method of an interface or a base class
 * may run one that implements or overrides it, half as surely.
 *
 * @example
 * const { dependents: needs } = await dependencies(reader, tree, "src/store.ts")
 */
export async function dependencies(
  reader: Reader,
  tree: Tree,
  target: string | readonly string[],
  { depth = 1, ...options }: ImpactOptions = {},
): Promise<Impact> {
  const found = await findTarget(reader, tree, target);
  const { dependents, isCut } = await reach(reader, tree, found, { ...options, depth, direction: "dependencies" });
  const unresolved = await listOwnMisses(reader, tree, found);
  return { target: found.nodes, dependents, tests: [], unresolved, isCut };
}
