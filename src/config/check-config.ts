import type { Settings } from "./config.js";
import { invalidAt, type Entry, type ParsedConfig } from "./parse-config.js";
import { accepts, findSetting, settingHint, shown } from "./settings.js";

/** What a file sets. Throws for a key that is no setting or is there twice, and for a value of the wrong kind. */
export function checkConfig({ file, text, entries }: ParsedConfig): Partial<Settings> {
  const values = new Map<string, unknown>();
  for (const entry of entries) {
    const { name, value, begin } = entry;
    if (values.has(name)) {
      throw invalidAt(file, text, begin, `${shown(name)} is there twice.`, "Keep one of the two.");
    }
    checkEntry(file, text, entry);
    values.set(name, value);
  }
  values.delete("$schema");
  return Object.fromEntries(values);
}

function checkEntry(file: string, text: string, { name, value, begin, valueBegin }: Entry): void {
  // For editors; what it names is their affair.
  if (name === "$schema") return;
  const setting = findSetting(name);
  if (!setting) throw invalidAt(file, text, begin, `there is no setting ${shown(name)}.`, settingHint(name));
  if (accepts(setting, value)) return;
  throw invalidAt(
    file,
    text,
    valueBegin,
    `${name} must be ${setting.expected}; it is ${shown(value)}.`,
    `Correct it, or take the line away for ${shown(setting.default)}.`,
  );
}
