// What can be done with MEMORY.md and HISTORY.md. Loaded when there are such files, or somebody wants some.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { listArchivesAbout } from "./conversation/archive/archive-queries.js";
import { listArchivedTurns } from "./conversation/archive/replay.js";
import { rawFallback } from "./conversation/consolidation/raw-fallback.js";
import { layerFolder } from "./conversation/layer/layer-place.js";
import { noteHistory } from "./conversation/layer/note-history.js";
import type { PurgedFromLayer } from "./conversation/layer/purge-from-layer.js";
import { renderMemoryFile } from "./conversation/layer/render-memory-file.js";
import { listShown } from "./conversation/layer/shown-memories.js";
import { renderMemory } from "./conversation/layer/sync-memory-file.js";
import { withoutComments } from "./conversation/layer/without-comments.js";
import type { MemoryFile } from "./conversing-types.js";
import type { LayerHome } from "./layer.js";
import { findMemoryOrForgotten } from "./memory/get-memory.js";
import { lookUp } from "./memory/look-up.js";
import type { Memory } from "./memory/memory.js";
import { readProject, type ProjectStore } from "./memory/project-store.js";
import { listProjects } from "./memory/projects.js";
import type { PurgeTarget } from "./memory/purge.js";

export { isEdited } from "./conversation/layer/is-edited.js";
export { prepareMemoryUpdate } from "./conversation/layer/prepare-memory-update.js";
export { purgeFromLayer } from "./conversation/layer/purge-from-layer.js";
export { memoryFileName, syncMemoryFile } from "./conversation/layer/sync-memory-file.js";

/** What a purge takes along: the archives that quote a turn, and what the files say of them. */
export interface Purged {
  /** Ids of archives that go with it. */
  also: string[];
  /** Where there may be files to be cleaned. */
  folders: string[];
  entries: PurgedFromLayer;
}

/** To be asked before the purge: afterwards nobody knows. */
export async function findPurged(
  from: ProjectStore,
  place: LayerHome,
  memoryFolder: string | null,
  target: PurgeTarget,
): Promise<Purged> {
  if (from.store.location.kind === "memory") return { also: [], folders: [], entries: {} };
  if (typeof target === "object" && "all" in target) {
    const projects = await from.store.read(listProjects);
    const hints = projects.map(({ id }) => ({ ...from, project: { id } }));
    const folders = await Promise.all(hints.map((one) => findLayerFolder(one, place, memoryFolder)));
    return { also: [], folders: folders.filter((folder) => folder !== undefined), entries: "all" };
  }
  const folder = await findLayerFolder(from, place, memoryFolder);
  const folders = folder === undefined ? [] : [folder];
  if (typeof target === "object") return { also: [], folders, entries: "all" };
  const nothing: Purged = { also: [], folders, entries: {} };
  return readProject(from, nothing, async (reader, project): Promise<Purged> => {
    const found = await findMemoryOrForgotten(reader, project, target, from.now());
    const archives = found ? await listArchivesAbout(reader, found.key) : [];
    return {
      also: archives.filter(({ id }) => id !== found?.record.id).map(({ id }) => id),
      folders,
      entries: { names: archives.flatMap(({ names }) => names) },
    };
  });
}

/** Where a project's files are; undefined for one that nothing was written to. */
export async function findLayerFolder(
  from: ProjectStore,
  { home, root }: LayerHome,
  memoryFolder: string | null,
): Promise<string | undefined> {
  const { location } = from.store;
  const db = location.kind === "file" ? location.path : location.kind === "remote" ? location.url : ":memory:";
  const isOwn = db === join(home, "memory.db");
  return readProject(from, undefined, async (_reader, { id }) =>
    layerFolder({ home, root, memoryFolder, projectId: id, ...(!isOwn && { db }) }),
  );
}

// A model that is to shorten what is known must see more of it than fits.
const timesTheSize = 4;

/** Everything that MEMORY.md could say, for a model that is to say it shorter where that is too much. */
export async function renderWhole(from: ProjectStore): Promise<string> {
  const { maxMemorySize } = await from.settings();
  return renderMemoryFile(await listShown(from), { maxBytes: timesTheSize * maxMemorySize });
}

/** Whether a text of it is longer than the file may be. */
export async function isOver(from: ProjectStore, text: string): Promise<boolean> {
  return Buffer.byteLength(withoutComments(text)) > (await from.settings()).maxMemorySize;
}

/** Writes every archive that is not in the HISTORY files yet. */
export async function noteArchives(from: ProjectStore, folder: string): Promise<void> {
  await noteHistory(from, folder, {
    raw: async ({ id, data }) => rawFallback(await listArchivedTurns(from, id), String(data?.["problem"] ?? "")),
  });
}

/** What MEMORY.md says, for a prompt. */
export async function readTold(from: ProjectStore, file?: string): Promise<Pick<MemoryFile, "text" | "bytes">> {
  const written = file === undefined ? undefined : await readFile(file, "utf8").catch(() => undefined);
  const whole = written ?? (await renderMemory(from));
  return { text: withoutComments(whole), bytes: Buffer.byteLength(whole) };
}

export async function listMemoriesByIds(from: ProjectStore, ids: readonly string[]): Promise<Memory[]> {
  const found = await Promise.all(ids.map((id) => lookUp(from, id)));
  return found.filter((memory) => memory !== undefined);
}
