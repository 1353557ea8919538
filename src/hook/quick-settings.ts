import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SettingName, Settings } from "../config/config.js";
import type { FolderIdentity } from "../project/folder/identify-folder.js";
import type { Store } from "../storage/storage.js";

/**
 * Whether a configuration file says anything of one of these settings. Reading settings loads far more than looking for a
 * word, which few files have.
 */
function maySet(home: string, root: string, names: readonly SettingName[]): boolean {
  const configs = [home, root].flatMap((folder) =>
    filesIn(folder).filter((file) => /tacit\.config[^/\\]*$/i.test(file)),
  );
  return names.some(
    (name) => configs.some((file) => holds(file, name)) || holds(join(root, "package.json"), '"tacit"', `"${name}"`),
  );
}

/** What is set for a folder that decides whether anything of it is noted; undefined where nobody has set it. */
export async function quickLimits(
  home: string,
  root: string,
  db: string,
): Promise<Pick<Settings, "enabled" | "ignore"> | undefined> {
  if (!maySet(home, root, ["enabled", "ignore"])) return undefined;
  const { readConfig } = await import("../config/read-config.js");
  const { settings, origins } = await readConfig({ home, root });
  const { ignore } = settings;
  const enabled = settings.enabled && (origins.enabled !== "project" || (await mayEnable({ home, root }, db)));
  if (!enabled || ignore.projects.length === 0) return { enabled, ignore };
  const { identifyFolder } = await import("../project/folder/identify-folder.js");
  const { isIgnoredProject } = await import("../project/ignore/ignore.js");
  return { enabled: !isIgnoredProject(ignore.projects, await identifyFolder(root)), ignore };
}

/** Where a project's file switches on what the user has switched off, only the store knows whether the user has accepted that. */
async function mayEnable(place: { home: string; root: string }, db: string): Promise<boolean> {
  const { readConfig } = await import("../config/read-config.js");
  if ((await readConfig({ home: place.home })).settings.enabled) return true;
  return (await import("../project/settings/is-enabled-here.js")).isEnabledHere(db, place);
}

/** The settings that say what an agent is told, for a process that has no time to read those that nobody has set. */
export function quickSettings(store: Store, folder: FolderIdentity, home: string): () => Promise<Settings> {
  let known: Promise<Settings> | undefined;
  const isSet = maySet(home, folder.root, [
    "enabled",
    "autoInject",
    "injectionConfidence",
    "sessionMapTokens",
    "ignore",
  ]);
  const read = async (): Promise<Settings> => {
    if (!isSet) return (await import("../config/settings.js")).defaultSettings();
    const { effectiveSettings } = await import("../project/settings/effective-settings.js");
    return effectiveSettings(store, folder, { home, root: folder.root });
  };
  return () => (known ??= read());
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** A file that is none, or cannot be read, holds nothing. */
function holds(file: string, ...words: string[]): boolean {
  try {
    // Opening a pipe would never return.
    const text = statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : "";
    return words.every((word) => text.includes(word));
  } catch {
    return false;
  }
}
