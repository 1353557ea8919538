import type { Containers } from "./containers.js";

/** What the linker has to know of the language of a file. What is absent is as in most of them. */
export interface LanguageLinking {
  /**
   * What tells its parameters from those of the same name elsewhere, when files vote on what such a parameter is. Absent:
   * the extension of the file.
   */
  votePrefix?: string;
  /** Modules that are a folder, where those in it are members of it: a package of Python. */
  packages?: Packages;
  /**
   * Whether a file is there to be included, and not to be compiled by itself. A language that says so has its names in one
   * space, and what a file includes decides which of several definitions is meant.
   */
  isIncludable?: (path: string) => boolean;
  /** Types of the language that have to give out what they hold. */
  containers?: Containers;
  /** Whether lists and maps have no methods but those of the language, whatever they hold, in this file. */
  hasClosedLists?: (path: string) => boolean;
  /** Names of types that the language brings. They count in every language, where the tree has no type of that name. */
  builtins?: BuiltinTypes;
}

export interface Packages {
  /** Whether a file is what stands for the whole of its folder: what it imports, others can import from it. */
  isPackage: (path: string) => boolean;
  /** The specifier of a module that lies in a package. */
  submodule: (specifier: string, name: string) => string;
}

export interface BuiltinTypes {
  /** As good as what they are given: `Promise`. */
  wrappers?: readonly string[];
  lists?: readonly string[];
  /** From their first to their second. */
  maps?: readonly string[];
  /** Whatever their member is called, it is their second. */
  records?: readonly string[];
  /** What calling their first gives. */
  results?: readonly string[];
  /** What making one of their first gives. */
  instances?: readonly string[];
}
