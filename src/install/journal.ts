import { rmSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import { syncFolder } from "../base/files/files.js";
import type { AgentId } from "./agents/agent.js";
import { readConfigFile, replaceConfigFile, sweepUnfinished } from "./config-files/config-file.js";
import type { Held } from "./config-files/config-part.js";
import type { Edit } from "./config-files/text-edit.js";
import { underLock } from "./config-files/under-lock.js";

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
  /** True where nothing of ours was in the file before, so that what was done to it earlier no longer matters. */
  isFresh: boolean;
  edits: Edit[];
  /** The keys that lead to each part that was put in anew. */
  put: string[][];
  /** The objects and lists that were made for them; the document itself has no keys. */
  made: string[][];
  /** The objects and lists that had nothing but this in them. */
  blanks: Held[];
  /** What stood in the place of a part and was not ours, as it was written. */
  replaced: Held[];
}

const version = 1;

/** What `tacit install` has done to files, as noted in Tacit's folder; nothing where there is no note. */
export function readJournal(tacitHome: string): JournalEntry[] {
  const file = fileOf(tacitHome);
  try {
    const text = readConfigFile(file);
    if (text === undefined) return [];
    const journal = JSON.parse(text) as unknown;
    if (!isJournal(journal)) throw new Error("not as it was written");
    return journal.entries;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return [];
    throw damaged(file, error);
  }
}

/** Changes the journal by what a function makes of it, one process after the other. An empty one is removed. */
export function changeJournal(tacitHome: string, change: (entries: JournalEntry[]) => JournalEntry[]): void {
  const file = fileOf(tacitHome);
  underLock(file, () => {
    sweepUnfinished(file);
    const before = readConfigFile(file);
    const entries = change(readJournal(tacitHome));
    if (entries.length === 0) {
      rmSync(file, { force: true });
      return syncFolder(dirname(file));
    }
    const after = `${JSON.stringify({ version, entries }, null, 1)}\n`;
    if (before === after || replaceConfigFile(file, before, after)) return;
    throw new MemoryError("config-unwritable", `${file} is being written by somebody else.`, "Run the same again.");
  });
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

// What is read here decides which files are written and removed, so nothing of it is taken on trust.
type Shape = (value: unknown) => boolean;

const text: Shape = (value) => typeof value === "string";
const yesOrNo: Shape = (value) => typeof value === "boolean";
const listOf =
  (item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(item);
const objectOf =
  (shapes: Record<string, Shape>): Shape =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(shapes).every(([key, shape]) => shape((value as Record<string, unknown>)[key]));

const held = objectOf({ at: listOf(text), text });
const step = objectOf({
  before: (value) => value === null || text(value),
  after: text,
  isFresh: yesOrNo,
  edits: listOf(
    objectOf({ offset: (value) => Number.isSafeInteger(value) && Number(value) >= 0, removed: text, inserted: text }),
  ),
  put: listOf(listOf(text)),
  made: listOf(listOf(text)),
  blanks: listOf(held),
  replaced: listOf(held),
});
const journalShape = objectOf({
  version: (value) => value === version,
  entries: listOf(
    objectOf({
      agent: text,
      target: text,
      file: (value) => text(value) && isAbsolute(String(value)),
      isMade: yesOrNo,
      folders: listOf(text),
      steps: (value) => listOf(step)(value) && (value as unknown[]).length > 0,
    }),
  ),
});

function isJournal(value: unknown): value is { entries: JournalEntry[] } {
  return journalShape(value);
}
