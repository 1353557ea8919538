import { blobIds } from "./blob-ids.js";
import { type FileChange, readFileChanges } from "./file-changes.js";
import { type CommitAuthor, type OwnCommits, readOwnCommits } from "./own-commits.js";
import type { GitLimits } from "./run-git.js";

/** Who committed a text as the content of a file, or removed the file. */
export interface BlobAuthor extends CommitAuthor {
  /** The user's own commit, and nobody else has committed the same, or a line that it brought. */
  isOwn: boolean;
  /** The default branch of the remote has it now, from this commit: somebody who may push there let it in. */
  isMerged: boolean;
}

export interface BlobAuthors {
  /** Who committed a text as the content of a file, the newest first; nobody where no commit has it so. */
  of(path: string, text: string): BlobAuthor[];
  /** Who removed a file by a commit. */
  removedBy(commit: string, isMeant: (path: string) => boolean): BlobAuthor | undefined;
}

/**
 * Asks git who brought each version of the files below a path, on whatever branch. What git does not answer in time is by
 * nobody, and nothing that a later question leaves out makes a commit the user's own.
 */
export async function readBlobAuthors(root: string, below: string, limits: GitLimits): Promise<BlobAuthors> {
  const known = await readOwnCommits(root, limits);
  const { changes, answer } = known ? await readFileChanges(known, below) : { changes: [], answer: { isWhole: false } };
  if (!known || changes.length === 0) return { of: () => [], removedBy: () => undefined };
  const isOwn = answer.isWhole ? findOwn(changes) : () => false;
  const isMerged = await findMerged(known, below);
  const asAuthor = (change: FileChange): BlobAuthor => ({
    ...change.author,
    isOwn: isOwn(change),
    isMerged: isMerged(change),
  });
  const blobs = new Map<string, FileChange[]>();
  for (const change of changes) blobs.set(keyOf(change), [...(blobs.get(keyOf(change)) ?? []), change]);
  return {
    of: (path, text) =>
      blobIds(Buffer.from(text))
        .flatMap((blob) => blobs.get(keyOf({ blob, path })) ?? [])
        .filter(({ isBorder }) => !isBorder)
        .map(asAuthor),
    removedBy: (commit, isMeant) => {
      const removal = changes.find((one) => one.commit === commit && isGone(one) && isMeant(one.path));
      return removal && asAuthor(removal);
    },
  };
}

/**
 * Own is what nobody else has committed: a squash, a soft reset or a cherry-pick without a commit gives somebody's text to the
 * user, and one that a merge put together by itself has lines of both.
 */
function findOwn(changes: readonly FileChange[]): (change: FileChange) => boolean {
  const others = changes.filter(({ author }) => !author.isMadeHere);
  const blobs = new Set(others.map(keyOf));
  const lines = new Set(others.flatMap(({ path, brought }) => [...brought].map((line) => `${path}\0${line}`)));
  const gone = new Set(others.flatMap(({ path, removed }) => [...removed].map((line) => `${path}\0${line}`)));
  return (change) => {
    const { author, path, brought, taken, removed, isMerge } = change;
    if (!author.isOwn || blobs.has(keyOf(change))) return false;
    if (isGone(change)) return true;
    // Two who change the same line both take the old one out.
    if (brought.size === 0) return !isMerge && ![...removed].some((line) => gone.has(`${path}\0${line}`));
    return ![...brought, ...taken].some((line) => lines.has(`${path}\0${line}`));
  };
}

/** What the remote that names the project has on its default branch: what is gone from there again does not count. */
async function findMerged({ ask }: OwnCommits, below: string): Promise<(change: FileChange) => boolean> {
  const names = (await ask("remote")).output.split("\n").filter((name) => name !== "");
  const remote = ["origin", names.length === 1 ? names[0] : "upstream"].find((name) => name && names.includes(name));
  const prefix = `refs/remotes/${remote}/`;
  const refs = (await ask("for-each-ref", "--format=%(refname)", "refs/remotes")).output.split("\n");
  const trunk = ["HEAD", "main", "master"].map((name) => `${prefix}${name}`).find((name) => refs.includes(name));
  if (remote === undefined || trunk === undefined) return () => false;
  const commits = await ask("log", "--full-history", "--format=%H", trunk, "--", below);
  const tree = await ask("ls-tree", "-r", "--full-tree", trunk, "--", below);
  if (!commits.isWhole || !tree.isWhole) return () => false;
  const merged = new Set(commits.output.split("\n"));
  const now = new Map(
    tree.output.split("\n").flatMap((line) => {
      const { blob, path } = /^\d+ blob (?<blob>[0-9a-f]+)\t(?<path>[^]+)$/.exec(line)?.groups ?? {};
      return path === undefined ? [] : [[path, blob]];
    }),
  );
  return (change) =>
    merged.has(change.commit) && (isGone(change) ? !now.has(change.path) : now.get(change.path) === change.blob);
}

function keyOf({ blob, path }: Pick<FileChange, "blob" | "path">): string {
  return `${blob} ${path}`;
}

function isGone({ blob }: FileChange): boolean {
  return /^0+$/.test(blob);
}
