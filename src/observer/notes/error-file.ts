import type { FoundError } from "./error-shapes.js";
import { relatedPath, type PathBase } from "../tools/related-path.js";

// How far from an error's line a compiler or a stack names its file.
const reach = 1500;

/** The file of the project that an error points to, if it does. */
export function errorFile(text: string, { shape, start, end }: FoundError, place: PathBase): string | undefined {
  const named = shape.file === undefined ? undefined : inProject(shape.file, place);
  if (named !== undefined) return named;
  if (shape.isBelowFile) {
    const above = [...text.slice(Math.max(0, start - reach), start).matchAll(pathAlone)].at(-1)?.[1];
    return above === undefined ? undefined : inProject(above, place);
  }
  const behind = text.slice(start, end + reach);
  for (const [, pointed, led] of behind.matchAll(pointers)) {
    const file = inProject(pointed ?? led ?? "", place);
    if (file !== undefined) return file;
  }
  const before = [...text.slice(Math.max(0, start - reach), start).matchAll(pythonFrames)].toReversed();
  for (const [, frame, failed] of before) {
    const file = inProject(frame ?? failed ?? "", place);
    if (file !== undefined) return file;
  }
  return undefined;
}

// Rust's arrow, vitest's mark, a frame of a stack, pytest's place, a path with line and column.
const pointers =
  /(?:-->|❯|\bat(?: [^\s(]{1,100})?(?: \[as \w{1,60}\])? \(?(?:file:\/\/)?)\s{0,3}([^\s():]{1,300}):\d+(?::\d+)?|^([^\s():]{1,300}\.\w{1,5}):\d+(?::\d+|: \w)/gm;
const pathAlone = /^([^\s:()]{1,300}\.\w{1,5})$/gm;
const pythonFrames = /File "([^"\n]{1,300})", line \d+|^(?:FAIL|❯)\s+(\S{1,300})/gm;

function inProject(path: string, place: PathBase): string | undefined {
  if (!/^[\w@./\\: +()[\]-]{1,300}$/.test(path) || /node_modules|^node:|site-packages|^</.test(path)) return undefined;
  const file = relatedPath(path, place);
  return file === undefined || file === "." || /^(?:\/|[a-z]:)/i.test(file) || !/\.\w{1,8}$/.test(file)
    ? undefined
    : file;
}
