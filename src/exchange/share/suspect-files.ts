import { runGit, shareLimits } from "../../base/git/git.js";
import { hashOfText, sharedPath, type SharedFile } from "./shared-folder.js";
import { hashOfPath, type SharedState } from "./shared-state.js";

/** A file that may be what a power cut left of one. */
export interface SuspectFile {
  path: string;
  isHollow: boolean;
  text?: string;
}

const timeoutMs = 2000;

/**
 * The files that are hollow or cut short, by the hash of their path. Not those of which git has a sound version that this
 * store has never read: the memory would be an older one, and git has the file.
 */
export async function findSuspectFiles(
  root: string,
  files: readonly SharedFile[],
  known: ReadonlyMap<string, SharedState>,
): Promise<Map<string, SuspectFile>> {
  const found = new Map<string, SuspectFile>();
  const limits = shareLimits({ timeoutMs });
  for (const { path, text, hash, isHollow } of files) {
    const state = known.get(hashOfPath(path));
    if (hash === state?.fileHash || !(isHollow || isCutAnywhere(text ?? ""))) continue;
    const committed = await runGit(root, ["cat-file", "blob", `HEAD:${sharedPath}/${path}`], limits());
    const isSound = committed.isWhole && !/^\s*$|\0/.test(committed.output) && !isCutAnywhere(committed.output);
    const isNewer = isSound && state !== undefined && hashOfText(committed.output) !== state.fileHash;
    if (!isNewer) found.set(hashOfPath(path), { path, isHollow, ...(text !== undefined && { text }) });
  }
  return found;
}

/** True where nobody meant a file to be like this, given what its memory would be written as. */
export function isDamaged({ isHollow, text }: SuspectFile, whole: string): boolean {
  if (text === undefined || text === whole) return false;
  // Of a zeroed file the beginning may be left; where that is another text, somebody wrote it.
  return whole.startsWith(isHollow ? (text.split("\0", 1)[0] ?? "") : text);
}

// A file that was being written ends where a block of the disk does.
const blockBytes = 4096;

/** A person may take the last lines away, and leaves a file that can be read; within a line or its front matter, a block ends. */
function isCutAnywhere(text: string): boolean {
  const isUnclosed = text.startsWith("---\n") && !/^---\n(?:.*\n)*?---\n/.test(text);
  return isUnclosed || (!text.endsWith("\n") && Buffer.byteLength(text) % blockBytes === 0);
}
