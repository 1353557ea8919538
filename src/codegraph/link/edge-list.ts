import { tiers, type EdgeKind, type Tier } from "../codegraph.js";
import type { SymbolFact } from "../facts/facts.js";
import type { LinkedEdge, Miss } from "./linked-file.js";

/** Where an edge begins and what it says. */
export interface EdgeStart {
  from: string;
  kind: EdgeKind;
  line?: number | undefined;
}

/** The edges of a file while they are found. Of several that say the same, the surest is kept, with the first line. */
export class EdgeList {
  // By what they say and then by the symbol they lead to: joining both into one string took a sixth of linking.
  readonly #edges = new Map<string, Map<SymbolFact | string, LinkedEdge>>();
  readonly #misses = new Map<string, Miss>();

  /** Adds an edge to a symbol of a file, or to the file itself. */
  add({ from, kind, line }: EdgeStart, tier: Tier, toFile: string, symbol?: SymbolFact): void {
    const key = `${kind} ${from}`;
    let alike = this.#edges.get(key);
    if (!alike) this.#edges.set(key, (alike = new Map<SymbolFact | string, LinkedEdge>()));
    const known = alike.get(symbol ?? toFile);
    if (!known) {
      const to = symbol?.path ?? "";
      alike.set(symbol ?? toFile, { from, toFile, to, kind, tier, ...(line !== undefined && { line }) });
      return;
    }
    if (tiers.indexOf(tier) < tiers.indexOf(known.tier)) known.tier = tier;
    if (line !== undefined && line < (known.line ?? Infinity)) known.line = line;
  }

  miss(from: string, kind: Miss["kind"], name: string): void {
    const key = `${from}\n${kind}\n${name}`;
    const known = this.#misses.get(key);
    if (known) known.sites += 1;
    else this.#misses.set(key, { from, name, kind, sites: 1 });
  }

  edges(): LinkedEdge[] {
    return [...this.#edges.values()].flatMap((alike) => [...alike.values()]);
  }

  /** The files that its edges lead to. */
  filesReached(): Set<string> {
    return new Set(this.edges().map(({ toFile }) => toFile));
  }

  misses(): Miss[] {
    return [...this.#misses.values()];
  }
}
