import { MemoryError } from "../base/memory-error.js";
import type { Owner } from "./config.js";
import { findConfigFiles } from "./find-config-files.js";
import type { ParsedConfig } from "./parse-config.js";
import { readTextFile } from "./read-text-file.js";

/**
 * The file that holds the settings of a user or a project, as it is written; undefined where there is none. A
 * package.json counts when it has a `tacit` and no `tacit.config.*` stands beside it.
 */
export async function loadConfig(
  owner: Owner,
  folder: string,
  { mustParse = false }: { mustParse?: boolean } = {},
): Promise<ParsedConfig | undefined> {
  const { config, packageJson } = await findConfigFiles(folder);
  if (config !== undefined) {
    const { parseConfig } = await import("./parse-config.js");
    return parseConfig(config, await readTextFile(config));
  }
  if (owner === "user" || packageJson === undefined) return undefined;
  const text = await findText(packageJson);
  // Looked for before anything is loaded: most projects have a package.json, and few say anything to Tacit in it.
  if (!text?.includes('"tacit"')) return undefined;
  const { parsePackageJson } = await import("./parse-config.js");
  return parsePackageJson(packageJson, text, { mustParse });
}

/** Undefined for a package.json that cannot be read, because that is not for us to tell. */
async function findText(packageJson: string): Promise<string | undefined> {
  try {
    return await readTextFile(packageJson);
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}
