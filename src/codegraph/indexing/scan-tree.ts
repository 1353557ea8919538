import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isModuleSettings, languageOf } from "../files/languages.js";
import { listFiles } from "../files/list-files.js";
import type { KnownFile } from "./file-queries.js";
import { extractorVersion } from "./extractor-version.js";
import { wholeMs, type FileToParse } from "./parse-file.js";

/** How the files of a work tree differ from what is known of them. */
export interface Scan {
  /** Every file that is there. */
  paths: string[];
  /** New ones and those that have changed; last those that were read too soon after they changed to be sure. */
  toParse: FileToParse[];
  gone: KnownFile[];
  /** How many are new, have changed or are gone, without those that are most likely the same. */
  changes: number;
  /** What module resolution goes by: the texts of package.json, tsconfig.json and the like. */
  settings: ReadonlyMap<string, string>;
  settingsHash: string;
  /** What could not be listed, and why. */
  problems: { path: string; problem: string }[];
}

// File systems count in steps of up to two seconds. A file that was read so soon after it changed may have changed again.
const clockStepMs = 2000;

/** Looks at every file of a work tree, and reads none but those that tell how modules are found. */
export async function scanTree(
  root: string,
  known: ReadonlyMap<string, KnownFile>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Scan> {
  const { files, problems } = await listFiles(root, { ...(signal && { signal }) });
  const paths = files.map(({ path }) => path);
  const there = new Set(paths);
  const settings = await readSettings(root, paths.filter(isModuleSettings));
  const changed: FileToParse[] = [];
  const unsure: FileToParse[] = [];
  for (const { path, size, modifiedMs } of files) {
    const file = known.get(path);
    if (file?.extractor !== extractorVersion) changed.push({ path });
    else if (file.size !== size || file.modifiedMs !== wholeMs(modifiedMs)) changed.push({ path, hash: file.hash });
    else if (file.readMs - modifiedMs <= clockStepMs) unsure.push({ path, hash: file.hash });
  }
  const gone = [...known.values()].filter(({ path }) => !there.has(path));
  return {
    paths,
    toParse: [...changed, ...unsure],
    changes: changed.length + gone.length,
    gone,
    settings,
    settingsHash: hashOf(settings, listPythonFolders(paths)),
    problems: problems.map(({ path, reason }) => ({ path, problem: reason })),
  };
}

async function readSettings(root: string, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), "utf8").catch(() => "")));
  return new Map(paths.map((path, index) => [path, texts[index] ?? ""]));
}

/**
 * Where Python may begin to look for a module: a folder that becomes a package, or the first file in one, decides about
 * imports that never looked there.
 */
function listPythonFolders(paths: readonly string[]): string[] {
  const python = paths.filter((path) => languageOf(path) === "python");
  return [
    ...new Set(python.flatMap((path) => [dirname(path), ...(/(?:^|\/)__init__\.pyi?$/.test(path) ? [path] : [])])),
  ];
}

function hashOf(settings: ReadonlyMap<string, string>, folders: readonly string[]): string {
  const hash = createHash("sha1").update(folders.join("\0"));
  for (const [path, text] of settings) hash.update(`${path}\0${text}\0`);
  return hash.digest("hex");
}
