import type { Settings } from "../../config/config.js";
import { readConfig, type ConfigPlace } from "../../config/read-config.js";
import type { FolderIdentity } from "../folder/identify-folder.js";
import { findProject, isAccepted, type ProjectHint } from "../projects.js";
import type { Store } from "../../storage/storage.js";

/** The settings that let memories go, and what costs tokens in every session. */
const limits = ["cleanupDays", "maxEntries", "sessionMapTokens"] as const;

/**
 * The settings that count in a folder. In a clone, which may bring anybody's files, the project's file may switch
 * Tacit off, but limits what is kept only after the user has accepted the folder; until then the user's own limits hold.
 */
export async function effectiveSettings(
  store: Store,
  project: ProjectHint,
  folder: FolderIdentity,
  place: ConfigPlace,
): Promise<Settings> {
  const { settings } = await readConfig(place);
  if ((await listPendingLimits(store, project, folder, place)).length === 0) return settings;
  const { cleanupDays, maxEntries, sessionMapTokens } = (await readConfig({ home: place.home })).settings;
  return { ...settings, cleanupDays, maxEntries, sessionMapTokens };
}

/** The limits of the project's file that wait for the user to accept the folder. */
export async function listPendingLimits(
  store: Store,
  project: ProjectHint,
  folder: FolderIdentity,
  place: ConfigPlace,
): Promise<string[]> {
  // What has no remote was made here.
  if (folder.remoteKey === undefined) return [];
  const { origins } = await readConfig(place);
  const set = limits.filter((name) => origins[name] === "project");
  if (set.length === 0) return [];
  const accepted = await store.read(async (reader) => {
    const found = await findProject(reader, project);
    return found.project !== undefined && (await isAccepted(reader, found.project, folder));
  });
  return accepted ? [] : set;
}
