import { isDeepStrictEqual } from "node:util";
import { basename, join } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import { checkConfig, usersAlone } from "./check-config.js";
import { schemaAddress } from "./config-schema.js";
import type { Owner, SettingName } from "./config.js";
import { editConfig } from "./edit-config.js";
import { loadConfig } from "./load-config.js";
import { parseConfig, parsePackageJson, type ParsedConfig } from "./parse-config.js";
import { type ConfigPlace, newFileName } from "./read-config.js";
import { replaceFile } from "./replace-file.js";
import { accepts, describeMistake, isText, type Setting, type SettingValue, shown } from "./setting.js";
import { getSetting } from "./settings.js";

/**
 * Sets a setting in the file of the user or the project, or takes it away for an undefined value, and says in which
 * file. The value is as somebody typed it: `true`, `90`, `ollama`, `null` or `unlimited`. The rest of the file stays as
 * it is, comments included; where there is no file, setting makes one and taking away does nothing. A file that is not
 * in order is not written to, except that a wrong value of this very setting may be put right. What is the user's alone
 * can be taken out of a project's file, and is refused with `config-invalid` otherwise.
 *
 * @example
 * await writeSetting({ home, root }, "project", "maxEntries", "5000"); // "/home/me/app/tacit.config.json"
 */
export async function writeSetting(
  place: ConfigPlace,
  where: Owner,
  name: string,
  value: string | undefined,
): Promise<string> {
  const setting = getSetting(name);
  const wanted = value === undefined ? undefined : readTyped(setting, value);
  if (where === "project" && setting.isUsersAlone && wanted !== undefined) {
    const { what, hint } = usersAlone(setting.name);
    throw new MemoryError("config-invalid", what, hint);
  }
  const folder = where === "user" ? place.home : place.root;
  if (folder === undefined) {
    throw new MemoryError("invalid-input", "There is no project folder here.", "Change the user's file instead.");
  }

  const config = await loadConfig(where, folder, { mustParse: true });
  if (!config) {
    const file = join(folder, newFileName);
    // The user's own may hold the address of a model; a project's lies open in its folder.
    const mode = where === "user" ? { mode: 0o600 } : {};
    if (wanted !== undefined) await replaceFile(file, newText(setting.name, wanted), mode);
    return file;
  }
  checkConfig(config, where, { except: setting.name });
  const edited = editConfig(config, name, wanted);
  if (edited === config.text) return config.file;
  if (!(await readsBack(config, edited, name, wanted))) {
    throw new MemoryError(
      "config-invalid",
      `${config.file} is written in a way that cannot be changed from here.`,
      `Open it and ${wanted === undefined ? `take ${name} away` : `set ${name} to ${JSON.stringify(wanted)}`}.`,
    );
  }
  await replaceFile(config.file, edited);
  return config.file;
}

const wordForNull = /^(?:unlimited|never)$/;

function readTyped(setting: Setting, typed: string): SettingValue {
  const value = readBy(setting, typed.trim());
  if (accepts(setting, value)) return value;
  if (setting.schema.type === "object" && typeof value === "object") {
    throw new MemoryError("invalid-input", describeMistake(setting, value), `It says ${setting.purpose}.`);
  }
  throw new MemoryError(
    "invalid-input",
    `${setting.name} must be ${setting.expected}; ${setting.isConfidential ? "what was given" : shown(typed)} is not.`,
    `It says ${setting.purpose}.`,
  );
}

function readBy(setting: Setting, typed: string): unknown {
  if (setting.schema.type === "object") return readJson(typed);
  return isText(setting) ? readText(typed) : readValue(typed.toLowerCase());
}

function readText(typed: string): string | null {
  return typed === "null" ? null : typed;
}

function readValue(word: string): unknown {
  return wordForNull.test(word) ? null : readJson(word);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function newText(name: SettingName, value: SettingValue): string {
  return `${JSON.stringify({ $schema: schemaAddress, [name]: value }, null, 2)}\n`;
}

/** YAML can be written in more ways than the editing knows, and a wrong edit must not reach the file. */
async function readsBack(
  { file, entries }: ParsedConfig,
  edited: string,
  name: string,
  value: SettingValue | undefined,
): Promise<boolean> {
  const expected = new Map(entries.map((entry) => [entry.name, entry.value]));
  if (value === undefined) expected.delete(name);
  else expected.set(name, value);
  try {
    const result = await parseAgain(file, edited);
    return isDeepStrictEqual(new Map(result?.entries.map((entry) => [entry.name, entry.value])), expected);
  } catch (error) {
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

async function parseAgain(file: string, text: string): Promise<ParsedConfig | undefined> {
  return basename(file) === "package.json"
    ? parsePackageJson(file, text, { mustParse: true })
    : parseConfig(file, text);
}
