import { MemoryError } from "../../base/memory-error.js";
import type { Reader } from "../../storage/storage.js";
import type { CodeNode, EdgeKind, Tree } from "../codegraph.js";
import type { Target } from "./find-target.js";
import { readNodes } from "./read-nodes.js";
import type { Direction } from "./step-queries.js";
import { walk, wayTo, type Reached } from "./walk.js";

/** A node that a change can concern, or that is needed, and how it hangs on what was asked about. */
export interface Dependent {
  node: CodeNode;
  /** How many edges away. */
  depth: number;
  /** Ids from what was asked about to the node. */
  path: string[];
  /** The kinds of the edges between them. */
  kinds: EdgeKind[];
  /** The product of the confidences of these edges. */
  confidence: number;
  /** Where the last of these edges is written, in the file that it comes from. */
  line?: number;
}

/** Everything that can be reached from a target, and the part of it that was asked for. */
export interface Reach {
  dependents: Dependent[];
  /** Also those that were cut off. */
  reached: Reached[];
  isCut: boolean;
}

/** What can be reached from a target; nearest first, then surest. Never the target itself. */
export async function reach(
  reader: Reader,
  tree: Tree,
  target: Target,
  { direction, depth, limit = Number.POSITIVE_INFINITY }: { direction: Direction; depth: number; limit?: number },
): Promise<Reach> {
  checkCount("depth", depth);
  if (limit !== Number.POSITIVE_INFINITY) checkCount("limit", limit);
  const start = target.own.map(({ number }) => number);
  const reached = await walk(reader, start, { direction, depth });
  const shown = reached.slice(0, limit).map((to) => ({ to, ...wayTo(to) }));
  const nodes = await readNodes(reader, tree, new Set(shown.flatMap((way) => way.nodes)));
  const dependents = shown.flatMap(({ to, nodes: numbers, steps }) => {
    const way = numbers.flatMap((number) => nodes.get(number)?.node ?? []);
    const node = way.at(-1);
    // Nothing leads out of a tree; if it did, it would not be told.
    if (!node || way.length < numbers.length) return [];
    const { line } = to.step;
    return {
      node,
      depth: to.depth,
      path: way.map(({ id }) => id),
      kinds: steps.map(({ kind }) => kind),
      confidence: Number(to.confidence.toFixed(4)),
      ...(line !== null && { line }),
    };
  });
  return { dependents, reached, isCut: reached.length > shown.length };
}

function checkCount(name: string, value: number): void {
  if (Number.isInteger(value) && value > 0) return;
  throw new MemoryError(
    "invalid-input",
    `${name} must be a whole number, 1 or more.`,
    `Leave ${name} out, or correct it.`,
  );
}
