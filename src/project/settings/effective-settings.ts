import type { SettingName, Settings } from "../../config/config.js";
import { type Config, readConfig, type ConfigPlace } from "../../config/read-config.js";
import { findSetting } from "../../config/settings.js";
import type { Reader, Store, Writer } from "../../storage/storage.js";
import type { FolderIdentity } from "../folder/identify-folder.js";
import { isIgnoredProject } from "../ignore/ignore.js";

/**
 * The settings that count in a folder. A project's file may be anybody's, whether it came with a clone, an archive or a
 * branch: until the user has set or accepted a value of it, that counts only where it takes something away, such as switching
 * Tacit off. Until then the user's own settings hold.
 */
export async function effectiveSettings(store: Store, folder: FolderIdentity, place: ConfigPlace): Promise<Settings> {
  return (await effectiveConfig(store, folder, place)).settings;
}

/** What is set, and where, as far as it counts; and what the project's file says that does not count yet. */
export interface EffectiveConfig extends Config {
  /** Values of the project's file that the user has not accepted. */
  pending: Partial<Settings>;
}

/** The settings that count in a folder, and who set each. */
export async function effectiveConfig(
  store: Store,
  folder: FolderIdentity,
  place: ConfigPlace,
): Promise<EffectiveConfig> {
  const config = await readConfig(place);
  const settings = withoutIgnoredProject(config.settings, folder);
  const names = await listPendingSettings(store, folder, place);
  if (names.length === 0) return { ...config, settings, pending: {} };
  const own = await readConfig({ home: place.home });
  const pick = <All extends Settings | Config["origins"]>(all: All): Partial<All> =>
    Object.fromEntries(names.map((name) => [name, all[name]])) as Partial<All>;
  return {
    ...config,
    settings: { ...settings, ...pick(own.settings) },
    origins: { ...config.origins, ...pick(own.origins) },
    pending: pick(config.settings),
  };
}

/** What is set, in a project that the user does not want to be observed at all: nothing new is stored or injected there. */
function withoutIgnoredProject(settings: Settings, folder: FolderIdentity): Settings {
  return isIgnoredProject(settings.ignore.projects, folder)
    ? { ...settings, enabled: false, autoInject: false }
    : settings;
}

/** The settings of the project's file that wait for the user to accept them. */
export async function listPendingSettings(
  store: Store,
  folder: FolderIdentity,
  place: ConfigPlace,
): Promise<SettingName[]> {
  const { settings, origins } = await readConfig(place);
  const set = namesOf(origins);
  if (set.length === 0) return [];
  const own = (await readConfig({ home: place.home })).settings;
  const doubtful = set.filter(
    (name) => settings[name] !== own[name] && findSetting(name)?.isStricter?.(settings[name], own[name]) !== true,
  );
  if (doubtful.length === 0) return [];
  const accepted = await store.read((reader) => listAccepted(reader, folder));
  return doubtful.filter((name) => accepted.get(name) !== JSON.stringify(settings[name]));
}

/** The user says that these values of the project's file count, as they are now. */
export async function acceptSettings(writer: Writer, folder: FolderIdentity, values: Partial<Settings>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await writer.run(
      `INSERT INTO accepted_settings (folder, name, value) VALUES (:folder, :name, :value)
       ON CONFLICT (folder, name) DO UPDATE SET value = excluded.value`,
      { folder: folder.pathKey, name, value: JSON.stringify(value) },
    );
  }
}

/** Nothing that the project's file sets counts any more as the user's word. */
export async function dropSettings(writer: Writer, folder: FolderIdentity): Promise<void> {
  await writer.run("DELETE FROM accepted_settings WHERE folder = :folder", { folder: folder.pathKey });
}

/** What the project's file sets. */
export async function readProjectValues(place: ConfigPlace): Promise<Partial<Settings>> {
  const { settings, origins } = await readConfig(place);
  return Object.fromEntries(namesOf(origins).map((name) => [name, settings[name]]));
}

function namesOf(origins: Awaited<ReturnType<typeof readConfig>>["origins"]): SettingName[] {
  return (Object.keys(origins) as SettingName[]).filter((name) => origins[name] === "project");
}

async function listAccepted(reader: Reader, folder: FolderIdentity): Promise<Map<string, string>> {
  const rows = await reader.rows("SELECT name, value FROM accepted_settings WHERE folder = :folder", {
    folder: folder.pathKey,
  });
  return new Map(rows.map((row) => [String(row["name"]), String(row["value"])]));
}
