/**
 * The parts of a program by the names that people have for them: which files belong together, what others enter them by,
 * where that leads, what they are for. By rule from the files and edges of a tree; what a language model adds is marked as its own.
 */
import type { CodeNode, EdgeSource, MeaningKind } from "../codegraph.js";

/** A named part of a program. Every source file of a tree is in exactly one. */
export interface Module {
  /** `memory`, `codegraph/ask`: unique in its tree. */
  name: string;
  /** Where its files lie, from the root; empty for the root itself. */
  folder: string;
  /** What holds it together: a manifest, a folder, or that its files import each other. */
  by: "package" | "folder" | "imports";
  /** Without its tests, by path. */
  files: string[];
  tests: string[];
  /** What its manifest calls it. */
  packageName?: string;
}

/** Something that whoever is outside of a module enters it by. */
export interface EntryPoint {
  node: CodeNode;
  /** How many files of other modules use it, tests left out. */
  users: number;
  /** How many test files do, where hardly anybody else does: so a library is entered by who is not in its tree. */
  testers?: number;
  /** Why it is one, where nobody has to use it: what the manifest says, or its name: `bin`, `main`. */
  program?: string;
  source: EdgeSource;
  confidence: number;
}

/** The way from an entry point to the first thing of another module that it comes to. */
export interface Flow {
  from: string;
  to: string;
  /** The module that it leads to. */
  module: string;
  /** Ids of all that lie on it, both ends included. */
  way: string[];
  source: EdgeSource;
  /** As sure as all of its calls together. */
  confidence: number;
}

/** An edge of what code means, beside those that are written in it. */
export interface ModuleEdge {
  from: string;
  kind: MeaningKind;
  to: string;
  source: EdgeSource;
  confidence: number;
}

/** What a module is called where a node has an id. */
export function moduleId(name: string): string {
  return `module:${name}`;
}
