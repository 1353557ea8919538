import type { UntrustedSource } from "../observer.js";
import type { Action } from "../scratchpad/session-view.js";
import { foldersOf, markFolders, type Origin } from "./folder-origins.js";
import { globOf } from "./glob-of.js";
import { isOutsidePath } from "../untrusted-sources/outside-path.js";
import { pathsShown } from "./paths-shown.js";
import { ranByOthers } from "./ran-by-others.js";
import type { TrackedFiles } from "./tracked-files.js";
import { openTrackedIndex, type TrackedIndex } from "./tracked-index.js";

export interface KnownFiles {
  root: string;
  /** What git had when the session began. Undefined without git: then what lies inside the root is the project's. */
  tracked: TrackedFiles;
  /** What agents wrote in earlier sessions; of what git tracks only what nobody has vouched for since. */
  ownFiles: ReadonlyMap<string, Origin>;
  /** Of those the ones that git has as they lie there: it shows no change of them. */
  committed?: ReadonlySet<string>;
  /** Whether there is a file, by its path from the root. Default: there is none. */
  exists?: (path: string) => boolean;
}

/** What is known of where files come from, as a session goes on. */
export interface FileOrigins {
  /** The content from outside that an action shows by files, if it does. */
  shownBy(action: Action): UntrustedSource | undefined;
  /** Takes in what an action writes. A taint that stays leaves files as they were: other files are as clean as before. */
  write(action: Action, taint: "spreads" | "stays" | "none"): void;
  /** What was written, for later sessions. */
  written: Map<string, Origin>;
}

