import { findMemoryOrForgotten } from "../../memory/read/read.js";
import { type Project, type ProjectContext, readProject, userProject } from "../../project/project.js";
import type { PurgeTarget } from "../../memory/retention/retention.js";
import type { Reader } from "../../storage/storage.js";
import { listArchivesAbout, type NamedArchive } from "../archive/archive-queries.js";
import { listPartsBeside } from "../turns/list-parts.js";
import { entryTime } from "./history-entries.js";
import { listFolders } from "./memory-file-queries.js";
import type { PurgedFromFiles } from "./purge-from-files.js";
import { listArchiveKeys, listSaid, listTakenFrom } from "./purge-queries.js";

/** What a purge takes along, and what is to be taken out of which files. */
export interface Purged {
  /** Ids of the archives that sum a turn up, and of what was taken from it alone. */
  also: string[];
  folders: PurgedFolder[];
}

export interface PurgedFolder {
  folder: string;
  purged: PurgedFromFiles;
}

/** To be asked before the purge: afterwards nobody knows. */
export async function findPurged(context: ProjectContext, target: PurgeTarget): Promise<Purged> {
  if (typeof target === "object" && "all" in target) {
    const folders = new Set((await context.store.read(listFolders)).map(({ folder }) => folder));
    return { also: [], folders: [...folders].map((folder) => ({ folder, purged: "all" })) };
  }
  return readProject<Purged>(context, { also: [], folders: [] }, async (reader, project) => {
    if (typeof target === "object") {
      const archives = async () => listArchivesAbout(reader, await listArchiveKeys(reader, project));
      return { also: [], folders: await listPurgedFolders(reader, project, { archives }) };
    }
    const found = await findMemoryOrForgotten(reader, project, target, context.now());
    if (!found) return { also: [], folders: [] };
    // A turn that is kept in several memories goes as a whole.
    const parts = await listPartsBeside(reader, found);
    const own = [found.key, ...parts.map(({ key }) => key)];
    const taken = await listTakenFrom(reader, own);
    const archives = await listArchivesAbout(reader, own);
    const keys = [...own, ...taken.map(({ key }) => key)];
    return {
      also: [...parts, ...archives, ...taken].map(({ id }) => id).filter((id) => id !== found.record.id),
      folders: await listPurgedFolders(reader, project, { keys, archives: async () => archives }),
    };
  });
}

/** The id of the memory that a reference means, forgotten or not; undefined where it means none. */
export async function findId(context: ProjectContext, reference: string): Promise<string | undefined> {
  return readProject(context, undefined, async (reader, project) => {
    const found = await findMemoryOrForgotten(reader, project, reference, context.now());
    return found?.record.id;
  });
}

/** Without keys everything of the project goes, and with it every file that is about nothing else. */
async function listPurgedFolders(
  reader: Reader,
  project: Project,
  { keys, archives }: { keys?: number[]; archives: () => Promise<NamedArchive[]> },
): Promise<PurgedFolder[]> {
  const all = await listFolders(reader);
  const own = new Set(all.filter((one) => one.project === project.number).map(({ folder }) => folder));
  const others = new Set(all.filter((one) => one.project !== project.number).map(({ folder }) => folder));
  const whole = keys ? [] : [...own].filter((folder) => !others.has(folder));
  const parts = [...own].filter((folder) => !whole.includes(folder));
  // What is true everywhere stands in the files of every project.
  const elsewhere = project.id === userProject ? [...others].filter((folder) => !own.has(folder)) : [];
  const folders = whole.map((folder): PurgedFolder => ({ folder, purged: "all" }));
  if (parts.length + elsewhere.length === 0) return folders;

  const said = await listSaid(reader, project, keys);
  const entries = (await archives()).flatMap(({ names, archivedAt, createdAt }) =>
    names.map((name) => ({ name, at: entryTime(archivedAt, createdAt) })),
  );
  const cuts = (isEverywhere: boolean) => ({
    memories: said.map((memory) => ({ ...memory, isEverywhere })),
    archives: isEverywhere ? [] : entries,
  });
  return [
    ...folders,
    ...parts.map((folder) => ({ folder, purged: cuts(false) })),
    ...elsewhere.map((folder) => ({ folder, purged: cuts(true) })),
  ];
}
