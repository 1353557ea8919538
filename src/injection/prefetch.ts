import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { CountTokens } from "../base/tokens/tokens.js";
import { runGit } from "../base/git/git.js";
import { quoteData } from "../hygiene/quote-data.js";
import type { Memory } from "../memory/memory.js";
import { ignoringOf } from "../project/ignore/ignore.js";
import { readProject } from "../project/project.js";
import { relativeTo } from "../memory/read/read.js";
import { isProjectFile } from "../observer/scratchpad/scratchpad.js";
import { toActiveFiles, findActiveFiles, union } from "./active-files/find-active-files.js";
import { listOfActiveFiles, listModules, type ActiveFiles } from "./active-files/active-files-queries.js";
import type { Deadline, InjectionPorts } from "./injection.js";
import { recipientIn, isEligible } from "./eligibility/is-eligible.js";

/** A file that comes along, because nearly every session that works there reads it. */
export interface PrefetchedFile {
  /** Relative to the root, with slashes. */
  path: string;
  /** What stands in it, without secrets; absent where only its name is told. */
  text?: string;
  /** For a person: why it is only named. */
  leftOut?: string;
  /** Id of the memory that knew of it. */
  memory: string;
}

export interface PrefetchLimits {
  deadline: Deadline;
  /** Default 12. */
  maxFiles?: number;
  /** Model tokens of all texts at most. Default 32,000. */
  budgetTokens?: number;
  /** Default: the setting `injectionConfidence`. */
  minConfidence?: number;
}

// The first design.
const usuallyMostFiles = 12;
const usualBudget = 32_000;

/**
 * The files that sessions on the modules in play read nearly always, and after them those that they read in more than half
 * of all cases. Their texts come along as far as they fit: one that is too large is named and not cut. Only regular files of
 * the project that git tracks are read (outside git, all that lie inside the root), and no link is followed. What the
 * deadline leaves no time for is missing. The caller sees to it that this is asked once a session.
 */
export async function listPrefetch(
  ports: InjectionPorts,
  { sessionId, files = [], prompt, prefetch: mode = "contents" }: PrefetchMoment,
  limits: PrefetchLimits,
): Promise<PrefetchedFile[]> {
  if (mode === "none") return [];
  const { context } = ports;
  const { root, gitKey } = await context.folder();
  const { minConfidence = (await context.settings()).injectionConfidence, maxFiles = usuallyMostFiles } = limits;
  const listener = await recipientIn(context, { minConfidence }, { sessionId });
  const patterns = await readProject(context, [], async (reader, project) => {
    const known = await listModules(reader, project);
    const about = union(toActiveFiles(root, files), findActiveFiles(prompt, { root, known }, { strictly: true }));
    const query = { types: ["prefetch_pattern"], ...about, most: 50 };
    const found = await listOfActiveFiles(reader, project, query, listener, context.now());
    return found.filter((memory) => isEligible(memory, listener) && isTriggered(memory, about));
  });
  const ignoring = await ignoringOf(context);
  const wanted = listWanted(patterns, root).filter(({ path }) => ignoring.path(path) === undefined);
  if (wanted.length === 0 || limits.deadline.left() === 0) return [];
  const present = await listPresent(root, wanted);
  if (mode === "names") return present.slice(0, maxFiles);
  const tracked = gitKey === undefined ? "all" : await listTracked(root, present, limits.deadline);
  if (tracked === undefined) return [];
  const own = present.filter(({ path }) => tracked === "all" || tracked.has(path)).slice(0, maxFiles);
  return readAll(root, own, { ...limits, countTokens: await ports.countTokens() });
}

export interface PrefetchMoment {
  sessionId?: string;
  /** Absolute, or relative to the root. */
  files?: readonly string[];
  prompt: string;
  prefetch?: "contents" | "names" | "none";
}

/** Whether its module is in play, or one of the files that it lists. */
function isTriggered({ data = {} }: Memory, { modules, files }: ActiveFiles): boolean {
  const own = [...textsOf(data["alwaysReadFiles"]), ...textsOf(data["frequentlyReadFiles"])];
  return modules.some((module) => module === data["moduleTrigger"]) || own.some((file) => files.includes(file));
}

// Some of them may be gone.
const maxWanted = 40;

