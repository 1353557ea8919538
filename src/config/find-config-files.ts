import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../base/memory-error.js";

export interface ConfigFiles {
  /** The one `tacit.config.*`. */
  config?: string;
  /** The package.json beside it, which may or may not speak of Tacit. */
  packageJson?: string;
}

// What comes after a second dot is something else: tacit.config.schema.json, tacit.config.json.orig.
const configName = /^tacit\.config(?:\.([a-z0-9]+))?$/i;
const formats = ["json", "jsonc", "yaml", "yml"];
const program = /^[cm]?[jt]sx?$/i;

/**
 * Which configuration files a folder has, from one look at its list. A folder that does not exist, or may not be read, has none. Throws for
 * a `tacit.config.*` that cannot be read as data, and for two of them: which one counts would be a guess.
 */
export async function findConfigFiles(folder: string): Promise<ConfigFiles> {
  const names = await listFolder(folder);
  const [name, second] = names.filter((each) => configName.test(each)).toSorted();
  if (name !== undefined && second !== undefined) {
    throw new MemoryError(
      "config-invalid",
      `${folder} has both ${name} and ${second}, and only one can count.`,
      "Put all settings into one of them and remove the other.",
    );
  }
  if (name !== undefined) refuseFormat(folder, name);
  return {
    ...(name !== undefined && { config: join(folder, name) }),
    ...(names.includes("package.json") && { packageJson: join(folder, "package.json") }),
  };
}

/** A folder that cannot be looked into has none: whoever needs more of it, such as the store, says what is wrong. */
async function listFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function refuseFormat(folder: string, name: string): void {
  const [, extension = ""] = configName.exec(name) ?? [];
  if (formats.includes(extension)) return;
  const reason = program.test(extension)
    ? "Tacit runs by itself in every clone, and never executes code of it"
    : `the formats are ${formats.map((format) => `.${format}`).join(", ")}`;
  throw new MemoryError(
    "config-invalid",
    `${name} is not read: ${reason}; use tacit.config.json.`,
    `Move the settings of ${join(folder, name)} to tacit.config.json beside it, and remove or rename it.`,
  );
}
