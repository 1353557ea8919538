import { isAccessor, type DefinitionSite } from "./definition-sites.js";
import { parseSymbol } from "./parse-symbol.js";
import { claimSites, type NodeRange } from "./claim-sites.js";
import type { ScipTarget } from "../link/scip-answers.js";

// Overloads and declarations that are merged have a few. A broken index may give everything one name.
const maxTargets = 16;

/** What symbols lead to, as far as the documents of an index were gone through. */
export class KnownSymbols {
  readonly #targets = new Map<string, ScipTarget[]>();
  readonly #defined = new Set<string>();
  readonly #packages = new Set<string>();

  /** Notes what a document defines; without nodes, only that it does. */
  define(file: string, sites: readonly DefinitionSite[], nodes: readonly NodeRange[]): void {
    const claimed = claimSites(nodes, sites);
    for (const site of sites) {
      const path = claimed.get(site);
      for (const symbol of site.symbols) this.#note(symbol, file, path);
    }
  }

  #note(symbol: string, file: string, path: string | undefined): void {
    const key = keyOf(symbol, file);
    if (key === symbol) {
      this.#packages.add(parseSymbol(symbol)?.package ?? "");
      this.#defined.add(symbol);
    }
    if (path === undefined) return;
    const known = this.#targets.get(key);
    if (!known) this.#targets.set(key, [[file, path]]);
    else if (known.length < maxTargets && !known.some((one) => one[0] === file && one[1] === path))
      known.push([file, path]);
  }

  /**
   * What a symbol leads to from a file. None: outside of the tree. Undefined: it is of this tree, but nothing that has a
   * node, such as a parameter; or calling it means something else, as with a getter.
   */
  find(symbol: string, file: string): readonly ScipTarget[] | undefined {
    const found = this.#targets.get(keyOf(symbol, file));
    const parsed = parseSymbol(symbol);
    if (!parsed || parsed.isLocal) return found;
    const last = parsed.descriptors.at(-1);
    if (last && isAccessor(last.name)) return undefined;
    if (found) return found;
    const outer = parsed.descriptors.at(-2);
    if (last && outer && isConstructor(last.name)) {
      const owner = this.#targets.get(symbol.slice(0, outer.end));
      if (owner) return owner;
    }
    return this.#defined.has(symbol) || this.#packages.has(parsed.package) ? undefined : [];
  }

  /** Every symbol that has a node, but for those that are local to a document. */
  *all(): Generator<[symbol: string, file: string, path: string]> {
    for (const [symbol, targets] of this.#targets) {
      if (!this.#defined.has(symbol)) continue;
      for (const [file, path] of targets) yield [symbol, file, path];
    }
  }
}

/** What is local means something else in each document. */
function keyOf(symbol: string, file: string): string {
  return symbol.startsWith("local ") ? `${file}\n${symbol}` : symbol;
}

/** To make one of a class is to run it: a constructor has no node of its own. */
function isConstructor(name: string): boolean {
  return name === "<constructor>" || name === "<init>" || name === ".ctor" || name === "`.ctor`";
}
