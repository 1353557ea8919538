import { homeFolder } from "../base/files/files.js";
import { MemoryError } from "../base/memory-error.js";
import type { ConfigPlace } from "../config/read-config.js";
import { isIndexOutdated, rebuildIndexes } from "../memory/indexes/indexes.js";
import { identifyFolder, type FolderIdentity } from "../project/folder/identify-folder.js";
import { type MemoryContext, openChanges } from "../memory/change/change.js";
import { type ProjectHint, userProject } from "../project/project.js";
import type { SpoolPlace } from "../observer/spool/spool.js";
import { Store } from "../storage/storage.js";
import { openClock } from "./open-clock.js";
import { defaultTimeoutMs, type OpenOptions } from "./open-options.js";

interface Opening {
  db: string;
  directory: string;
  folder: FolderIdentity;
  /** Whose sessions are noted there, and for which store. */
  where: SpoolPlace;
}

/** The store, the project and its settings: what every room takes. */
export async function openContext(
  options: OpenOptions,
  { db, directory, folder, where }: Opening,
): Promise<{ context: MemoryContext; place: ConfigPlace }> {
  const store = new Store({ db, timeoutMs: options.timeoutMs ?? defaultTimeoutMs });
  const place: ConfigPlace = { home: homeFolder(), root: folder.root };
  const project: ProjectHint = options.project === undefined ? { folder } : { id: options.project };
  const settings = recently(async () =>
    (await import("../project/settings/effective-settings.js")).effectiveSettings(store, folder, place),
  );
  // What holds everywhere is not for the folder one happens to stand in to limit.
  const settingsOfUser = recently(
    async () => (await (await import("../config/read-config.js")).readConfig({ home: place.home })).settings,
  );
  const context: MemoryContext = {
    actor: { kind: "program" },
    changes: openChanges(),
    store,
    project,
    folder: recently(() => identifyFolder(directory), Promise.resolve(folder)),
    settings: async (whose) => (whose === "user" || options.project === userProject ? settingsOfUser() : settings()),
    now: openClock(options.now, where),
  };
  try {
    if (await store.read(isIndexOutdated)) await store.write(rebuildIndexes);
  } catch (error) {
    // `doctor` must be able to look at a store that cannot be read; everything else says so at its first use.
    if (!(error instanceof MemoryError)) throw error;
  }
  return { context, place };
}

/** Asked again at most once a second: a long-lived process sees its folder move on, and 0.4 ms a time adds up. */
function recently<T>(ask: () => Promise<T>, first?: Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; at: number } | undefined = first && { answer: first, at: performance.now() };
  return () => {
    if (!known || performance.now() - known.at > 1000) known = { answer: ask(), at: performance.now() };
    return known.answer;
  };
}
