import { isAbsolute, relative, sep } from "node:path";
import type { MemoryFilter } from "./memory.js";
import type { ProjectStore } from "./project-store.js";

/**
 * Paths inside the project's root become relative to it, with slashes and without a leading ./, so that every machine
 * and every way of writing them says the same. What lies outside stays as it is.
 */
export function relativeTo(root: string, file: string): string {
  if (!isAbsolute(file)) return file.startsWith("./") && file.length > 2 ? file.slice(2) : file;
  const path = relative(root, file);
  const outside = path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return outside ? file : path.split(sep).join("/");
}

/** The filter with its files as memories hold them. */
export async function withRelativeFiles<T extends MemoryFilter>(from: ProjectStore, filter: T): Promise<T> {
  if (!filter.files?.length) return filter;
  const { root } = await from.folder();
  return { ...filter, files: filter.files.map((file) => relativeTo(root, file)) };
}
