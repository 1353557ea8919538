import { join } from "node:path";
import type { Owner, SettingName, Settings } from "./config.js";
import { joinIgnored } from "./ignore-setting.js";
import { loadConfig } from "./load-config.js";
import type { ParsedConfig } from "./parse-config.js";
import { defaultSettings, settings } from "./settings.js";

/** Where the files are looked for. */
export interface ConfigPlace {
  /** The folder of the user's file. */
  home: string;
  /** The project's root; absent: there is no project file. */
  root?: string;
}

/** The settings in force, and who set each. */
export interface Config {
  settings: Settings;
  origins: Record<SettingName, Origin>;
  /** The files that were read; a package.json when the settings are in it. */
  files: { user?: string; project?: string };
  /** The files that a setting is written to: those that were read, or those that would be made. */
  paths: { user: string; project?: string };
}

export type Origin = "default" | Owner;

/** The name of the file that is made where there is none. */
export const newFileName = "tacit.config.json";

/**
 * Reads what is set: a setting of the project's file counts before the user's, and that before the default. Where no
 * file exists it costs two looks at folders. Throws `config-invalid`, with file and line, for a file that is not in
 * order: going on without what somebody has set would be a guess.
 *
 * @example
 * const { settings, origins } = await readConfig({ home: join(homedir(), ".tacit"), root: process.cwd() });
 * console.log(settings.maxEntries, origins.maxEntries); // null "default"
 */
export async function readConfig({ home, root }: ConfigPlace): Promise<Config> {
  const [user, project] = await Promise.all([
    loadConfig("user", home),
    root === undefined ? undefined : loadConfig("project", root),
  ]);
  const set: Record<Owner, Partial<Settings>> = {
    user: await check("user", user),
    project: await check("project", project),
  };
  const origins = settings.map(({ name }): [SettingName, Origin] => [
    name,
    name in set.project ? "project" : name in set.user ? "user" : "default",
  ]);
  return {
    settings: {
      ...defaultSettings(),
      ...set.user,
      ...set.project,
      ignore: joinIgnored(set.user.ignore, set.project.ignore),
    },
    origins: Object.fromEntries(origins) as Record<SettingName, Origin>,
    files: { ...(user && { user: user.file }), ...(project && { project: project.file }) },
    paths: {
      user: user?.file ?? join(home, newFileName),
      ...(root !== undefined && { project: project?.file ?? join(root, newFileName) }),
    },
  };
}

/** Loaded only where there is something to check, because every recall comes by here. */
async function check(owner: Owner, config: ParsedConfig | undefined): Promise<Partial<Settings>> {
  return config ? (await import("./check-config.js")).checkConfig(config, owner) : {};
}
