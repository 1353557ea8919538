/**
 * project-files: what the files of a project say of it: how it is tested and built, what it needs, what it calls itself. Read by rules and
 * worded by templates, without a model. They are data that anybody may have written who wrote the clone.
 *
 * It refuses to let a clone speak for its user: what others worded answers whoever asks, and is told to nobody unasked
 * before a person has said yes; and nothing comes in with an id, a pin or a history of its own.
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
  /** Take in the rules of agents that are new. Default: when invited. Those that were taken in go with their files anyway. */
  rules?: boolean;
  /** A person has looked at the rules, and wants agents to be told them. Default false. */
  trustRules?: boolean;
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

/** A file or a folder with rules for agents, below the root, and what became of them. */
export interface RuleFile {
  file: string;
  /** How many rules it holds, at most 200. */
  found: number;
  /** How many it holds beyond those at least, which are not taken in. */
  more: number;
  /** Not taken in. */
  fresh: number;
  /** Taken in, and told to nobody unasked before a person has looked at them or the folder is accepted. */
  silent: number;
  /** What those two say, one by one. */
  examples: string[];
  /** Absent, as the next two, in a dry run. */
  added?: number;
  known?: number;
  /** No longer in it. */
  forgotten?: number;
  /** Why it, or a file in it, was not read. */
  problem?: string;
}
