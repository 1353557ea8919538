import type { Module } from "./module-types.js";

/** All that a tree is divided by. */
export interface DividedTree {
  /** The source files, tests among them. */
  files: readonly string[];
  /** Folders that a manifest makes a package, with its name where it says one. The root is one with or without. */
  packages: ReadonlyMap<string, string | undefined>;
  /** For each file those that it imports, and for each test those that it tests. */
  imports: ReadonlyMap<string, readonly string[]>;
  tests: ReadonlyMap<string, readonly string[]>;
}

/** A module before its tests are known. */
export interface ModuleDraft extends Pick<Module, "name" | "folder" | "by" | "packageName"> {
  files: string[];
  /** Of one that imports hold together: the name of its most central file. */
  cluster?: string;
}

// A folder with fewer belongs to the one around it, and the folders in one with more are modules of their own. This repository's
// 1,172 sources are 60 modules with three and forty, half of them of 9 to 26 files; with a hundred they are 42, of which
// `conversation` alone has 77 files, with twenty 69, with two 63, with six 55 (2026-11).
export const leastFiles = 3;
export const maxFiles = 40;
