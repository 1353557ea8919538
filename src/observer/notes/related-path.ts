import { homedir } from "node:os";
import { posix } from "node:path";

/** Where an agent works, as far as its paths are concerned. */
export interface Place {
  /** The project's root, an absolute path. */
  root: string;
  /** Where paths begin that do not say so; absent: the root. */
  directory?: string;
}

// Longer than any that a system opens; PATH_MAX of Linux is 4,096, and a note has no room for that.
const longestPath = 500;
// oxlint-disable-next-line no-control-regex
const unfit = /[\0-\x1F\x7F]|\p{Surrogate}/u;

/**
 * A path as notes hold it: relative to the root with slashes where it lies inside (`.` for the root itself), else
 * absolute. Undefined for what is no path. Looks at nothing on the disk.
 *
 * @example
 * relatedPath("/project/src/../a.ts", { root: "/project" }) // "a.ts"
 * relatedPath("/etc/hosts", { root: "/project" })           // "/etc/hosts"
 */
export function relatedPath(path: unknown, { root, directory = root }: Place): string | undefined {
  if (typeof path !== "string" || path.length > 4096) return undefined;
  const given = withSlashes(path.trim().replace(/^file:\/\/(?:localhost)?/, ""), root);
  if (given === "" || unfit.test(given)) return undefined;
  const own = canonical(withSlashes(root, root));
  const from = canonical(withSlashes(directory, root));
  const absolute = canonical(isAbsolute(given) ? given : posix.join(from, given));
  const inside = below(own, absolute) ?? absolute;
  return inside.length > longestPath ? undefined : inside;
}

function withSlashes(path: string, root: string): string {
  const isWindows = /^[A-Za-z]:[\\/]/.test(root) || /^(?:[A-Za-z]:|\.{0,2})\\/.test(path);
  const slashed = isWindows || !path.includes("/") ? path.replaceAll("\\", "/") : path;
  return slashed === "~" || slashed.startsWith("~/") ? homedir() + slashed.slice(1) : slashed;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

function canonical(path: string): string {
  const normal = posix.normalize(path);
  const open = normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
  if (/^[A-Z]:/.test(open)) return open.charAt(0).toLowerCase() + open.slice(1);
  // macOS keeps these three behind a link, and programs name them either way.
  return open.replace(/^\/private(?=\/(?:tmp|var|etc)(?:\/|$))/, "");
}

function below(root: string, path: string): string | undefined {
  if (path === root) return ".";
  const start = root.endsWith("/") ? root : `${root}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}
