import type { MemoryContext } from "../../memory/change/change.js";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { mayBeWrittenByAgent } from "../../observer/spool/spool.js";
import { homeFolder } from "../../base/files/files.js";
import { replaceFile } from "../../config/replace-file.js";
import { findProject, isAccepted, type ProjectContext, readProject, writeProject } from "../../project/project.js";
import { hashOf } from "../../memory/record/record.js";
import { applyPlan, type Applied } from "./apply-plan.js";
import { splitPlan } from "./brought-by-git.js";
import { comparePlan, type ReferencedMemories, type Plan } from "./compare-plan.js";
import { type EditsParts, isDoubtful, isLookedAt, noteLookedAt } from "./doubtful-edits.js";
import { ensureNoted } from "./ensure-noted.js";
import { memoryFileName } from "./find-memory-folder.js";
import { memoryFileUnwritable, withFolderLock } from "./folder-lock.js";
import { differs } from "./is-edited.js";
import { isInside } from "./memory-folder-path.js";
import { findFileChanges, isFolderNoted, listReferenced, noteWritten } from "./memory-file-queries.js";
import { readMemoryFile, type ReadFile } from "./read-memory-file.js";
import { renderMemoryFile } from "./render-memory-file.js";
import { listShown, userStore } from "./shown-memories.js";

export interface SyncReport {
  file: string;
  added: number;
  revised: number;
  forgotten: number;
  isWritten: boolean;
  /** What the file says; absent where it was left as it is, whatever that may be. */
  text?: string;
  /** The ids of the memories that are new or say something else. */
  changed: string[];
  /** What a person has to look at. */
  problems: MemoryFileProblem[];
}

export interface MemoryFileProblem {
  file: string;
  line?: number;
  message: string;
  hint: string;
}

// Somebody saves the file just then; whoever does so three times in a row is left to it until the next time.
const maxTries = 3;

// Others wait for the lock meanwhile: about 5 ms a line.
const maxLines = 500;

/**
 * Brings MEMORY.md and the store together: first what a person changed in the file becomes revisions, new memories and
 * forgotten ones, all of which can be undone; then the file is replaced by what the store says, if that is something else.
 * A reader sees the old file or the new one. Where no file is, none was taken away: it is written. A line that cannot be
 * taken in stays as it is, and is a problem until it is mended.
 *
 * Killed at any point, the file still says what it was written from, and doing it again changes nothing twice.
 */
export async function syncMemoryFile(
  context: MemoryContext,
  folder: string,
  parts: EditsParts = {},
): Promise<SyncReport> {
  const file = join(folder, memoryFileName);
  const nothing: SyncReport = { file, added: 0, revised: 0, forgotten: 0, isWritten: false, changed: [], problems: [] };
  const { enabled, maxMemorySize: maxBytes } = await context.settings();
  if (!enabled) return nothing;
  if (stampOf(file) === undefined && isEmpty(await listShown(context))) return nothing;

  const { root } = await context.folder();
  const mayTakeIn = await isOurs(context, folder);
  // A file that somebody else put there does not become ours by being looked at.
  if (mayTakeIn || stampOf(file) === undefined) await ensureNoted(context, folder);
  return withFolderLock(folder, async () => {
    const done = { added: 0, revised: 0, forgotten: 0, changed: [] as string[] };
    for (let tries = 1; ; tries += 1) {
      const lookedAt = new Date();
      const stamp = stampOf(file);
      const bytes = stamp === undefined ? undefined : readFile(file);
      const before = bytes?.toString("utf8");
      const read = readMemoryFile(before ?? "");
      if (read.isConflicted) return { ...nothing, problems: [conflict(file)] };
      const plan = differs(read) ? comparePlan(read, await listReferencedBy(context, read)) : undefined;
      const isChanged = plan !== undefined && isAny(plan);
      if (isChanged && !mayTakeIn) return { ...nothing, problems: [notAccepted(file)] };
      if (isChanged && plan.remember.length > maxLines) {
        return { ...nothing, problems: [tooMany(file, plan.remember.length)] };
      }
      const isNamed = isChanged && mayBeWrittenByAgent(homeFolder(), writtenAt(stamp));
      const isAgents = isNamed || (isChanged && (await isDoubtful(context, folder, parts)));
      const split = isChanged && bytes ? await splitPlan(root, file, bytes, plan) : undefined;
      const hasOthers = split !== undefined && isAny(split.others);
      const byAgents = async (own: Plan) => applyPlan(context, asSaidByOthers(own), { kind: "agent" });
      const applied = split && (await (isAgents ? byAgents(split.own) : applyPlan(context, split.own)));
      if (applied && hasOthers) {
        const by = split.by === undefined ? {} : { by: split.by };
        const pending = await applyPlan(context, asSaidByOthers(split.others), { kind: "git", ...by });
        applied.refused.push(...pending.refused);
      }
      if (applied) {
        done.added += applied.added;
        done.revised += applied.revised;
        done.forgotten += applied.forgotten;
        done.changed.push(...applied.changed);
      }
      const held = applied?.refused.map(({ statement, memory }) => ({ statement, ...(memory && { memory }) })) ?? [];
      const changes = await readFileChanges(context, folder);
      const text = renderMemoryFile(await listShown(context), { maxBytes, held });
      const mayReplace = () => stampOf(file) === stamp;
      const isCurrent =
        mayReplace() && (text === before || (await replaceFile(file, text, { mode: 0o600, mayReplace })));
      // Saved by somebody meanwhile: what they wrote is read first.
      if (!isCurrent && tries < maxTries) continue;
      if (!isCurrent) return { ...nothing, ...done };
      if (isChanged || !(await isLookedAt(context, folder))) await noteLookedAt(context, folder, lookedAt);
      if (changes && changes.changes > changes.written) {
        await writeProject(context, (writer, project) => noteWritten(writer, project, folder, changes.changes));
      }
      const problems = applied ? problemsOf(file, text, applied) : [];
      if (applied && isAgents) problems.push(byAgent(file, isNamed ? named : unnamed));
      if (hasOthers) problems.push(byGit(file, split.by));
      return { file, ...done, isWritten: text !== before, text, problems };
    }
  });
}

