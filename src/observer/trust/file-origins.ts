import type { UntrustedSource } from "../observer.js";
import type { Action } from "../scratchpad/session-view.js";
import { foldersOf, markFolders, type Origin } from "./folder-origins.js";
import { globOf } from "./glob-of.js";
import { isOutsidePath } from "../untrusted-sources/outside-path.js";
import { pathsShown } from "./paths-shown.js";
import type { TrackedFiles } from "./tracked-files.js";
import { openTrackedIndex } from "./tracked-index.js";

export interface KnownFiles {
  root: string;
  /** What git had when the session began. Undefined without git: then what lies inside the root is the project's. */
  tracked: TrackedFiles;
  /** What agents wrote in earlier sessions. */
  ownFiles: ReadonlyMap<string, Origin>;
}

/** What is known of where files come from, as a session goes on. */
export interface FileOrigins {
  /** The content from outside that an action shows by files, if it does. */
  shownBy(action: Action): UntrustedSource | undefined;
  /** Takes in what an action writes. */
  write(action: Action, isTainted: boolean): void;
  /** What was written, for later sessions. */
  written: Map<string, Origin>;
}

export function openFileOrigins({ root, tracked: told, ownFiles }: KnownFiles): FileOrigins {
  const base = `${root.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  // Where git has not answered in time nothing is known to be the project's.
  const tracked = openTrackedIndex(told === "unknown" ? new Set() : told);
  /** What this session has written so far. */
  const now = new Map<string, Origin>();
  const nowFolders = new Map<string, Origin>();
  const written = new Map<string, Origin>();
  let ownFolders: ReadonlyMap<string, Origin> | undefined;

  return {
    written,
    shownBy(action) {
      for (const path of pathsShown(action)) {
        const outside = judge(path);
        if (outside) return outside;
      }
      for (const name of action.names ?? []) {
        const outside = isTrackedSomewhere(name) || isAmongTracked(name) ? undefined : judge(name);
        if (outside) return outside;
      }
      return undefined;
    },
    write(action, isTainted) {
      const { does, files, copies = [], makes = [], edit, failed } = action;
      if (!files || (does !== "edit" && does !== "run") || (does === "edit" && failed)) return;
      const paths = files.map((file) => plain(file));
      const isFromOutside =
        isTainted ||
        (does === "run" && paths.some((path) => now.get(path) === "tainted")) ||
        copies.some((path) => judge(path) !== undefined);
      for (const path of paths) {
        // What is changed in part keeps the rest, and is what it was.
        const isWhole = edit?.whole !== undefined || makes.includes(path);
        if (!isFromOutside && !isWhole && judge(path)) continue;
        const origin: Origin = isFromOutside ? "tainted" : "clean";
        now.set(path, origin);
        markFolders(nowFolders, path, origin);
        // Without git nothing ever says that a file has become the project's: one that was only changed stays so.
        const isProjects =
          !tracked.hasGit && !isOutsidePath(path, root) && edit !== undefined && edit.whole === undefined;
        if (origin === "clean" || !isProjects) written.set(path, origin);
      }
    },
  };

  /** Where a file's content is from, if not from the project or from an agent that knew nothing else. */
  function judge(path: string): UntrustedSource | undefined {
    const file = plain(path);
    if (file === "" || file === ".") return undefined;
    const isElsewhere = isOutsidePath(file, root);
    const isClean =
      /[*?[{]/.test(file) && !isKnown(file) ? isCleanGlob(file, isElsewhere) : isCleanFile(file, isElsewhere);
    return isClean ? undefined : { from: isElsewhere ? "file" : "untracked", what: file.slice(0, 200) };
  }

  /** `[id].ts` is the name of a file where git says so. */
  function isKnown(file: string): boolean {
    return now.has(file) || tracked.has(file) || ownFiles.has(file);
  }

  function isCleanFile(file: string, isElsewhere: boolean): boolean {
    const current = now.get(file);
    // What git has went through somebody's hands, whoever wrote it first.
    if (!current && !isElsewhere && tracked.has(file)) return true;
    const origin = current ?? nowFolders.get(file) ?? ownFiles.get(file) ?? originOfFolder(file);
    return origin === undefined ? !isElsewhere && !tracked.hasGit : origin === "clean";
  }

  /** Of several files, one of which is certain: clean when some are known and none of those is from outside. */
  function isCleanGlob(glob: string, isElsewhere: boolean): boolean {
    const matches = globOf(glob);
    let hasAny = !isElsewhere && (!tracked.hasGit || tracked.hasMatch(glob, matches));
    for (const [file, origin] of [...ownFiles, ...now]) {
      if (!matches.test(file) || (!now.has(file) && tracked.has(file))) continue;
      if ((now.get(file) ?? origin) === "tainted") return false;
      hasAny = true;
    }
    return hasAny;
  }

  function plain(path: string): string {
    const slashed = path.includes("\\") ? path.replaceAll("\\", "/") : path;
    const own = base !== "/" && slashed.startsWith(base) ? slashed.slice(base.length) : slashed;
    return /^\.\/|\/$/.test(own) ? own.replace(/^(?:\.\/)+/, "").replace(/(?<=[^/])\/+$/, "") : own;
  }

  /** What an answer names begins where the agent was, which may be a folder of the project. */
  function isTrackedSomewhere(name: string): boolean {
    return !isOutsidePath(name, root) && tracked.hasBelow(plain(name), now);
  }

  /**
   * What a build leaves between the project's own files comes up in every search. Who opens such a file is told apart; a
   * line of it among others is not, unless an agent is known to have written it from outside.
   */
  function isAmongTracked(name: string): boolean {
    const path = plain(name);
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    return folder !== "" && tracked.has(folder) && !now.has(path) && !ownFiles.has(path);
  }

  /** Of a folder that git does not know: clean when agents made what is in it. */
  function originOfFolder(path: string): Origin | undefined {
    ownFolders ??= foldersOf(ownFiles);
    return ownFolders.get(path);
  }
}
