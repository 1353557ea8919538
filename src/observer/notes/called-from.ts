import { posix } from "node:path";
import { hasDrive, type PathBase } from "../tools/related-path.js";

/**
 * Where a command was called, of which only the end was seen: an agent then stands where the `cd` at its beginning has
 * led, and it must not be followed twice. A way up says too little of where it began, and is left as it is.
 *
 * @example
 * calledFrom({ root: "/project", directory: "/project/api" }, "cd api && npm test") // { …, directory: "/project" }
 */
export function calledFrom(place: PathBase, command: unknown): PathBase {
  const { root } = place;
  const directory = hasDrive(root) ? place.directory?.replaceAll("\\", "/") : place.directory;
  const [, , named] = typeof command === "string" ? (leadingCd.exec(command) ?? []) : [];
  if (directory === undefined || named === undefined) return place;
  const folder = posix.normalize(hasDrive(root) ? named.replaceAll("\\", "/") : named).replace(/\/$/, "");
  if (/^(?:[/~$]|[A-Za-z]:|\.{1,2}(?:\/|$))/.test(folder) || !directory.endsWith(`/${folder}`)) return place;
  return { root, directory: directory.slice(0, -folder.length - 1) || "/" };
}

const leadingCd = /^\s*cd\s+(["']?)([^\s"';&|]{1,500})\1\s*(?:&&|;|\n|$)/;
