import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { hasSpaces, readAllSpaces, readSpaces, type AddedName } from "./space-queries.js";

// Where so many files are linked, most names are asked for.
const manyFiles = 32;

/** Who adds which name to which space, as far as linking has asked for it. */
export class SpaceCache {
  readonly #tree: Tree;
  readonly #isWhole: boolean;
  readonly #spaces = new Map<string, Map<string, readonly string[]>>();
  readonly #wanted = new Map<string, [space: string, name: string]>();

  private constructor(tree: Tree, isWhole: boolean) {
    this.#tree = tree;
    this.#isWhole = isWhole;
  }

  /** Undefined where no file adds to any: most trees have no such language. */
  static async open(reader: Reader, tree: Tree, files: number): Promise<SpaceCache | undefined> {
    if (!(await hasSpaces(reader, tree))) return undefined;
    const cache = new SpaceCache(tree, files >= manyFiles);
    if (cache.#isWhole) cache.#put(await readAllSpaces(reader, tree));
    return cache;
  }

  /** The files that add a name; none where that is not at hand, and then it is fetched with the next. */
  declaring(space: string, name: string): readonly string[] {
    const known = this.#spaces.get(space)?.get(name);
    if (known || this.#isWhole) return known ?? [];
    this.#wanted.set(`${space}\n${name}`, [space, name]);
    return [];
  }

  /** Fetches what was asked for; tells whether something was. */
  async fetch(reader: Reader): Promise<boolean> {
    if (this.#wanted.size === 0) return false;
    const wanted = [...this.#wanted.values()];
    this.#wanted.clear();
    this.#put(wanted.map(([space, name]) => [space, name, []]));
    this.#put(await readSpaces(reader, this.#tree, wanted));
    return true;
  }

  #put(names: readonly AddedName[]): void {
    for (const [space, name, files] of names) {
      const known = this.#spaces.get(space);
      if (known) known.set(name, files.toSorted());
      else this.#spaces.set(space, new Map([[name, files.toSorted()]]));
    }
  }
}
