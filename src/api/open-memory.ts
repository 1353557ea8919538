import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { homeFolder } from "../base/files/files.js";
import { MemoryError } from "../base/memory-error.js";
import { bindMemory } from "./bind-memory.js";
import { methodologyLoader } from "../injection/build/build.js";
import { openCode } from "../code-memory/open-code.js";
import type { ConfigPlace } from "../config/read-config.js";
import { isIndexOutdated, rebuildIndexes } from "../memory/indexes/indexes.js";
import { identifyFolder } from "../project/folder/identify-folder.js";
import { type ProjectContext, type ProjectHint, userProject } from "../project/project.js";
import { openModels } from "../retrieval/open-models.js";
import { openWatchedSessions } from "../session/noting/open-watched-sessions.js";
import { checkOptions, defaultTimeoutMs, type OpenOptions } from "./open-options.js";
import { Store } from "../storage/storage.js";
import type { TacitMemory } from "./tacit-memory.js";

/** Opens the memory of a project. Creates no file: the first write does. Close it when done. */
export async function openMemory(options: OpenOptions = {}): Promise<TacitMemory> {
  checkOptions(options);
  const { timeoutMs = defaultTimeoutMs } = options;
  const directory = resolve(options.directory ?? process.cwd());
  const now = () => new Date(options.now?.() ?? Date.now());
  const folder = await identifyFolder(directory);
  const ways = await methodologyLoader(options.methodologies);
  const store = new Store({ db: options.db ?? join(homeFolder(), "memory.db"), timeoutMs });
  const place: ConfigPlace = { home: homeFolder(), root: folder.root };
  const project: ProjectHint = options.project === undefined ? { folder } : { id: options.project };
  const settings = recently(async () =>
    (await import("../project/settings/effective-settings.js")).effectiveSettings(store, project, folder, place),
  );
  // What holds everywhere is not for the folder one happens to stand in to limit.
  const settingsOfUser = recently(
    async () => (await (await import("../config/read-config.js")).readConfig({ home: place.home })).settings,
  );
  const context: ProjectContext = {
    store,
    project,
    folder: recently(() => identifyFolder(directory), Promise.resolve(folder)),
    settings: async (whose) => (whose === "user" || options.project === userProject ? settingsOfUser() : settings()),
    now,
  };
  try {
    if (await store.read(isIndexOutdated)) await store.write(rebuildIndexes);
  } catch (error) {
    // `doctor` must be able to look at a store that cannot be read; everything else says so at its first use.
    if (!(error instanceof MemoryError)) throw error;
  }
  // Which files a project that was only named speaks of, this folder does not tell.
  const isHere = options.project === undefined || options.directory !== undefined;
  const here = isHere ? folder : undefined;
  const models = openModels(context, options, here);
  const code = openCode(context, here, models.embedding);
  models.ports.codeGraph ??= code.graph;
  const watched = openWatchedSessions(context, {
    home: place.home,
    root: folder.root,
    db: options.db ?? join(place.home, "memory.db"),
    ...(options.project !== undefined && { project: options.project }),
  });
  return bindMemory(context, folder, place, {
    models,
    code,
    watched,
    afterwards: async (memories) => {
      (await models.embedding()).schedule();
      await code.link({ ids: memories.filter(({ relatedFiles }) => relatedFiles.length > 0).map(({ id }) => id) });
    },
    ways,
    hasOwnWays: options.methodologies !== undefined,
    here,
    directory: await realpath(directory).catch(() => directory),
  });
}

/** Asked again at most once a second: a long-lived process sees its folder move on, and 0.4 ms a time adds up. */
function recently<T>(ask: () => Promise<T>, first?: Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; at: number } | undefined = first && { answer: first, at: performance.now() };
  return () => {
    if (!known || performance.now() - known.at > 1000) known = { answer: ask(), at: performance.now() };
    return known.answer;
  };
}
