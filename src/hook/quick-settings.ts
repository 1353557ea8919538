import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SettingName, Settings } from "../config/config.js";
import type { FolderIdentity } from "../project/folder/identify-folder.js";
import type { ProjectHint } from "../project/project.js";
import type { Store } from "../storage/storage.js";

/**
 * Whether a configuration file says anything of one of these settings. Reading settings loads far more than looking for a
 * word, which few files have.
 */
export function maySet(home: string, root: string, names: readonly SettingName[]): boolean {
  const configs = [home, root].flatMap((folder) =>
    filesIn(folder).filter((file) => /tacit\.config[^/\\]*$/i.test(file)),
  );
  return names.some(
    (name) => configs.some((file) => holds(file, name)) || holds(join(root, "package.json"), '"tacit"', `"${name}"`),
  );
}

/** The settings that say what an agent is told, for a process that has no time to read those that nobody has set. */
export function quickSettings(
  store: Store,
  project: ProjectHint,
  folder: FolderIdentity,
  home: string,
): () => Promise<Settings> {
  let known: Promise<Settings> | undefined;
  const isSet = maySet(home, folder.root, ["enabled", "autoInject", "injectionConfidence", "sessionMapTokens"]);
  const read = async (): Promise<Settings> => {
    if (!isSet) return (await import("../config/settings.js")).defaultSettings();
    const { effectiveSettings } = await import("../project/settings/effective-settings.js");
    return effectiveSettings(store, project, folder, { home, root: folder.root });
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
