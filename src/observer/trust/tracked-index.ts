import { foldersOf } from "./folder-origins.js";

/** What git has, asked in several ways. Each is worked out when it is first asked for: a repository may have 100,000 files. */
export interface TrackedIndex {
  /** False where there is no git: then nothing is tracked, and nothing can be said of what is not. */
  readonly hasGit: boolean;
  /** True of a file, and of a folder that has any. */
  has(path: string): boolean;
  /** True of a file alone. */
  hasFile(path: string): boolean;
  /** Whether any file matches. The glob's text stands for it where it is asked for again. */
  hasMatch(glob: string, matches: RegExp): boolean;
  /** Whether the path names a file from some folder on, other than those that are left out. */
  hasBelow(path: string, leftOut: { has(file: string): boolean }): boolean;
}

export function openTrackedIndex(tracked: ReadonlySet<string> | undefined): TrackedIndex {
  const files: ReadonlySet<string> = tracked ?? new Set();
  const matched = new Map<string, boolean>();
  let folders: ReadonlyMap<string, unknown> | undefined;
  let names: ReadonlyMap<string, string[]> | undefined;
  return {
    hasGit: tracked !== undefined,
    has(path) {
      if (files.has(path)) return true;
      folders ??= foldersOf([...files].map((file) => [file, "clean"]));
      return folders.has(path);
    },
    hasFile: (path) => files.has(path),
    hasMatch(glob, matches) {
      let has = matched.get(glob);
      if (has === undefined) matched.set(glob, (has = some(files, (file) => matches.test(file))));
      return has;
    },
    hasBelow(path, leftOut) {
      names ??= byLastName(files);
      return (names.get(lastName(path)) ?? []).some((file) => file.endsWith(`/${path}`) && !leftOut.has(file));
    },
  };
}

function some(files: Iterable<string>, test: (file: string) => boolean): boolean {
  for (const file of files) if (test(file)) return true;
  return false;
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
