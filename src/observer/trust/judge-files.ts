import type { UntrustedSource } from "../observer.js";
import { isOutsidePath } from "../untrusted-sources/outside-path.js";
import { foldersOf, type Origin } from "./folder-origins.js";
import { globOf } from "./glob-of.js";
import type { TrackedIndex } from "./tracked-index.js";

/** What is known of where files come from at one moment of a session. */
export interface KnownOrigins {
  tracked: TrackedIndex;
  /** What agents wrote in earlier sessions. */
  ownFiles: ReadonlyMap<string, Origin>;
  /** What this session has written. */
  now: ReadonlyMap<string, Origin>;
}

/** Tells where a file's content is from. */
export interface FileJudge {
  /** Undefined for what is from the project, or from an agent that knew nothing else. */
  judge: (path: string) => UntrustedSource | undefined;
  /** A manifest says which program runs; of one that git has that is the project's, whoever changed it last. */
  judgeManifest: (path: string) => UntrustedSource | undefined;
  isProjects: (path: string) => boolean;
  /** The same of a name in an answer, which begins where the agent was: that may be a folder of the project. */
  judgeName: (name: string) => UntrustedSource | undefined;
}

export function openFileJudge(
  root: string,
  {
    nowFolders,
    spilled,
    plain,
    ...known
  }: KnownOrigins & {
    nowFolders: ReadonlyMap<string, Origin>;
    /** Where commands of this session put files that came from elsewhere. */
    spilled: readonly RegExp[];
    /** A path from the root, as the others have it. */
    plain: (path: string) => string;
  },
): FileJudge {
  const { tracked, ownFiles, now } = known;
  let ownFolders: ReadonlyMap<string, Origin> | undefined;

  const judge = (path: string): UntrustedSource | undefined => {
    const file = plain(path);
    if (file === "" || file === ".") return undefined;
    const isElsewhere = isOutsidePath(file, root);
    // `[id].ts` is the name of a file where git says so.
    const isGlob = /[*?[{]/.test(file) && !now.has(file) && !tracked.has(file) && !ownFiles.has(file);
    const from = isGlob ? sourceOfGlob(file, isElsewhere, known) : sourceOfFile(file, isElsewhere);
    return from && { from: isElsewhere ? "file" : from, what: file.slice(0, 200) };
  };
  const sourceOfFile = (file: string, isElsewhere: boolean): "written" | "untracked" | undefined => {
    const current = now.get(file);
    if (!current && spilled.some((matches) => matches.test(file))) return "untracked";
    // What git has went through somebody's hands, unless those were an agent's that had read something untrusted. A folder
    // shows no more than its files' names.
    if (!current && !isElsewhere && tracked.has(file)) {
      return tracked.hasFile(file) && ownFiles.get(file) === "tainted" ? "written" : undefined;
    }
    ownFolders ??= foldersOf(ownFiles);
    const origin = current ?? nowFolders.get(file) ?? ownFiles.get(file) ?? ownFolders.get(file);
    return (origin === undefined ? !isElsewhere && !tracked.hasGit : origin === "clean") ? undefined : "untracked";
  };
  const isProjects = (path: string): boolean => {
    const file = plain(path);
    return !isOutsidePath(file, root) && (tracked.has(file) || !tracked.hasGit) && now.get(file) !== "tainted";
  };

  return {
    judge,
    isProjects,
    judgeManifest: (path) => (isProjects(path) ? undefined : judge(path)),
    judgeName: (name) => {
      const isTracked = !isOutsidePath(name, root) && tracked.hasBelow(plain(name), now);
      return isTracked || isAmongTracked(plain(name), known) ? undefined : judge(name);
    },
  };
}

/** Of several files, one of which is certain: the project's when some are known and none of those is from elsewhere. */
function sourceOfGlob(
  glob: string,
  isElsewhere: boolean,
  { tracked, ownFiles, now }: KnownOrigins,
): "written" | "untracked" | undefined {
  const matches = globOf(glob);
  let hasAny = !isElsewhere && (!tracked.hasGit || tracked.hasMatch(glob, matches));
  let isWritten = false;
  for (const [file, origin] of [...ownFiles, ...now]) {
    if (!matches.test(file) || (!now.has(file) && origin === "clean" && tracked.has(file))) continue;
    hasAny = true;
    if ((now.get(file) ?? origin) !== "tainted") continue;
    if (now.has(file) || !tracked.hasFile(file)) return "untracked";
    isWritten = true;
  }
  if (!hasAny) return "untracked";
  return isWritten ? "written" : undefined;
}

/**
 * What a build leaves between the project's own files comes up in every search. Who opens such a file is told apart; a line of
 * it among others is not, unless an agent is known to have written it from outside.
 */
function isAmongTracked(path: string, { tracked, ownFiles, now }: KnownOrigins): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return folder !== "" && tracked.has(folder) && !now.has(path) && !ownFiles.has(path);
}
