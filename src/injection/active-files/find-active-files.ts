import { stems } from "../../base/text/text.js";
import { relativeTo } from "../../memory/read/read.js";
import { moduleOf } from "../../observer/scratchpad/scratchpad.js";
import type { ActiveFiles } from "./active-files-queries.js";

/** How sure it must be that a text means a module. */
export interface NamingOptions {
  /**
   * True where much follows from it and nobody asked: a module counts by its path, in backticks, or where the text calls it
   * one. Otherwise its name among the words is enough.
   */
  strictly: boolean;
}

/**
 * What a text is about: the files whose paths it has, their modules, and the known modules that it names.
 *
 * @example
 * findActiveFiles("fix src/auth/login.ts", { root, known: ["src/auth"] }, { strictly: true })
 * // { modules: ["src/auth"], files: ["src/auth/login.ts"] }
 */
export function findActiveFiles(
  text: string,
  { root, known }: { root: string; known: readonly string[] },
  { strictly }: NamingOptions,
): ActiveFiles {
  const read = text.slice(0, maxRead);
  const paths = pathsIn(read).map((path) => relativeTo(root, path));
  const files = paths.filter(isFile);
  const names = namesOfParts(read);
  const words = strictly ? new Set<string>() : stems(read);
  const modules = known.filter(
    (module) =>
      module !== "." &&
      (paths.some((path) => liesIn(path, module)) ||
        names.has(lastName(module).toLowerCase()) ||
        isAmong(words, module)),
  );
  return { modules: [...new Set([...modules, ...files.map(moduleOf)])], files };
}

/**
 * Whether a path is a module or lies in it. A module of one folder has only the files that lie right in it: those further down
 * have modules of their own.
 *
 * @example
 * liesIn("src/auth/tokens/jwt.ts", "src/auth") // true
 * liesIn("src/auth/tokens/jwt.ts", "src")      // false
 */
export function liesIn(path: string, module: string): boolean {
  if (path === module) return true;
  if (!path.startsWith(`${module}/`)) return false;
  return module.includes("/") || (isFile(path) && moduleOf(path) === module);
}

function isFile(path: string): boolean {
  return /[^/]\.\w+$/.test(path);
}

/** Files as memories hold them, with the modules that they lie in besides the given ones. */
export function toActiveFiles(root: string, files: readonly string[], modules: readonly string[] = []): ActiveFiles {
  const relative = [...new Set(files.map((file) => relativeTo(root, file)))];
  return { files: relative, modules: [...new Set([...modules, ...relative.map(moduleOf)])] };
}

export function union(a: ActiveFiles, b: ActiveFiles): ActiveFiles {
  return { modules: [...new Set([...a.modules, ...b.modules])], files: [...new Set([...a.files, ...b.files])] };
}

// Of a prompt with a whole log in it the beginning says what is asked.
const maxRead = 20_000;
const longestPath = 300;
const maxPaths = 50;

/** What looks like a path, without the punctuation around it, a line behind it, or the @ of a mention. */
function pathsIn(text: string): string[] {
  // Cut first: a pattern for the whole would take time in the square of a long run of letters.
  const paths = text
    .split(/[\s"'`<>(),;|*]+/)
    .filter((part) => part.includes("/") && part.length <= longestPath && !part.includes("://"))
    .map((part) =>
      part
        .replace(/^[@:[{]+/, "")
        .replace(/[.:!?\]}/]+$/, "")
        .replace(/(?::\d+){1,2}$|#L\d+(?:-L?\d+)?$/, ""),
    )
    .filter((part) => part.includes("/"));
  return [...new Set(paths)].slice(0, maxPaths);
}

// Words that stand for no part of a project in particular, though folders are called so.
const vague = new Set("src lib app main core base common shared misc test tests data".split(" "));

function lastName(module: string): string {
  return module.slice(module.lastIndexOf("/") + 1);
}

function isAmong(words: ReadonlySet<string>, module: string): boolean {
  const name = lastName(module);
  const parts = [...stems(name.replace(/[-_.]+|(?<=\p{Ll})(?=\p{Lu})/gu, " "))];
  return (
    name.length > 2 && !vague.has(name.toLowerCase()) && parts.length > 0 && parts.every((part) => words.has(part))
  );
}

const kinds = new Set(
  "module package folder directory component service subsystem area feature modules packages services".split(" "),
);
const aroundWord = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu;

/** The names that a text calls a part of the project: "the auth module", "package billing", "`auth`". */
function namesOfParts(text: string): ReadonlySet<string> {
  const words = text.split(/\s+/).map((word) => word.slice(0, longestPath).replace(aroundWord, "").toLowerCase());
  const named = words.flatMap((word, index) =>
    kinds.has(word) ? [words[index - 1] ?? "", words[index + 1] ?? ""] : [],
  );
  const quoted = [...text.matchAll(/`([^`\s]{1,80})`/g)].map(([, name = ""]) => name.replace(/\/$/, "").toLowerCase());
  return new Set([...named, ...quoted]);
}
