import native from "node:path";
import { symbolMark } from "../../base/ids/ids.js";
import type { MemoryFilter } from "../memory.js";
import type { ProjectContext } from "../../project/project.js";

/**
 * Paths inside the project's root become relative to it, with slashes and without a leading ./, so that every machine
 * and every way of writing them says the same. What lies outside stays as it is, and so does a symbol after the path.
 */
export function relativeTo(root: string, file: string, path: typeof native = native): string {
  // Elsewhere a backslash is a letter like any other.
  const slashed = path.sep === "\\" ? file.replaceAll("\\", "/") : file;
  if (!path.isAbsolute(file)) return slashed.startsWith("./") && slashed.length > 2 ? slashed.slice(2) : slashed;
  // A root may hold a "#" of its own.
  const mark = symbolMark(slashed, file.startsWith(root) ? root.length : 0);
  const symbol = mark < 0 ? "" : file.slice(mark);
  const below = path.relative(root, file.slice(0, file.length - symbol.length));
  const outside = below === "" || below === ".." || below.startsWith(`..${path.sep}`) || path.isAbsolute(below);
  return outside ? file : below.split(path.sep).join("/") + symbol;
}

/** The filter with its files as memories hold them. */
export async function withRelativeFiles<T extends MemoryFilter>(context: ProjectContext, filter: T): Promise<T> {
  if (!filter.files?.length) return filter;
  const { root } = await context.folder();
  return { ...filter, files: filter.files.map((file) => relativeTo(root, file)) };
}
