import type { Outside } from "../events/event.js";
import type { Action } from "../scratchpad/session-view.js";
import { globOf } from "./glob-of.js";
import { isOutsidePath } from "./outside-path.js";
import type { Tracked } from "./tracked-files.js";

/** Whether a file was written from what was not from outside. */
export type Origin = "clean" | "tainted";

export interface KnownFiles {
  root: string;
  /** What git had when the session began. Undefined without git: then what lies inside the root is the project's. */
  tracked: Tracked;
  /** What agents wrote in earlier sessions. */
  ownFiles: ReadonlyMap<string, Origin>;
}

/** What is known of where files come from, as a session goes on. */
export interface FileOrigins {
  /** The content from outside that an action shows by files, if it does. */
  shownBy(action: Action): Outside | undefined;
  /** Takes in what an action writes. */
  write(action: Action, isTainted: boolean): void;
  /** What was written, for later sessions. */
  written: Map<string, Origin>;
}

export function openFileOrigins({ root, tracked: told, ownFiles }: KnownFiles): FileOrigins {
  const base = `${root.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  // Where git has not answered in time nothing is known to be the project's.
  const tracked = told === "unknown" ? none : told;
  /** What this session has written so far. */
  const now = new Map<string, Origin>();
  const nowFolders = new Map<string, Origin>();
  const written = new Map<string, Origin>();
  const trackedMatches = new Map<string, boolean>();
  let trackedFolders: ReadonlyMap<string, Origin> | undefined;
  let ownFolders: ReadonlyMap<string, Origin> | undefined;
  let trackedNames: ReadonlyMap<string, string[]> | undefined;

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
        const isProjects = !tracked && !isOutsidePath(path, root) && edit !== undefined && edit.whole === undefined;
        if (origin === "clean" || !isProjects) written.set(path, origin);
      }
    },
  };

  /** Where a file's content is from, if not from the project or from an agent that knew nothing else. */
  function judge(path: string): Outside | undefined {
    const file = plain(path);
    if (file === "" || file === ".") return undefined;
    const isElsewhere = isOutsidePath(file, root);
    const isClean =
      /[*?[{]/.test(file) && !isKnown(file) ? isCleanGlob(file, isElsewhere) : isCleanFile(file, isElsewhere);
    return isClean ? undefined : { from: isElsewhere ? "file" : "untracked", what: file.slice(0, 200) };
  }

  /** `[id].ts` is the name of a file where git says so. */
  function isKnown(file: string): boolean {
    return now.has(file) || isTracked(file) || ownFiles.has(file);
  }

  function isCleanFile(file: string, isElsewhere: boolean): boolean {
    const current = now.get(file);
    // What git has went through somebody's hands, whoever wrote it first.
    if (!current && !isElsewhere && isTracked(file)) return true;
    const origin = current ?? nowFolders.get(file) ?? ownFiles.get(file) ?? originOfFolder(file);
    return origin === undefined ? !isElsewhere && !tracked : origin === "clean";
  }

  /** Of several files, one of which is certain: clean when some are known and none of those is from outside. */
  function isCleanGlob(glob: string, isElsewhere: boolean): boolean {
    const matches = globOf(glob);
    let hasAny = !isElsewhere && (!tracked || hasTracked(glob, matches));
    for (const [file, origin] of [...ownFiles, ...now]) {
      if (!matches.test(file) || (!now.has(file) && isTracked(file))) continue;
      if ((now.get(file) ?? origin) === "tainted") return false;
      hasAny = true;
    }
    return hasAny;
  }

  function hasTracked(glob: string, matches: RegExp): boolean {
    let has = trackedMatches.get(glob);
    if (has === undefined) {
      has = false;
      for (const file of tracked ?? none) {
        if (!matches.test(file)) continue;
        has = true;
        break;
      }
      trackedMatches.set(glob, has);
    }
    return has;
  }

  function plain(path: string): string {
    const slashed = path.includes("\\") ? path.replaceAll("\\", "/") : path;
    const own = base !== "/" && slashed.startsWith(base) ? slashed.slice(base.length) : slashed;
    return /^\.\/|\/$/.test(own) ? own.replace(/^(?:\.\/)+/, "").replace(/(?<=[^/])\/+$/, "") : own;
  }

  function isTracked(path: string): boolean {
    if (!tracked || tracked.has(path)) return tracked !== undefined;
    trackedFolders ??= foldersOf([...tracked].map((file) => [file, "clean"]));
    return trackedFolders.has(path);
  }

  /** What an answer names begins where the agent was, which may be a folder of the project. */
  function isTrackedSomewhere(name: string): boolean {
    if (!tracked || isOutsidePath(name, root)) return false;
    trackedNames ??= byLastName(tracked);
    const path = plain(name);
    return (trackedNames.get(lastName(path)) ?? []).some((file) => file.endsWith(`/${path}`) && !now.has(file));
  }

  /**
   * What a build leaves between the project's own files comes up in every search. Who opens such a file is told apart; a
   * line of it among others is not, unless an agent is known to have written it from outside.
   */
  function isAmongTracked(name: string): boolean {
    const path = plain(name);
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    return folder !== "" && tracked !== undefined && isTracked(folder) && !now.has(path) && !ownFiles.has(path);
  }

  /** Of a folder that git does not know: clean when agents made what is in it. */
  function originOfFolder(path: string): Origin | undefined {
    ownFolders ??= foldersOf(ownFiles);
    return ownFolders.get(path);
  }
}

const none: ReadonlySet<string> = new Set();

function pathsShown({ does, files = [], shows = [], search, found, failed, bytes, command }: Action): string[] {
  if (found === 0) return [];
  const isLook = does !== "run" && does !== "edit" && search?.by !== "name";
  const own = [...(isLook ? files : []), ...shows];
  // An error of one file shows nothing of it.
  if (failed && own.length === 1 && (!command || (bytes ?? 0) <= 300)) return [];
  return isLook && search?.where !== undefined ? [...own, staticPart(search.where)] : own;
}

/** `src/ui` of `src/ui/*.ts`. */
function staticPart(where: string): string {
  const at = where.search(/[*?{[]/);
  return at === -1 ? where : where.slice(0, Math.max(0, where.lastIndexOf("/", at)));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function byLastName(files: Iterable<string>): ReadonlyMap<string, string[]> {
  const names = new Map<string, string[]>();
  for (const file of files) {
    const known = names.get(lastName(file));
    if (known) known.push(file);
    else names.set(lastName(file), [file]);
  }
  return names;
}

function foldersOf(files: Iterable<readonly [string, Origin]>): ReadonlyMap<string, Origin> {
  const folders = new Map<string, Origin>();
  for (const [file, origin] of files) markFolders(folders, file, origin);
  return folders;
}

/** One tainted file taints what is shown of its folders. */
function markFolders(folders: Map<string, Origin>, file: string, origin: Origin): void {
  for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) {
    const folder = file.slice(0, at);
    const known = folders.get(folder);
    // Those above it are marked already.
    if (known === "tainted" || known === origin) return;
    folders.set(folder, origin);
  }
}
