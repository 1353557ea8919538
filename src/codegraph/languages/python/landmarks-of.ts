import { dirname } from "node:path";

/**
 * Where Python may begin to look for a module: a folder that becomes a package, or the first file in one, decides about
 * imports that never looked there.
 */
export function landmarksOf(path: string): string[] {
  return [dirname(path), ...(/(?:^|\/)__init__\.pyi?$/.test(path) ? [path] : [])];
}
