import { posix } from "node:path";
import { findUserHome } from "../../base/files/files.js";

/** Where an agent works, as far as its paths are concerned. */
export interface PathBase {
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
export function relatedPath(path: unknown, place: PathBase): string | undefined {
  if (typeof path !== "string" || path.length > 4096) return undefined;
  const given = path.trim();
  if (given === "") return undefined;
  const absolute = absolutePath(given, place);
  const inside = below(absolutePath(place.root, { root: place.root }), absolute) ?? absolute;
  return inside.length > longestPath || unfit.test(inside) ? undefined : inside;
}

/**
 * A path from the beginning, with slashes, and seen from where the agent works. One of Windows begins with a small drive
 * letter, whether it was written `C:\app`, `file:///C:/app` or, as Git Bash does where the root has a drive, `/c/app`.
 */
export function absolutePath(path: string, { root, directory = root }: PathBase): string {
  const given = withSlashes(path, root);
  return canonical(isAbsolute(given) ? given : posix.join(withSlashes(directory, root), given));
}

function withSlashes(path: string, root: string): string {
  const named = /^file:\/\//i.test(path) ? pathOfAddress(path) : path;
  const isWindows = hasDrive(root) || /^(?:[A-Za-z]:|\.{0,2})\\/.test(named);
  const slashed = isWindows || !named.includes("/") ? named.replaceAll("\\", "/") : named;
  const home = slashed === "~" || slashed.startsWith("~/") ? findUserHome() : undefined;
  if (home !== undefined) return (hasDrive(home) ? home.replaceAll("\\", "/") : home) + slashed.slice(1);
  return hasDrive(root) ? slashed.replace(/^\/([A-Za-z])(?=\/|$)/, "$1:") : slashed;
}

function pathOfAddress(address: string): string {
  const path = address.replace(/^file:\/\/(?:localhost)?/i, "").replace(/^\/(?=[A-Za-z]:)/, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:(?:\/|$)/.test(path);
}

/** True of a path of Windows, where capitals and small letters name the same file. */
export function hasDrive(path: string): boolean {
  return /^[A-Za-z]:(?:[\\/]|$)/.test(path);
}

function canonical(path: string): string {
  const normal = posix.normalize(path);
  const open = normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
  if (hasDrive(open)) return open.charAt(0).toLowerCase() + open.slice(1);
  // macOS keeps these three behind a link, and programs name them either way.
  return open.replace(/^\/private(?=\/(?:tmp|var|etc)(?:\/|$))/, "");
}

function below(root: string, path: string): string | undefined {
  const [whole, part] = hasDrive(root) ? [root.toLowerCase(), path.toLowerCase()] : [root, path];
  if (part === whole) return ".";
  const start = root.endsWith("/") ? root.length : root.length + 1;
  return part.startsWith(whole.endsWith("/") ? whole : `${whole}/`) ? path.slice(start) : undefined;
}
