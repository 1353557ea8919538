import type { UntrustedSource } from "../observer.js";
import type { Action } from "../scratchpad/session-view.js";
import { markFolders, type Origin } from "./folder-origins.js";
import { globOf } from "./glob-of.js";
import { openFileJudge } from "./judge-files.js";
import { isOutsidePath } from "../untrusted-sources/outside-path.js";
import { pathsShown } from "./paths-shown.js";
import { ranByOthers } from "./ran-by-others.js";
import type { TrackedFiles } from "./tracked-files.js";
import { shownChanges } from "./shown-changes.js";
import { openTrackedIndex } from "./tracked-index.js";

export interface KnownFiles {
  root: string;
  /** What git had when the session began. Undefined without git: then what lies inside the root is the project's. */
  tracked: TrackedFiles;
  /** What agents wrote in earlier sessions; of what git tracks only what nobody has committed since. */
  ownFiles: ReadonlyMap<string, Origin>;
  /** What such agents wrote into tracked files that lie there as they were committed: a stash may have it. */
  putAway?: ReadonlySet<string>;
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
  putAway = new Set(),
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
  const plain = (path: string) => plainPath(path, base);
  const known = { tracked, ownFiles, now };
  const { judge, judgeManifest, judgeName, isProjects } = openFileJudge(root, { ...known, nowFolders, spilled, plain });

  return {
    written,
    shownBy(action) {
      for (const path of pathsShown(action)) {
        const outside = judge(path);
        if (outside) return outside;
      }
      const before = [...ownFiles].flatMap(([file, origin]) =>
        origin === "tainted" && !now.has(file) && tracked.hasFile(file) ? [file] : [],
      );
      const changed = shownChanges(action, { now, before, putAway });
      const ran = changed ?? ranByOthers(action, { judge: judgeManifest, isProjects, built, plain, exists });
      if (ran) return ran;
      for (const name of action.names ?? []) {
        const outside = judgeName(name);
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
}

/** A path from the root, as the others have it. */
function plainPath(path: string, base: string): string {
  const slashed = path.includes("\\") ? path.replaceAll("\\", "/") : path;
  const own = base !== "/" && slashed.startsWith(base) ? slashed.slice(base.length) : slashed;
  return /^\.\/|\/$/.test(own) ? own.replace(/^(?:\.\/)+/, "").replace(/(?<=[^/])\/+$/, "") : own;
}
