/**
 * exchange: memories in and out: JSON Lines, Markdown, rule files of agents, and the files that a project shares in git.
 *
 * It reads and writes formats, and says what was done. It refuses to decide what is true: what arrives is cleaned and
 * kept by the rules of the memory room, and what lies in a work tree stays silent until the user accepts the project.
 */
import type { Memory, MemoryFilter } from "../memory/memory.js";

export type ExportFormat = "jsonl" | "md" | "claude-md";

export interface ExportOptions extends MemoryFilter {
  format: ExportFormat;
  /** A file; for `md` a folder. Or something to write to. */
  output: string | NodeJS.WritableStream;
  /** Also over a file, or into a folder, that Tacit did not write. */
  force?: boolean;
}

export interface ExportReport {
  format: ExportFormat | "archive";
  /** Absent when it was written to a stream. */
  output?: string;
  memories: number;
  /** How many places of patterns and decisions were stated apart from any memory, and are not in it; absent: none. */
  statedPlaces?: number;
}

export interface ImportOptions {
  /** Take names from the memories that hold them. */
  rebind?: boolean;
  /** Only tell what would happen. */
  dryRun?: boolean;
  /**
   * Believe what the file says of itself: that somebody verified a memory, pinned it, or that the user taught it. For a file that you
   * exported yourself. Not for agents. Default false.
   */
  trust?: boolean;
  onProgress?(done: number, phase: "reading" | "writing"): void;
}

export interface ImportReport {
  /** What was read: `jsonl`, `markdown`, `rules`, `memory-json`; several for a folder. */
  kinds: string[];
  files: number;
  added: number;
  /** The same memory, newer here than it was. */
  updated: number;
  /** Known already under another id. */
  merged: number;
  unchanged: number;
  /** The ids of memories that lost a name to an arriving one. */
  takenFrom: string[];
  /** Of how many something was taken out, such as a secret. */
  redacted: number;
  /** How many said of themselves that they are verified, pinned or taught by the user, and were not believed. Absent when there are none. */
  claimed?: number;
  /** Conversations whose session holds turns of another one here, and to which session they went. Absent when there are none. */
  renamedSessions?: { from: string; to: string }[];
  /** Forgotten because there are more than `maxEntries` now; restorable for 30 days. Absent when there are none. */
  evicted?: Memory[];
}

/** What somebody has to look at before a file and a memory agree. */
export interface ShareProblem {
  /** Below the project's root. */
  file: string;
  line?: number;
  message: string;
  hint: string;
}

export interface ShareOptions {
  /** First make these visible to the project. */
  references?: string[];
  /** Where a file and its memory both changed: which of them wins. Reported, and neither changed, when absent. */
  prefer?: "files" | "store";
  /** Where a file is gone though no commit removes it: forget its memory, or write the file again. Reported when absent. */
  missing?: "forget" | "restore";
  /**
   * Addresses of authors, as git has them, whose shared memories need no review from now on once the remote's default branch
   * has them. Not for agents.
   */
  trust?: string[];
  /** Authors whose shared memories need one again. */
  distrust?: string[];
  /** Only tell what would happen. */
  dryRun?: boolean;
}

export interface ShareReport {
  folder: string;
  /** Files that were written, and files that were taken away, below the folder. */
  written: string[];
  removed: string[];
  /** Files that were empty, zeroed or cut short, as after a power cut, and were written again from the store. */
  repaired: string[];
  /** Files that say what the store says. */
  unchanged: number;
  /** Files that keep what a person has rejected; their memories say something else, or there are none. */
  rejected: string[];
  /** What the files had that the store did not. */
  read: SharedChanges;
  /** Memories that are meant to be shared and hold something that the scanner found; they stay here. */
  withheld: Memory[];
  /** Files that are gone though no commit removes them, and the ids of their memories, which were kept. */
  missing: { file: string; id: string }[];
  /** Files that say something new and were shared by others: `review` shows them, and nothing changed by them yet. */
  waiting: SharedWaiting[];
  problems: ShareProblem[];
}

/** A file that waits for a person. */
export interface SharedWaiting {
  file: string;
  /** Whom git names, such as `Ann <ann@acme.org>`; absent where no commit has it. */
  sharedBy?: string;
  reason: string;
}

/** Files whose memories were added, changed, or forgotten because the file is gone. */
export interface SharedChanges {
  added: string[];
  updated: string[];
  forgotten: string[];
}
