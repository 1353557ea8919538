import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import type { AgentId } from "./agents/agent.js";
import { readConfigFile, replaceConfigFile } from "./config-file.js";
import type { Edit } from "./text-edit.js";

/** What was done to one file, in the order in which it was done. Of what the file says it holds what was put in or taken out. */
export interface JournalEntry {
  agent: AgentId;
  /** Which of the agent's files; the path may have moved since. */
  target: string;
  file: string;
  /** True where there was no such file before. */
  isMade: boolean;
  /** The folders that were made for it, outermost first. */
  folders: string[];
  steps: Step[];
}

/** One change: from a text with the one hash to a text with the other. It is noted before it is made, so it may never have been. */
export interface Step {
  /** Null where there was no file. */
  before: string | null;
  after: string;
  edits: Edit[];
  /** The keys that lead to each part that was put in anew. */
  put: string[][];
  /** The objects and lists that were made for them. */
  made: string[][];
  /** What stood in the place of a part and was not ours, as it was written. */
  replaced: { at: string[]; text: string }[];
}

const version = 1;

/** What `tacit install` has done to files, as noted in Tacit's folder; nothing where there is no note. */
export function readJournal(tacitHome: string): JournalEntry[] {
  const file = fileOf(tacitHome);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw damaged(file, error);
  }
  try {
    const { version: found, entries } = JSON.parse(text) as { version: number; entries: JournalEntry[] };
    if (found !== version || !Array.isArray(entries)) throw new Error("another version");
    return entries;
  } catch (error) {
    throw damaged(file, error);
  }
}

/** Changes the journal by what a function makes of it. An empty one is removed. */
export function changeJournal(tacitHome: string, change: (entries: JournalEntry[]) => JournalEntry[]): void {
  const file = fileOf(tacitHome);
  // Somebody else may be writing too; whoever comes second begins anew.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = readConfigFile(file);
    const entries = change(readJournal(tacitHome));
    if (entries.length === 0) return rmSync(file, { force: true });
    const after = `${JSON.stringify({ version, entries }, null, 1)}\n`;
    if (before === after || replaceConfigFile(file, before, after)) return;
  }
  throw new MemoryError("config-unwritable", `${file} is being written by somebody else.`, "Run the same again.");
}

function fileOf(tacitHome: string): string {
  return join(tacitHome, "installed.json");
}

function damaged(file: string, cause: unknown): MemoryError {
  return new MemoryError(
    "config-invalid",
    `${file} cannot be read, so that it is not known what was put into the files of agents.`,
    "Move it away: what is recognisably Tacit's can then still be taken out.",
    cause,
  );
}