/** How far the file in a folder tells what has changed. */
export async function readFileChanges(
  context: ProjectContext,
  folder: string,
): Promise<{ changes: number; written: number } | undefined> {
  return readProject(context, undefined, (reader, project) => findFileChanges(reader, project, folder));
}

/** The file as it would be written now; for a prompt. */
export async function renderMemory(context: ProjectContext): Promise<string> {
  const { maxMemorySize } = await context.settings();
  return renderMemoryFile(await listShown(context), { maxBytes: maxMemorySize });
}

/** What the lines of a file may be about. */
export async function listReferencedBy(
  context: ProjectContext,
  { statements, written }: ReadFile,
): Promise<ReferencedMemories> {
  const shown = written ? { project: [], everywhere: [] } : await listShown(context);
  const meant = async (of: ProjectContext, isEverywhere: boolean) => {
    const shortIds = (written ?? []).filter((line) => line.isEverywhere === isEverywhere).map((line) => line.shortId);
    const contentHashes = statements.map(({ text }) => hashOf(text));
    return readProject(of, [], async (reader, project) =>
      listReferenced(reader, project, { shortIds, contentHashes }, of.now()),
    );
  };
  return {
    project: [...(await meant(context, false)), ...shown.project],
    everywhere: [...(await meant(userStore(context), true)), ...shown.everywhere],
  };
}

/** A clone, or an archive that was unpacked, may bring a MEMORY.md of anybody's; in a work tree it counts when the user accepts it. */
async function isOurs(context: ProjectContext, folder: string): Promise<boolean> {
  const tree = await context.folder();
  if (!isInside(folder, tree.root)) return true;
  return context.store.read(async (reader) => {
    const { project } = await findProject(reader, context.project);
    if (!project) return false;
    if (await isAccepted(reader, project, tree)) return true;
    // What others may send here is theirs; without a remote it is ours where we wrote the first of it.
    return tree.remoteKey === undefined && (await isFolderNoted(reader, project, folder));
  });
}

function isAny({ revise, forget, remember }: Plan): boolean {
  return revise.length + forget.length + remember.length > 0;
}

/** What somebody else wrote is kept beside what is known: it changes and forgets nothing. */
function asSaidByOthers({ revise, remember, written }: Plan): Plan {
  return { revise: [], forget: [], remember: [...remember, ...revise.map(({ statement }) => statement)], written };
}

function isEmpty({ project, everywhere }: ReferencedMemories): boolean {
  return project.length + everywhere.length === 0;
}

/** In milliseconds. */
function writtenAt(stamp: string | undefined): number {
  return Number(BigInt(stamp?.split(" ")[0] ?? 0) / 1_000_000n);
}

function stampOf(file: string): string | undefined {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.mtimeNs} ${found.size} ${found.ino}`;
  } catch (error) {
    // Below a file, or in a folder that may not be entered.
    throw memoryFileUnwritable(file, error);
  }
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw memoryFileUnwritable(file, error);
  }
}

/** Where each line that was refused stands now. */
function problemsOf(file: string, text: string, { refused }: Applied): MemoryFileProblem[] {
  const { statements } = readMemoryFile(text);
  return refused.map(({ statement, error: { message, hint } }) => {
    const line = statements.find((one) => one.text === statement.text)?.line;
    return { file, ...(line !== undefined && { line }), message, hint };
  });
}

const named = "An agent has written to it.";
const unnamed = "It was edited while an agent worked that had read untrusted sources, and nobody can tell who did it.";

function byAgent(file: string, who: string): MemoryFileProblem {
  return {
    file,
    message: `${who} What was added is kept unverified, and what was changed or taken away is back.`,
    hint: "Look at it with: tacit review --unverified",
  };
}

function byGit(file: string, by: string | undefined): MemoryFileProblem {
  return {
    file,
    message: `${by === undefined ? "It has changed, and git did not say by whom" : `A commit by ${by} changed it`}. What that added is pending your review, and what it changed or took away is back.`,
    hint: "Look at it with: tacit review",
  };
}

function conflict(file: string): MemoryFileProblem {
  return {
    file,
    message: "It holds the marks of a merge that was not finished, and is left as it is.",
    hint: "Finish the merge; nothing was taken in.",
  };
}

function tooMany(file: string, lines: number): MemoryFileProblem {
  return {
    file,
    message: `It has ${lines} lines that no memory says, more than are taken in by the way, and is left as it is.`,
    hint: "tacit import FILE takes them all.",
  };
}

function notAccepted(file: string): MemoryFileProblem {
  return {
    file,
    message: "It lies in a clone that nobody has accepted, and says what the store does not: it is left as it is.",
    hint: "Look at what is there; tacit project accept approves it.",
  };
}