export function openFileOrigins({
  root,
  tracked: told,
  ownFiles,
  committed = new Set(),
  exists = () => false,
}: KnownFiles): FileOrigins {
  const base = `${root.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  // Where git has not answered in time nothing is known to be the project's.
  const tracked = openTrackedIndex(told === "unknown" ? new Set() : told);
  /** What this session has written so far. */
  const now = new Map<string, Origin>();
  /** Where commands put files that came from elsewhere. */
  const spilled: RegExp[] = [];
  const nowFolders = new Map<string, Origin>();
  const written = new Map<string, Origin>();
  /** Programs that were built from the project's code, and repositories that were made. */
  const built = new Set<string>();
  let ownFolders: ReadonlyMap<string, Origin> | undefined;

  return {
    written,
    shownBy(action) {
      for (const path of pathsShown(action)) {
        const outside = judge(path);
        if (outside) return outside;
      }
      const changed = changedByOthers(action, [...now, ...leftIn({ tracked, ownFiles, now }, committed)]);
      const ran = changed ?? ranByOthers(action, { judge: judgeManifest, isProjects, built, plain, exists });
      if (ran) return ran;
      for (const name of action.names ?? []) {
        const outside =
          isTrackedSomewhere(name) || isAmongTracked(plain(name), { tracked, ownFiles, now }) ? undefined : judge(name);
        if (outside) return outside;
      }
      return undefined;
    },
    write(action, taint) {
      const isTainted = taint === "spreads";
      const { does, files, copies = [], makes = [], builds = [], edit, failed } = action;
      for (const path of taint === "none" ? builds : []) built.add(plain(path));
      if (does === "run" && (isTainted || copies.some((path) => judge(path) !== undefined))) {
        for (const path of makes) spill(plain(path));
      }
      if (!files || (does !== "edit" && does !== "run") || (does === "edit" && failed)) return;
      const paths = files.map((file) => plain(file));
      const isFromOutside =
        isTainted ||
        (does === "run" && paths.some((path) => now.get(path) === "tainted")) ||
        copies.some((path) => judge(path) !== undefined);
      for (const path of paths) {
        // What is changed in part keeps the rest, and is what it was.
        const isWhole = edit?.whole !== undefined || makes.includes(path);
        if (!isFromOutside && (!isWhole || taint === "stays") && judge(path)) continue;
        const origin: Origin = isFromOutside ? "tainted" : "clean";
        now.set(path, origin);
        markFolders(nowFolders, path, origin);
        // Without git nothing ever says that a file has become the project's: one that was only changed stays so.
        const isPartOf =
          !tracked.hasGit && !isOutsidePath(path, root) && edit !== undefined && edit.whole === undefined;
        if (origin === "clean" || !isPartOf) written.set(path, origin);
      }
    },
  };

  /** Puts what came from elsewhere into files that a command does not name one by one. */
  function spill(path: string): void {
    if (/[*?[{]/.test(path)) return void spilled.push(globOf(path));
    now.set(path, "tainted");
    written.set(path, "tainted");
  }

  /** Where a file's content is from, if not from the project or from an agent that knew nothing else. */
  function judge(path: string): UntrustedSource | undefined {
    const file = plain(path);
    if (file === "" || file === ".") return undefined;
    const isElsewhere = isOutsidePath(file, root);
    const isClean =
      /[*?[{]/.test(file) && !isKnown(file)
        ? isCleanGlob(file, isElsewhere, { tracked, ownFiles, now })
        : isCleanFile(file, isElsewhere);
    if (isClean) return undefined;
    const isTracked = tracked.hasFile(file) && now.get(file) === undefined;
    return { from: isElsewhere ? "file" : isTracked ? "written" : "untracked", what: file.slice(0, 200) };
  }

  /** A manifest says which program runs; of one that git has that is the project's, whoever changed it last. */
  function judgeManifest(path: string): UntrustedSource | undefined {
    return isProjects(path) ? undefined : judge(path);
  }

  function isProjects(path: string): boolean {
    const file = plain(path);
    return !isOutsidePath(file, root) && (tracked.has(file) || !tracked.hasGit) && now.get(file) !== "tainted";
  }

  /** `[id].ts` is the name of a file where git says so. */
  function isKnown(file: string): boolean {
    return now.has(file) || tracked.has(file) || ownFiles.has(file);
  }

  function isCleanFile(file: string, isElsewhere: boolean): boolean {
    const current = now.get(file);
    // What git has went through somebody's hands, unless those were an agent's that had read something untrusted.
    if (!current && spilled.some((matches) => matches.test(file))) return false;
    // A folder shows no more than its files' names.
    const isTainted = tracked.hasFile(file) && ownFiles.get(file) === "tainted";
    if (!current && !isElsewhere && tracked.has(file) && !isTainted) return true;
    const origin = current ?? nowFolders.get(file) ?? ownFiles.get(file) ?? originOfFolder(file);
    return origin === undefined ? !isElsewhere && !tracked.hasGit : origin === "clean";
  }

  function plain(path: string): string {
    return plainPath(path, base);
  }

  /** What an answer names begins where the agent was, which may be a folder of the project. */
  function isTrackedSomewhere(name: string): boolean {
    return !isOutsidePath(name, root) && tracked.hasBelow(plain(name), now);
  }

  /** Of a folder that git does not know: clean when agents made what is in it. */
  function originOfFolder(path: string): Origin | undefined {
    ownFolders ??= foldersOf(ownFiles);
    return ownFolders.get(path);
  }
}

/** What was copied between the project's files from elsewhere, where git shows what has changed. */
function changedByOthers(
  { command, wordless }: Action,
  now: readonly (readonly [string, Origin])[],
): UntrustedSource | undefined {
  if (wordless || !/\bgit\b.*\b(?:diff|stash|add -p|commit -v)\b/.test(command?.line ?? "")) return undefined;
  const copied = now.find(([, origin]) => origin === "tainted");
  return copied && { from: "written", what: copied[0].slice(0, 200) };
}

/** A path from the root, as the others have it. */
function plainPath(path: string, base: string): string {
  const slashed = path.includes("\\") ? path.replaceAll("\\", "/") : path;
  const own = base !== "/" && slashed.startsWith(base) ? slashed.slice(base.length) : slashed;
  return /^\.\/|\/$/.test(own) ? own.replace(/^(?:\.\/)+/, "").replace(/(?<=[^/])\/+$/, "") : own;
}

interface KnownOrigins {
  tracked: TrackedIndex;
  ownFiles: ReadonlyMap<string, Origin>;
  /** What this session has written. */
  now: ReadonlyMap<string, Origin>;
}

/** Of several files, one of which is certain: clean when some are known and none of those is from outside. */
function isCleanGlob(glob: string, isElsewhere: boolean, { tracked, ownFiles, now }: KnownOrigins): boolean {
  const matches = globOf(glob);
  let hasAny = !isElsewhere && (!tracked.hasGit || tracked.hasMatch(glob, matches));
  for (const [file, origin] of [...ownFiles, ...now]) {
    if (!matches.test(file) || (!now.has(file) && origin === "clean" && tracked.has(file))) continue;
    if ((now.get(file) ?? origin) === "tainted") return false;
    hasAny = true;
  }
  return hasAny;
}

/**
 * What a build leaves between the project's own files comes up in every search. Who opens such a file is told apart; a line of
 * it among others is not, unless an agent is known to have written it from outside.
 */
function isAmongTracked(path: string, { tracked, ownFiles, now }: KnownOrigins): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return folder !== "" && tracked.has(folder) && !now.has(path) && !ownFiles.has(path);
}

/** What earlier sessions wrote among the project's files, which this one has not written anew. */
function leftIn({ tracked, ownFiles, now }: KnownOrigins, committed: ReadonlySet<string>): [string, Origin][] {
  return [...ownFiles].filter(([file]) => !now.has(file) && tracked.hasFile(file) && !committed.has(file));
}
