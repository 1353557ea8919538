import { isAbsolute, relative, sep } from "node:path";
import { symbolMark } from "../base/node-id.js";
import type { MemoryFilter } from "./memory.js";
import type { ProjectStore } from "./project-store.js";

/**
 * Paths inside the project's root become relative to it, with slashes and without a leading ./, so that every machine
 * and every way of writing them says the same. What lies outside stays as it is, and so does a symbol after the path.
 */
export function relativeTo(root: string, file: string): string {
  if (!isAbsolute(file)) return file.startsWith("./") && file.length > 2 ? file.slice(2) : file;
  // A root may hold a "#" of its own.
  const mark = symbolMark(file, file.startsWith(root) ? root.length : 0);
  const symbol = mark < 0 ? "" : file.slice(mark);
  const path = relative(root, file.slice(0, file.length - symbol.length));
  const outside = path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return outside ? file : path.split(sep).join("/") + symbol;
}

/** The filter with its files as memories hold them. */
export async function withRelativeFiles<T extends MemoryFilter>(from: ProjectStore, filter: T): Promise<T> {
  if (!filter.files?.length) return filter;
  const { root } = await from.folder();
  return { ...filter, files: filter.files.map((file) => relativeTo(root, file)) };
}
