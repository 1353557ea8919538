import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import type { FileFacts } from "../facts/facts.js";
import { readFacts } from "./file-queries.js";

// 5,000 files must fit into 400 MB with everything else: with 64 MB it was 419, with 32 MB 360 (2026-11).
const cacheBytes = 40_000_000;
// So much more do facts take in memory than their JSON, about.
const unpacked = 8;

/** As JSON until somebody asks: of a large tree, most are dropped before. */
type CachedFacts = { bytes: number } & ({ json: string } | { facts: FileFacts });

/** The facts that linking has at hand. What is not here is read when it is asked for, and what was not used for longest goes. */
export class FactsCache {
  readonly #tree: Tree;
  readonly #facts = new Map<string, CachedFacts>();
  readonly #absent = new Set<string>();
  readonly #wanted = new Set<string>();
  #bytes = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Undefined where there are none, or where they must be fetched first. */
  get(path: string): FileFacts | undefined {
    const known = this.#facts.get(path);
    if (!known) {
      if (!this.#absent.has(path)) this.#wanted.add(path);
      return undefined;
    }
    const facts = "facts" in known ? known.facts : (JSON.parse(known.json) as FileFacts);
    // Used last, so it goes last.
    this.drop(path);
    this.#keep(path, "facts" in known ? known : { facts, bytes: known.bytes * unpacked });
    return facts;
  }

  put(path: string, facts: string): void {
    this.drop(path);
    this.#keep(path, { json: facts, bytes: facts.length });
  }

  #keep(path: string, kept: CachedFacts): void {
    this.#facts.set(path, kept);
    this.#bytes += kept.bytes;
  }

  drop(path: string): void {
    this.#absent.delete(path);
    this.#bytes -= this.#facts.get(path)?.bytes ?? 0;
    this.#facts.delete(path);
  }

  /** Notes that these will be asked for. */
  want(paths: Iterable<string>): void {
    for (const path of paths) if (!this.#facts.has(path) && !this.#absent.has(path)) this.#wanted.add(path);
  }

  /** Fetches what was asked for in vain; false when there was nothing. */
  async fetch(reader: Reader): Promise<boolean> {
    if (this.#wanted.size === 0) return false;
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const found = await readFacts(reader, this.#tree, wanted);
    for (const path of wanted) {
      const facts = found.get(path);
      if (facts === undefined) this.#absent.add(path);
      else this.put(path, facts);
    }
    return true;
  }

  /** Lets go of what is too much. Between two files only: what one file needs must be here all at once. */
  trim(): void {
    for (const path of this.#facts.keys()) {
      if (this.#bytes <= cacheBytes) return;
      this.drop(path);
    }
  }
}
