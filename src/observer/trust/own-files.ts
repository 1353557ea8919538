import type { GitLimits } from "../../base/git/git.js";
import { isOutsidePath } from "../untrusted-sources/outside-path.js";
import { listTrackedFiles } from "./tracked-files.js";

/** Whether the project has a file, by its path from the root: git tracks it, or without git it lies there and is no dependency. */
export async function openOwnFiles(
  root: string,
  commit: string | undefined,
  limits: GitLimits,
): Promise<(path: string) => boolean> {
  const tracked = await listTrackedFiles(root, commit, limits);
  if (tracked === "unknown") return () => false;
  if (tracked) return (path) => tracked.has(path);
  return (path) => !isOutsidePath(path, root) && !dependencies.test(path);
}

const dependencies = /(?:^|\/)(?:node_modules|site-packages|vendor|\.venv|venv|target|dist|build)\//;
