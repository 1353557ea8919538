import type { Action } from "./session-view.js";

/** The files of an action that belong to the project and that people write: relative paths, nothing generated. */
export function projectFiles({ files = [] }: Pick<Action, "files">): string[] {
  return files.filter(isProjectFile);
}

/** Whether a path lies inside the project and is written by people: no lock files, nothing installed or built. */
export function isProjectFile(path: string): boolean {
  const before = known.get(path);
  if (before !== undefined) return before;
  const is = path !== "" && path !== "." && !outside.test(path) && !generated.test(path) && !lockFile.test(path);
  if (known.size >= maxKnown) known.clear();
  known.set(path, is);
  return is;
}

// A session names the same few hundred files thousands of times, and every signal asks about each of them.
const known = new Map<string, boolean>();
const maxKnown = 5000;

const outside = /^(?:[/~\\]|[A-Za-z]:|\.\.(?:\/|$))/;
// Elsewhere than at the top, `build` and `target` are as often folders of source code.
const generated =
  /^(?:build|out|target|vendor)\/|(?:^|\/)(?:node_modules|dist|coverage|\.git|\.next|__pycache__|\.venv)\//;
const lockFile = /(?:^|\/)(?:[^/]*\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb|go\.sum)$/;
