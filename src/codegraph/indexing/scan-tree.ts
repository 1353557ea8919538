import { createHash } from "node:crypto";
import type { Ignoring } from "../../project/ignore/ignore.js";
import { isForeign } from "../files/foreign-folders.js";
import { isModuleSettings, languageOf } from "../languages/language-of.js";
import { listFiles } from "../files/list-files.js";
import { readSource } from "../files/read-source.js";
import { languages } from "../languages/languages.js";
import type { KnownFile } from "./file-queries.js";
import { extractorVersion } from "../tree/extractor-version.js";
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
  /** What module resolution goes by: the texts of the files that languages name as their settings. */
  settings: ReadonlyMap<string, string>;
  settingsHash: string;
  /** What could not be listed, and why. */
  problems: { path: string; problem: string }[];
}

export interface ScanOptions {
  signal?: AbortSignal;
  /** Paths that are none of its files. */
  leaveOut?: ReadonlySet<string>;
  /** What is never indexed. */
  ignoring?: Ignoring;
}

/** Looks at every file of a work tree, and reads none but those that tell how modules are found. */
export async function scanTree(
  root: string,
  known: ReadonlyMap<string, KnownFile>,
  { signal, leaveOut, ignoring }: ScanOptions = {},
): Promise<Scan> {
  const { files: listed, problems } = await listFiles(root, { ...(signal && { signal }) });
  const isIgnored = (path: string) => ignoring?.path(path, { isFile: true }) !== undefined;
  const files = listed.filter(({ path }) => !leaveOut?.has(path) && !isIgnored(path));
  const paths = files.map(({ path }) => path);
  const there = new Set(paths);
  const settings = await readSettings(root, paths.filter(isModuleSettings));
  const changed: FileToParse[] = [];
  const unsure: FileToParse[] = [];
  for (const { path, size, modifiedMs } of files) {
    const file = known.get(path);
    if (file?.extractor !== extractorVersion) changed.push({ path });
    else if (file.size !== size || file.modifiedMs !== wholeMs(modifiedMs)) changed.push({ path, hash: file.hash });
    else if (!isSettled(file)) unsure.push({ path, hash: file.hash });
  }
  const gone = [...known.values()].filter(({ path }) => !there.has(path));
  return {
    paths,
    toParse: [...changed, ...unsure],
    // What an earlier version took for code, or is ignored by now, is taken out, however much: no file has changed by that.
    changes: changed.length + gone.filter(({ path }) => !isForeign(path) && !isIgnored(path)).length,
    gone,
    settings,
    settingsHash: hashOf(settings, paths),
    problems: problems.filter(({ path }) => !isIgnored(path)).map(({ path, reason }) => ({ path, problem: reason })),
  };
}

// File systems count in steps of up to two seconds.
const clockStepMs = 2000;

/** Whether a file that changes from now on has another time. One that was read sooner after it changed may have changed again. */
export function isSettled({ readMs, modifiedMs }: { readMs: number; modifiedMs: number }): boolean {
  return Math.abs(readMs - modifiedMs) > clockStepMs;
}

// As many as may be open at once everywhere.
const readAtOnce = 64;

async function readSettings(root: string, paths: readonly string[]): Promise<Map<string, string>> {
  const settings = new Map<string, string>();
  for (let at = 0; at < paths.length; at += readAtOnce) {
    const page = paths.slice(at, at + readAtOnce);
    const sources = await Promise.all(page.map((path) => readSource(root, path)));
    sources.forEach((source, n) => settings.set(page[n] ?? "", source && "text" in source ? source.text : ""));
  }
  return settings;
}

/** What decides where imports lead, beside the files that they name. */
function hashOf(settings: ReadonlyMap<string, string>, paths: readonly string[]): string {
  const landmarks = paths.flatMap((path) => languageOf(path)?.landmarksOf?.(path) ?? []);
  const hash = createHash("sha1").update([...new Set(landmarks)].join("\0"));
  for (const [path, text] of settings) hash.update(`${path}\0${whatCounts(path, text)}\0`);
  return hash.digest("hex");
}

function whatCounts(path: string, text: string): string {
  const owner = languages.find(({ settings }) => settings?.test(path));
  return owner?.settingsThatCount?.(path, text) ?? text;
}