/** What all sessions read before what many read; of each, first what most sessions have shown. */
function listWanted(patterns: readonly Memory[], root: string): PrefetchedFile[] {
  const bySessions = patterns.toSorted((a, b) => sessionsOf(b) - sessionsOf(a));
  const wanted = new Map<string, PrefetchedFile>();
  for (const list of ["alwaysReadFiles", "frequentlyReadFiles"]) {
    for (const { id, data = {} } of bySessions) {
      for (const file of textsOf(data[list])) {
        const path = relativeTo(root, file);
        if (isFit(path) && !wanted.has(path)) wanted.set(path, { path, memory: id });
      }
    }
  }
  return [...wanted.values()].slice(0, maxWanted);
}

function sessionsOf({ data }: Memory): number {
  return Number(data?.["sessionCount"] ?? 0);
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

// oxlint-disable-next-line no-control-regex -- no path has them that somebody means
const unfit = /[\0-\x1F\x7F\\]|(?:^|\/)\.{1,2}(?:\/|$)|\/\/|\p{Surrogate}/u;
/** Files that exist to hold secrets. What is redacted elsewhere may be all there is here, in any form. */
const secretive =
  /(?:^|\/)(?:\.env(?!\.(?:example|sample|template)$)[^/]*|\.npmrc|\.netrc|\.pgpass|\.git-credentials|credentials[^/]*|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/i;

function isFit(path: string): boolean {
  return path.length <= 500 && isProjectFile(path) && !unfit.test(path) && !secretive.test(path);
}

/** Those that are regular files below the root, with no link on the way. */
async function listPresent(root: string, wanted: readonly PrefetchedFile[]): Promise<PrefetchedFile[]> {
  const isPresent = await Promise.all(
    wanted
      .map(async ({ path }) => {
        const full = join(root, path);
        return (await realpath(full)) === full && (await lstat(full)).isFile();
      })
      .map((found) => found.catch(() => false)),
  );
  return wanted.filter((_, index) => isPresent[index]);
}

/** Those of the files that git tracks; undefined where it did not say in time. */
async function listTracked(
  root: string,
  files: readonly PrefetchedFile[],
  deadline: Deadline,
): Promise<ReadonlySet<string> | undefined> {
  const paths = files.map(({ path }) => path);
  const { output, isWhole } = await runGit(root, ["ls-files", "-z", "--cached", "--", ...paths], {
    timeoutMs: deadline.left(),
  });
  return isWhole ? new Set(output.split("\0").filter((path) => path !== "")) : undefined;
}

async function readAll(
  root: string,
  files: readonly PrefetchedFile[],
  { deadline, budgetTokens = usualBudget, countTokens }: PrefetchLimits & { countTokens: CountTokens },
): Promise<PrefetchedFile[]> {
  const read: PrefetchedFile[] = [];
  let left = budgetTokens;
  for (const file of files) {
    if (deadline.left() === 0) break;
    const found = await readText(join(root, file.path));
    if (found === undefined) continue;
    // As it will be told: every line gets a mark in front.
    const tokens = "text" in found ? countTokens(quoteData(found.text)) : 0;
    if ("text" in found && tokens <= left) {
      left -= tokens;
      read.push({ ...file, text: found.text });
    } else {
      const why = "bytes" in found ? `it has ${found.bytes} bytes` : `it takes ${tokens} tokens, and ${left} are left`;
      read.push({ ...file, leftOut: `Only named: ${why}.` });
    }
  }
  return read;
}

// A file may have become a link or a pipe since it was looked at.
const carefully = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The text of a file without its secrets, or its size where it is larger than a memory may be; nothing of what is no text. */
async function readText(path: string): Promise<{ text: string } | { bytes: number } | undefined> {
  try {
    const handle = await open(path, carefully);
    try {
      const found = await handle.stat();
      if (!found.isFile() || found.size === 0) return undefined;
      // What finds secrets takes long to load, and where only names are told nothing is read.
      const { cleanText, contentLimitBytes } = await import("../hygiene/hygiene.js");
      if (found.size > contentLimitBytes) return { bytes: found.size };
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await handle.readFile());
      return { text: (await cleanText(text, path)).text };
    } finally {
      await handle.close();
    }
  } catch {
    // Gone meanwhile, not to be read, or binary.
    return undefined;
  }
}
