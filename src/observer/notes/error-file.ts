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

/**
 * The file that an error was thrown in, of the project or of anybody else. What the language itself runs before or behind it
 * does not count.
 */
export function firstFrame(text: string, { shape, start, end }: FoundError, place: PathBase): string | undefined {
  if (shape.file !== undefined) return relatedPath(shape.file, place);
  if (shape.isBelowFile) {
    const above = [...text.slice(Math.max(0, start - reach), start).matchAll(pathAlone)].at(-1)?.[1];
    return above === undefined ? undefined : relatedPath(above, place);
  }
  // Python tells the innermost last, and before the error.
  const before = [...text.slice(Math.max(0, start - reach), start).matchAll(/File "([^"\n]{1,300})", line \d+/g)];
  const innermost = before.toReversed().find(([, path = ""]) => !ofLanguage.test(path))?.[1];
  if (innermost !== undefined) return relatedPath(innermost, place);
  for (const [, pointed, led] of text.slice(start, end + reach).matchAll(pointers)) {
    const path = pointed ?? led ?? "";
    if (!ofLanguage.test(path)) return relatedPath(path, place);
  }
  const failed = [...text.slice(Math.max(0, start - reach), start).matchAll(/^\s*(?:FAIL|❯|RUNS)\s+(\S{1,300})/gm)].at(
    -1,
  )?.[1];
  return failed === undefined ? undefined : relatedPath(failed, place);
}

const ofLanguage =
  /^(?:node:|internal\/|<|native$)|\/(?:lib|Lib)\/python3?[\d.]*\/(?!site-packages)|\/usr\/local\/go\/src\/|^\/rustc\//;

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
