import type { Outside } from "../notes/note.js";
import type { Action } from "../scratchpad/session-view.js";
import { sourcesOf } from "./command-sources.js";
import { isOutsidePath } from "./outside-path.js";

/** Whether a file was written from what was not from outside. */
export type Origin = "clean" | "tainted";

export interface KnownFiles {
  root: string;
  /** What git had when the session began. Undefined without git: then what lies inside the root is the project's. */
  tracked: ReadonlySet<string> | undefined;
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

export function openFileOrigins({ root, tracked, ownFiles }: KnownFiles): FileOrigins {
  const base = `${root.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  /** What this session has written so far. */
  const now = new Map<string, Origin>();
  const nowFolders = new Map<string, Origin>();
  const written = new Map<string, Origin>();
  let trackedFolders: ReadonlyMap<string, Origin> | undefined;
  let ownFolders: ReadonlyMap<string, Origin> | undefined;

  return {
    written,
    shownBy(action) {
      for (const path of pathsShown(action)) {
        const outside = judge(path);
        if (outside) return outside;
      }
      return undefined;
    },
    write(action, isTainted) {
      const { does, files, command, edit, failed } = action;
      if (!files || (does !== "edit" && does !== "run") || (does === "edit" && failed)) return;
      const paths = files.map((file) => plain(file));
      const copied = command ? sourcesOf(command.line).copied : [];
      const isFromOutside =
        isTainted ||
        (does === "run" && paths.some((path) => now.get(path) === "tainted")) ||
        copied.some((path) => judge(path) !== undefined);
      for (const path of paths) {
        // What is changed in part keeps the rest.
        const isTaintedStill = now.get(path) === "tainted" && edit?.whole === undefined;
        const origin: Origin = isFromOutside || isTaintedStill ? "tainted" : "clean";
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
    const current = now.get(file);
    // What git has went through somebody's hands, whoever wrote it first.
    if (!current && !isElsewhere && isTracked(file)) return undefined;
    const origin = current ?? nowFolders.get(file) ?? ownFiles.get(file) ?? originOfFolder(file);
    const isClean = origin === undefined ? !isElsewhere && !tracked : origin === "clean";
    return isClean ? undefined : { from: isElsewhere ? "file" : "untracked", what: file.slice(0, 200) };
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

  /** Of a folder that git does not know: clean when agents made what is in it. */
  function originOfFolder(path: string): Origin | undefined {
    ownFolders ??= foldersOf(ownFiles);
    return ownFolders.get(path);
  }
}

function pathsShown({ does, files = [], search, found, failed, bytes, command }: Action): string[] {
  if (does === "run") return command ? sourcesOf(command.line).shown : [];
  if (does === "edit" || found === 0 || search?.by === "name") return [];
  // An error of one file shows nothing of it.
  if (failed && files.length === 1 && (!command || (bytes ?? 0) <= 300)) return [];
  return search?.where === undefined ? files : [...files, staticPart(search.where)];
}

/** `src/ui` of `src/ui/*.ts`. */
function staticPart(where: string): string {
  const at = where.search(/[*?{[]/);
  return at === -1 ? where : where.slice(0, Math.max(0, where.lastIndexOf("/", at)));
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
