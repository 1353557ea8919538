import type { CodeDigest, Module, Purpose, Section } from "../../codegraph/modules/modules.js";
import type { Memory } from "../../memory/memory.js";

export interface ModuleSummary extends Omit<Module, "files" | "tests"> {
  /** How many there are. */
  files: number;
  tests: number;
  purpose: Purpose;
}

export interface ModuleList {
  /** By name. */
  modules: ModuleSummary[];
  /** What a reader should know: that the index is not complete, that files have changed since. */
  notes: string[];
}

export interface ModuleOptions {
  /** Model tokens that `sections` may take, about. Default 1,500. */
  budgetTokens?: number;
}

/** A part of the program in short, with what is known about it. */
export interface ModuleDigest extends CodeDigest {
  /** Those that hang on its files and symbols, each with the node it hangs on, and those that name the module. */
  memories: { memory: Memory; on: string }[];
  /** The digest as text, as much as fits, from the most important to the least. */
  sections: Section[];
  notes: string[];
}

export interface DescribeModulesOptions {
  /** Their names. Default: all. */
  modules?: readonly string[];
  /** Also those that have not changed since they were described. */
  force?: boolean;
  signal?: AbortSignal;
}

export interface DescribedModules {
  described: { module: string; purpose: string; edges: number }[];
  /** Not asked about: nothing of them has changed since. */
  unchanged: string[];
  failed: { module: string; problem: string }[];
  /** Not asked about any more, since the model gave no answer before or it was told to stop. */
  left: string[];
}

/** The parts of the program by the names that people have for them. */
export interface Describing {
  /** Every module of the work tree, with what it is for. Refuses before the first indexing. */
  modules(): Promise<ModuleList>;
  /** What a module is for, how others enter it and where that leads, what is central, its tests, partners and memories. */
  module(name: string, options?: ModuleOptions): Promise<ModuleDigest>;
  /**
   * Has the configured language model say what modules are for. It is shown names and signatures. What it says is marked as
   * its own, and it is asked again only about what has changed. Refuses where no model is configured.
   */
  describeModules(options?: DescribeModulesOptions): Promise<DescribedModules>;
}
