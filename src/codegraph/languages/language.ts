import type { Extraction } from "../facts.js";
import type { ModuleResolver } from "../link/linked-file.js";
import type { ModuleTree } from "../link/search.js";

/** A language that the graph knows. docs/adding-a-language.md tells how to add one. */
export interface Language {
  name: string;
  /** In small letters, without the dot. */
  extensions: readonly string[];
  /** The files that decide where an import leads: `go.mod`. */
  settings?: RegExp;
  /** Opens what reads its files. Once a thread, so loading a grammar there is cheap. */
  open: () => Promise<Extract>;
  /** Tells which file a specifier leads to, where imports name files. */
  createResolver?: (tree: ModuleTree) => ModuleResolver;
  /** Tells which space of the tree a file means, where that is not the one it names. */
  createSpaceResolver?: (tree: ModuleTree) => ResolveSpace;
}

/** Makes facts of a file. What cannot be parsed is left out; nothing makes it throw. */
export type Extract = (path: string, source: string) => Extraction;

/** The space of the tree that a file means by one that it names; undefined for one that lies outside. */
export type ResolveSpace = (from: string, space: string) => string | undefined;
