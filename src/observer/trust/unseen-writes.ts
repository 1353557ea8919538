import { lstatSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { resolve } from "node:path";
import { blobIds, readFileBlobs, runGit, shareLimits, type GitLimits } from "../../base/git/git.js";
import { openIgnoring } from "../../project/ignore/ignore.js";
import type { ProjectContext } from "../../project/project.js";
import { redactTexts } from "../notes/redact-note.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import type { Taint } from "./taint.js";

const gitMs = 2000;
// Some file systems count whole seconds, and the clock of a disk runs a little behind.
const slackMs = 1000;
// What a program does that a session's last command left behind.
const afterMs = 120_000;
// 100,000 files take 0.3 s to look at, and 11,000 that were written 0.5 s to compare (2026-11). What lies beyond is not looked at.
const maxTracked = 200_000;
const atOnce = 500;

/**
 * Marks what a session wrote into tracked files by ways that no command tells: a script, a loop, a patch from its input. Once it has read
 * words that spread into files, every file that was written since and is not as HEAD has it counts as written from them, whoever
 * wrote it. Of any other session git is asked nothing.
 *
 * Git itself would tell changed files by its index, where whoever works here can say that a file is to be taken for unchanged, and
 * would start filters to look into them. So it only tells what HEAD has, and the files are looked at here.
 */
export async function markUnseenWrites(
  context: ProjectContext,
  taint: Taint,
  { root, pads, isPast = false }: { root: string; pads: readonly Scratchpad[]; isPast?: boolean },
): Promise<void> {
  const since = taint.spreadsSince();
  if (since === undefined) return;
  const lastAt = Math.max(...pads.flatMap(({ start, end, actions }) => [start, end, actions.at(-1)].map(timeOf)));
  // The clock of an agent elsewhere may be ahead of the one that dates files.
  const aheadMs = Math.max(0, lastAt - context.now().getTime());
  const from = since - aheadMs - slackMs;
  const until = isPast ? lastAt + afterMs : Infinity;
  const found = await listWrittenSince(root, { from, until }, { timeoutMs: gitMs });
  const paths = found.filter((path) => taint.written.get(path) !== "tainted");
  if (paths.length === 0) return;
  const ignoring = openIgnoring({ root, ignore: (await context.settings()).ignore });
  for (const path of paths) {
    // Without its name it can't be marked. What reads an ignored file is untrusted anyway.
    if (ignoring.path(path, { isFile: true }) !== undefined) continue;
    // No note has a path with a token in it either, so a file of that name is no tracked one to later sessions.
    if ((await redactTexts({ path })).path === path) taint.written.set(path, "tainted");
  }
}

function timeOf(note: { at: number } | undefined): number {
  return note?.at ?? Number.NEGATIVE_INFINITY;
}

/** The tracked files that were written in that time and are not as HEAD has them; none where git does not answer in time. */
async function listWrittenSince(
  root: string,
  { from, until }: { from: number; until: number },
  all: GitLimits,
): Promise<string[]> {
  const limits = shareLimits(all);
  const { output, isWhole } = await runGit(root, ["ls-tree", "-r", "-z", "HEAD"], limits());
  if (!isWhole) return [];
  const written: { path: string; blob: string; isLink: boolean }[] = [];
  for (const [index, line] of output.split("\0").slice(0, maxTracked).entries()) {
    if (index % atOnce === atOnce - 1) {
      await new Promise((wake) => setImmediate(wake));
      if (limits().timeoutMs <= 0) break;
    }
    const [, blob, path] = /^\d+ blob ([\da-f]+)\t(.+)$/s.exec(line) ?? [];
    const at = path === undefined ? undefined : lookAt(resolve(root, path));
    if (at && at.changedMs >= from && at.changedMs <= until) {
      written.push({ path: path as string, blob: blob as string, isLink: at.isLink });
    }
  }
  const changed: string[] = [];
  for (let first = 0; first < written.length; first += atOnce) {
    const some = written.slice(first, first + atOnce);
    // What can't be compared in time counts as changed, or whoever touches every file would hide one.
    const isInTime = limits().timeoutMs > 0;
    const known = isInTime
      ? await Promise.all(some.map(({ path, isLink }) => listBlobs(resolve(root, path), isLink)))
      : [];
    changed.push(...some.flatMap(({ path, blob }, index) => (known[index]?.includes(blob) ? [] : [path])));
  }
  return changed;
}

/** Never follows a link: one that takes the place of a file shows another one. */
function lookAt(path: string): { changedMs: number; isLink: boolean } | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found || found.isDirectory()) return undefined;
    // A program can date a file back; when it did so, it can't.
    return { changedMs: Math.max(found.mtimeMs, found.ctimeMs), isLink: found.isSymbolicLink() };
  } catch {
    return undefined;
  }
}

async function listBlobs(path: string, isLink: boolean): Promise<readonly string[]> {
  if (!isLink) return (await readFileBlobs(path))?.blobs ?? [];
  return readlink(path).then(
    (target) => blobIds(Buffer.from(target)),
    () => [],
  );
}
