/**
 * config: what a user or a project has set, one small file for each, and how such a file is changed.
 *
 * It refuses to run code: Tacit works by itself in every clone, and a clone may be anybody's. It refuses to guess,
 * too: a key it does not know, a value of the wrong kind and a second file are errors that name the line. What a
 * setting leads to is decided in the rooms that it is about.
 */
export interface Settings {
  enabled: boolean;
  autoInject: boolean;
  /** Null: never. */
  cleanupDays: number | null;
  /** Null: unlimited. */
  maxEntries: number | null;
}

export type SettingName = keyof Settings;

/** Whose file it is. */
export type Owner = "user" | "project";
