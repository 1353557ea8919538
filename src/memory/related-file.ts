import { isAbsolute, relative, sep } from "node:path";
import type { MemoryFilter } from "./memory.js";
import type { ProjectStore } from "./project-store.js";

/** Paths inside the project's root become relative to it, with slashes, so that every machine says the same. */
export function relativeTo(root: string, file: string): string {
  if (!isAbsolute(file)) return file;
  const path = relative(root, file);
  return path === "" || path.startsWith("..") || isAbsolute(path) ? file : path.split(sep).join("/");
}

/** The filter with its files as memories hold them. */
export async function withRelativeFiles<T extends MemoryFilter>(from: ProjectStore, filter: T): Promise<T> {
  if (!filter.files?.length) return filter;
  const { root } = await from.folder();
  return { ...filter, files: filter.files.map((file) => relativeTo(root, file)) };
}
