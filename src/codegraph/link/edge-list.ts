import { tiers, type EdgeKind } from "../codegraph.js";
import type { LinkedEdge, Miss } from "./linked-file.js";

/** The edges of a file while they are found. Of several that say the same, the surest is kept, with the first line. */
export class EdgeList {
  readonly #edges = new Map<string, LinkedEdge>();
  readonly #misses = new Map<string, Miss>();

  add(edge: LinkedEdge): void {
    const key = `${edge.from}\n${edge.kind}\n${edge.toFile}\n${edge.to}`;
    const known = this.#edges.get(key);
    if (!known) {
      this.#edges.set(key, edge);
      return;
    }
    if (tiers.indexOf(edge.tier) < tiers.indexOf(known.tier)) known.tier = edge.tier;
    if (edge.line !== undefined && (known.line === undefined || edge.line < known.line)) known.line = edge.line;
  }

  has(from: string, kind: EdgeKind, toFile: string, to: string): boolean {
    return this.#edges.has(`${from}\n${kind}\n${toFile}\n${to}`);
  }

  miss(from: string, kind: Miss["kind"], name: string): void {
    const key = `${from}\n${kind}\n${name}`;
    const known = this.#misses.get(key);
    if (known) known.sites += 1;
    else this.#misses.set(key, { from, name, kind, sites: 1 });
  }

  edges(): LinkedEdge[] {
    return [...this.#edges.values()];
  }

  misses(): Miss[] {
    return [...this.#misses.values()];
  }
}
