import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../config/replace-file.js";
import { readProject, type ProjectStore } from "../../memory/project-store.js";
import { findProject, isAccepted } from "../../memory/projects.js";
import { hashOf } from "../../memory/prepare-memory.js";
import { applyPlan, type Applied } from "./apply-plan.js";
import { comparePlan, type MeantMemories } from "./compare-plan.js";
import { ensureNoted } from "./ensure-noted.js";
import { memoryFileName } from "./find-layer-folder.js";
import { layerUnwritable, withFolderLock } from "./folder-lock.js";
import { differs } from "./is-edited.js";
import { isInside } from "./layer-place.js";
import { listMeant } from "./layer-queries.js";
import { readMemoryFile, type ReadFile } from "./read-memory-file.js";
import { renderMemoryFile } from "./render-memory-file.js";
import { listShown, userStore } from "./shown-memories.js";

export { memoryFileName };

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
  problems: LayerProblem[];
}

export interface LayerProblem {
  file: string;
  line?: number;
  message: string;
  hint: string;
}

// Somebody saves the file just then; whoever does so three times in a row is left to it until the next time.
const mostTries = 3;

// Others wait for the lock meanwhile: about 5 ms a line.
const mostLines = 500;

/**
 * Brings MEMORY.md and the store together: first what a person changed in the file becomes revisions, new memories and
 * forgotten ones, all of which can be undone; then the file is replaced by what the store says, if that is something else.
 * A reader sees the old file or the new one. Where no file is, none was taken away: it is written. A line that cannot be
 * taken in stays as it is, and is a problem until it is mended.
 *
 * Killed at any point, the file still says what it was written from, and doing it again changes nothing twice.
 */
export async function syncMemoryFile(from: ProjectStore, folder: string): Promise<SyncReport> {
  const file = join(folder, memoryFileName);
  const nothing: SyncReport = { file, added: 0, revised: 0, forgotten: 0, isWritten: false, changed: [], problems: [] };
  const { enabled, maxMemorySize: maxBytes } = await from.settings();
  if (!enabled) return nothing;
  if (stampOf(file) === undefined && isEmpty(await listShown(from))) return nothing;

  const mayTakeIn = await isOurs(from, folder);
  await ensureNoted(from, folder);
  return withFolderLock(folder, async () => {
    const done = { added: 0, revised: 0, forgotten: 0, changed: [] as string[] };
    for (let tries = 1; ; tries += 1) {
      const stamp = stampOf(file);
      const before = stamp === undefined ? undefined : readFile(file);
      const read = readMemoryFile(before ?? "");
      if (read.isConflicted) return { ...nothing, problems: [conflict(file)] };
      const plan = differs(read) ? comparePlan(read, await listMeantBy(from, read)) : undefined;
      const isChanged = plan !== undefined && plan.revise.length + plan.forget.length + plan.remember.length > 0;
      if (isChanged && !mayTakeIn) return { ...nothing, problems: [notAccepted(file)] };
      if (isChanged && plan.remember.length > mostLines) {
        return { ...nothing, problems: [tooMany(file, plan.remember.length)] };
      }
      const applied = isChanged ? await applyPlan(from, plan) : undefined;
      if (applied) {
        done.added += applied.added;
        done.revised += applied.revised;
        done.forgotten += applied.forgotten;
        done.changed.push(...applied.changed);
      }
      const held = applied?.refused.map(({ statement, memory }) => ({ statement, ...(memory && { memory }) })) ?? [];
      const text = renderMemoryFile(await listShown(from), { maxBytes, held });
      const mayReplace = () => stampOf(file) === stamp;
      const isCurrent =
        mayReplace() && (text === before || (await replaceFile(file, text, { mode: 0o600, mayReplace })));
      // Saved by somebody meanwhile: what they wrote is read first.
      if (!isCurrent && tries < mostTries) continue;
      if (!isCurrent) return { ...nothing, ...done };
      const problems = applied ? problemsOf(file, text, applied) : [];
      return { file, ...done, isWritten: text !== before, text, problems };
    }
  });
}

/** The file as it would be written now; for a prompt. */
export async function renderMemory(from: ProjectStore): Promise<string> {
  const { maxMemorySize } = await from.settings();
  return renderMemoryFile(await listShown(from), { maxBytes: maxMemorySize });
}

/** What the lines of a file may be about. */
export async function listMeantBy(from: ProjectStore, { statements, written }: ReadFile): Promise<MeantMemories> {
  const shown = written ? { project: [], everywhere: [] } : await listShown(from);
  const meant = async (of: ProjectStore, isEverywhere: boolean) => {
    const shortIds = (written ?? []).filter((line) => line.isEverywhere === isEverywhere).map((line) => line.shortId);
    const contentHashes = statements.map(({ text }) => hashOf(text));
    return readProject(of, [], async (reader, project) =>
      listMeant(reader, project, { shortIds, contentHashes }, of.now()),
    );
  };
  return {
    project: [...(await meant(from, false)), ...shown.project],
    everywhere: [...(await meant(userStore(from), true)), ...shown.everywhere],
  };
}

/** A clone may bring a MEMORY.md of anybody's; what it says counts when the user has accepted the folder. */
async function isOurs(from: ProjectStore, folder: string): Promise<boolean> {
  const tree = await from.folder();
  // What has no remote was made here.
  if (tree.remoteKey === undefined || !isInside(folder, tree.root)) return true;
  return from.store.read(async (reader) => {
    const { project } = await findProject(reader, from.project);
    return project !== undefined && (await isAccepted(reader, project, tree));
  });
}

function isEmpty({ project, everywhere }: MeantMemories): boolean {
  return project.length + everywhere.length === 0;
}

function stampOf(file: string): string | undefined {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.mtimeNs} ${found.size} ${found.ino}`;
  } catch (error) {
    // Below a file, or in a folder that may not be entered.
    throw layerUnwritable(file, error);
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw layerUnwritable(file, error);
  }
}

/** Where each line that was refused stands now. */
function problemsOf(file: string, text: string, { refused }: Applied): LayerProblem[] {
  const { statements } = readMemoryFile(text);
  return refused.map(({ statement, error: { message, hint } }) => {
    const line = statements.find((one) => one.text === statement.text)?.line;
    return { file, ...(line !== undefined && { line }), message, hint };
  });
}

function conflict(file: string): LayerProblem {
  return {
    file,
    message: "It holds the marks of a merge that was not finished, and is left as it is.",
    hint: "Finish the merge; nothing was taken in.",
  };
}

function tooMany(file: string, lines: number): LayerProblem {
  return {
    file,
    message: `It has ${lines} lines that no memory says, more than are taken in by the way, and is left as it is.`,
    hint: "tacit import FILE takes them all.",
  };
}

function notAccepted(file: string): LayerProblem {
  return {
    file,
    message: "It lies in a clone that nobody has accepted, and says what the store does not: it is left as it is.",
    hint: "Look at what is there; tacit project accept lets it speak.",
  };
}
