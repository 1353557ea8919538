/**
 * What the files of a project say of it: how it is tested and built, what it needs, what it calls itself. Read by rules and
 * worded by templates, without a model. They are data that anybody may have written who wrote the clone.
 */
import type { Memory } from "../../memory/memory.js";

/** What a fact is about, in the order of what is worth knowing first. */
export const subjects = [
  "about",
  "readme",
  "test",
  "build",
  "install",
  "needs",
  "lint",
  "types",
  "start",
  "dev",
  "make",
  "modules",
  "scripts",
] as const;

export interface ProjectFact {
  subject: (typeof subjects)[number];
  content: string;
  /** The file that says so, below the root. */
  file: string;
  /** It holds sentences or names of whoever wrote the file; else only words of ours, with values that were checked. */
  isQuoted?: true;
}

export interface LearnProjectOptions {
  /**
   * A person wants what lies in this folder to be learned. Then the rules of agents are taken in, and what Tacit words itself
   * may be told to agents. Else it only answers those who ask. What others worded is told to nobody unasked before the
   * folder is accepted. Default false.
   */
  invited?: boolean;
  /** Take in the rules of agents. Default: when invited. */
  rules?: boolean;
  /** Only tell what there is. */
  dryRun?: boolean;
}

/** What a project says of itself, and what became of it. */
export interface LearnedProject {
  facts: LearnedFacts;
  /** The rule files that were found. */
  rules: RuleFile[];
}

export interface LearnedFacts {
  /** As they are kept now; in a dry run none. Without what a person has forgotten, flagged or replaced. */
  memories: Memory[];
  found: ProjectFact[];
  added: number;
  updated: number;
  unchanged: number;
  /** No longer said by any file. */
  forgotten: number;
  /** Changed by a person, and left alone. */
  left: number;
}

/** A file or a folder with rules for agents, below the root. */
export interface RuleFile {
  file: string;
  /** Absent where they were not taken in. */
  added?: number;
  known?: number;
  /** Why it could not be read. */
  problem?: string;
}
