import type { Reader } from "../../storage/storage.js";
import type { CodeNode, Tree } from "../codegraph.js";
import { affectedTests, type AffectedTest } from "./affected-tests.js";
import { findTarget } from "./find-target.js";
import { reach, type Dependent } from "./reach.js";
import { listCallsByName, type Unresolved } from "./unresolved.js";

export interface ImpactOptions {
  /** How many edges to follow. */
  depth?: number;
  /** The most to name, nearest and surest first. */
  limit?: number;
}

/** What a change of something can concern. */
export interface Impact {
  /** What was asked about: a file, a symbol, or the files of a folder. */
  target: CodeNode[];
  /** Nearest first, then surest. */
  dependents: Dependent[];
  /** The test files to run, nearest first; also of dependents that were cut off. */
  tests: AffectedTest[];
  /** Calls by a name of the target whose end is not known: they may be dependents too. */
  unresolved: Unresolved;
  /** Whether there are more dependents than were asked for. */
  isCut: boolean;
}

/**
 * Everything that hangs on a target, by calls, references, inheritance, imports and tests. From a file that was reached
 * it goes on to who imports it, not to who uses something of it. Who calls a method through an interface or a base class
 * hangs on what implements or overrides it too, half as surely.
 *
 * @example
 * const { dependents, tests } = await impact(reader, tree, "src/store.ts#Store.read", { depth: 2 })
 */
export async function impact(
  reader: Reader,
  tree: Tree,
  target: string | readonly string[],
  { depth = 3, ...options }: ImpactOptions = {},
): Promise<Impact> {
  const found = await findTarget(reader, tree, target);
  const { dependents, reached, isCut } = await reach(reader, tree, found, {
    ...options,
    depth,
    direction: "dependents",
  });
  const [tests, unresolved] = await Promise.all([
    affectedTests(reader, tree, found, reached),
    listCallsByName(reader, tree, found),
  ]);
  return { target: found.nodes, dependents, tests, unresolved, isCut };
}
