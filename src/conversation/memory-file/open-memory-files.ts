import type { ChangeSubscriber, MemoryContext } from "../../memory/change/change.js";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import { followFileChanges } from "./follow-file-changes.js";
import type { EditsParts } from "./doubtful-edits.js";
import type { MemoryFolderHome } from "./find-memory-folder.js";
import type { PurgedFolder } from "./find-purged.js";
import type { MemoryFile } from "../conversation.js";
import type { PurgeTarget } from "../../memory/retention/retention.js";

/** MEMORY.md and HISTORY.md of a project. */
export interface MemoryFiles {
  /** Takes in what a person changed in the files, before somebody asks; a look, most of the time. */
  importEdits: () => Promise<void>;
  /** Takes in what a person changed, and writes what is not in the files yet. Makes them where there are none. */
  sync: () => Promise<void>;
  /** Looks at a file after a session has ended, so that what a person writes into it afterwards is not taken for the session's. */
  lookAgain: () => Promise<void>;
  /** The same as `sync` where there are files that do not tell all that has changed, in this process or in one that was killed. */
  catchUp: () => Promise<void>;
  /** Follows changes: files that are there are written anew once it is quiet. */
  subscriber: ChangeSubscriber;
  memoryFile: () => Promise<MemoryFile>;
  /** Where the files are, or would be. Undefined for a store in memory, and a project that nothing was said in. */
  folder: () => Promise<string | undefined>;
  /**
   * Purges, and takes what was purged out of the files too. What a person changed in them is taken in before: a line of what
   * is purged goes, however it was edited.
   */
  purging: <T>(target: PurgeTarget, purge: (target: PurgeTarget, also: string[]) => Promise<T>) => Promise<T>;
  /** What a person should look at. */
  problems: () => string[];
}

export interface MemoryFilesParts extends EditsParts {
  context: MemoryContext;
  place: MemoryFolderHome;
}

const finding = () => import("./find-memory-folder.js");

/** Loads next to nothing before there are files, or somebody wants some. */
export function openMemoryFiles({ context, place, wasAnyTaintedSince }: MemoryFilesParts): MemoryFiles {
  let found: { setting: string | null; folder: string } | undefined;
  let problems: string[] = [];

  const folder = async (): Promise<string | undefined> => {
    if (context.store.location.kind === "memory") return undefined;
    const { memoryFolder } = await context.settings("user");
    if (found && found.setting === memoryFolder) return found.folder;
    const now = await (await finding()).findMemoryFolder(context, place, memoryFolder);
    found = now === undefined ? undefined : { setting: memoryFolder, folder: now };
    return now;
  };
  const isFile = (): boolean => context.store.location.kind !== "memory" && context.store.exists;
  /** Whether there may be files at all, without loading anything. */
  const mayBeThere = async (): Promise<boolean> => {
    if (!isFile() || existsSync(join(place.home, "layers"))) return isFile();
    // Settings that cannot be read name no place, and keep nobody from reading.
    return (await context.settings("user").catch(() => ({ memoryFolder: null }))).memoryFolder !== null;
  };
  const hasMemoryFile = async (where: string): Promise<boolean> =>
    existsSync(join(where, (await finding()).memoryFileName));
  const syncFile = async (where: string) => {
    const { syncMemoryFile } = await import("./sync-memory-file.js");
    const report = await syncMemoryFile(context, where, wasAnyTaintedSince && { wasAnyTaintedSince });
    problems = report.problems.map(
      ({ file, line, message, hint }) => `${file}${line === undefined ? "" : `:${line}`}: ${message} ${hint}`,
    );
    return report;
  };
  /** All of them, whatever is wrong with one. */
  const clean = async (folders: readonly PurgedFolder[]): Promise<void> => {
    const purging = await import("./purge-from-files.js");
    const done = await Promise.allSettled(
      folders.map(({ folder: one, purged }) => purging.purgeFromFiles(context, one, purged)),
    );
    const failed = done.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  };
  const syncAll = async (): Promise<void> => {
    const where = await folder();
    if (where === undefined) return;
    await syncFile(where);
    await (await import("./write-history.js")).writeHistory(context, where);
  };

  return {
    folder,
    sync: syncAll,
    problems: () => problems,
    importEdits: async () => {
      if (!(await mayBeThere())) return;
      const where = await folder().catch(ignoreMemoryError);
      if (where === undefined || !(await hasMemoryFile(where))) return;
      const { isEdited } = await import("./is-edited.js");
      // Whoever asks gets an answer, whatever is wrong with a file.
      if (isEdited(join(where, (await finding()).memoryFileName))) await syncFile(where).catch(ignoreMemoryError);
    },
    lookAgain: async () => {
      const where = (await mayBeThere()) ? await folder().catch(ignoreMemoryError) : undefined;
      if (where === undefined || !(await hasMemoryFile(where))) return;
      const { isLookedAt } = await import("./doubtful-edits.js");
      if (!(await isLookedAt(context, where))) await syncFile(where).catch(ignoreMemoryError);
    },
    ...followFileChanges(context, { mayBeThere, folder, sync: syncAll }),
    purging: async (target, purge) => {
      // What is no target at all is refused by purge itself.
      const { all, project } = Object(target) as { all?: unknown; project?: unknown };
      const isOne = typeof target === "string" && target !== "";
      if (!context.store.exists || !(isOne || all === true || project === true)) return purge(target, []);
      const { findId, findPurged } = await import("./find-purged.js");
      const where = isOne ? await folder().catch(ignoreMemoryError) : undefined;
      const isThere = where !== undefined && (await hasMemoryFile(where));
      // By its id from here on: where its line was taken away, its name is free.
      const meant = isOne ? ((await findId(context, target)) ?? target) : target;
      if (isThere) await syncFile(where).catch(ignoreMemoryError);
      const { also, folders } = await findPurged(context, meant);
      const result = await purge(meant, also);
      await clean(folders);
      if (isThere) await syncFile(where).catch(ignoreMemoryError);
      return result;
    },
    memoryFile: async () => {
      const where = await folder();
      const texts = await import("./memory-file-text.js");
      if (where === undefined)
        return { ...(await texts.readForPrompt(context)), added: 0, revised: 0, forgotten: 0, problems: [] };
      const report = await syncFile(where);
      await (await import("./write-history.js")).writeHistory(context, where);
      const { added, revised, forgotten, file } = report;
      return {
        folder: where,
        file,
        ...(await texts.readForPrompt(context, report)),
        added,
        revised,
        forgotten,
        problems,
      };
    },
  };
}

function ignoreMemoryError(error: unknown): undefined {
  if (!(error instanceof MemoryError)) throw error;
  return undefined;
}
