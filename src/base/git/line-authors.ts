import { blobIds } from "./blob-ids.js";
import { type FileChange, linesOf, readFileChanges } from "./file-changes.js";
import { readOwnCommits } from "./own-commits.js";
import type { GitLimits } from "./run-git.js";

/** Whose commit it was; without an address where git does not know. */
export interface LineAuthor {
  email?: string;
}

export interface LineAuthors {
  /** Somebody else whose commit brought a line into the file; undefined for what the user committed, or nobody. */
  broughtBy: (line: string) => LineAuthor | undefined;
  /** Somebody else whose commit took it out. */
  removedBy: (line: string) => LineAuthor | undefined;
  /** Whether the file is, byte for byte, a version that somebody else committed. */
  isTheirs: (bytes: Uint8Array) => boolean;
  /** Whether the checked out commit and the index have a line. */
  isKept: (line: string) => boolean;
}

/**
 * Asks git who brought each line of a file, on whatever branch: a text that a merge put together is in no commit as a whole.
 * Undefined where git knows nothing of the file; `unknown` where it gives no answer, or where the file in the work tree is not
 * what git has of it, by a filter that a commit may have named.
 */
export async function readLineAuthors(
  root: string,
  path: string,
  limits: GitLimits,
): Promise<LineAuthors | "unknown" | undefined> {
  const known = await readOwnCommits(root, limits);
  if (!known) return "unknown";
  const { changes, answer } = await readFileChanges(known, path);
  if (!answer.isWhole) return "unknown";
  if (changes.length === 0) return undefined;
  // Git is not asked to filter the file: for that it would start what a stranger has set.
  const filters = await known.ask("check-attr", "filter", "ident", "working-tree-encoding", "--", path);
  const isPlain = filters.output.split("\n").every((line) => line === "" || / un(?:specified|set)$/.test(line));
  if (!filters.isWhole || !isPlain) return "unknown";
  const head = await known.ask("cat-file", "blob", `HEAD:${path}`);
  const index = await known.ask("cat-file", "blob", `:${path}`);
  if (head.isLate || index.isLate) return "unknown";

  const [inHead, inIndex] = [new Set(linesOf(head.output)), new Set(linesOf(index.output))];
  const { brought, removed } = listDoers(changes);
  const theirs = new Set(changes.filter(({ author }) => !author.isMadeHere).map(({ blob }) => blob));
  return {
    broughtBy: (line) => othersOf(brought.get(line)),
    removedBy: (line) => othersOf(removed.get(line)),
    isTheirs: (bytes) => blobIds(bytes).some((id) => theirs.has(id)),
    isKept: (line) => inHead.has(line) && inIndex.has(line),
  };
}

/** By whom something was done: the user, this clone with a change that may be anybody's, or somebody else. */
interface Doers {
  isOwn?: true;
  made?: LineAuthor;
  other?: LineAuthor;
}

function listDoers(changes: readonly FileChange[]): { brought: Map<string, Doers>; removed: Map<string, Doers> } {
  const [brought, removed] = [new Map<string, Doers>(), new Map<string, Doers>()];
  const note = (all: Map<string, Doers>, line: string, { author, isBorder }: FileChange): void => {
    const doers = all.get(line) ?? {};
    const by = isBorder ? {} : { email: author.email };
    if (author.isOwn) doers.isOwn = true;
    else if (author.isMadeHere) doers.made ??= by;
    else doers.other ??= by;
    all.set(line, doers);
  };
  for (const change of changes) {
    for (const line of change.brought) note(brought, line, change);
    // One that only moved is still there.
    for (const line of change.removed) if (!change.brought.has(line)) note(removed, line, change);
  }
  return { brought, removed };
}

/**
 * What somebody else did stays theirs where the user commits it again, as by a squash or a soft reset. What this clone rebased is
 * the user's where it was before.
 */
function othersOf({ isOwn, made, other }: Doers = {}): LineAuthor | undefined {
  return other ?? (isOwn ? undefined : made);
}
