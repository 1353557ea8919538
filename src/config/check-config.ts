import type { Owner, Settings } from "./config.js";
import { invalidAt, type Entry, type ParsedConfig } from "./parse-config.js";
import { accepts, describeMistake, shown } from "./setting.js";
import { findSetting, settingHint } from "./settings.js";

/**
 * What a file sets. Throws for a key that is no setting, is there twice or is not this owner's to set, and for a value
 * of the wrong kind; `except` names a setting that is about to be put right or to go.
 */
export function checkConfig(
  { file, text, entries }: ParsedConfig,
  owner: Owner,
  { except }: { except?: string } = {},
): Partial<Settings> {
  const values = new Map<string, unknown>();
  for (const entry of entries) {
    const { name, value, begin } = entry;
    if (values.has(name)) {
      throw invalidAt(file, text, begin, `${shown(name)} is there twice.`, "Keep one of the two.");
    }
    if (name !== except) checkEntry(file, text, owner, entry);
    values.set(name, value);
  }
  values.delete("$schema");
  return Object.fromEntries(values);
}

/** Why a project's file may not set this; completes "file:line: …". */
export function usersAlone(name: string): { what: string; hint: string } {
  return {
    what: `${name} is the user's alone to set, because any clone may bring a project's file.`,
    hint: `Take it out of the project's file, and set it in your own: tacit config set ${name} …`,
  };
}

function checkEntry(file: string, text: string, owner: Owner, { name, value, begin, valueBegin }: Entry): void {
  // For editors; what it names is their affair.
  if (name === "$schema") return;
  const setting = findSetting(name);
  if (!setting) throw invalidAt(file, text, begin, `there is no setting ${shown(name)}.`, settingHint(name));
  if (owner === "project" && setting.isUsersAlone) {
    const { what, hint } = usersAlone(name);
    throw invalidAt(file, text, begin, what, hint);
  }
  if (accepts(setting, value)) return;
  throw invalidAt(
    file,
    text,
    valueBegin,
    describeMistake(setting, value),
    `Correct it, or take the line away${setting.schema.type === "object" ? "" : ` for ${shown(setting.default)}`}.`,
  );
}
