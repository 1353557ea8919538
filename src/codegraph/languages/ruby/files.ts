import type { ModuleResolver, Resolution } from "../../link/linked-file.js";
import type { ModuleTree } from "../../link/search.js";
import { folderOf, joinPath, requiredAs, stemOf } from "../../link/stems.js";
import type { SyntaxNode } from "../../syntax-tree.js";
import { child, part, text, type At } from "../reading.js";

/** What `require` and its like name, as far as it is written out; what begins with `./` lies beside the file. */
export function pathRequired(at: At, method: string, given: readonly SyntaxNode[]): string | undefined {
  const path = written(at, given[method === "autoload" ? 1 : 0]);
  return path !== undefined && method === "require_relative" ? `./${path}` : path;
}

function written(at: At, node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "string") {
    const [only, ...others] = node.children;
    return only?.type === "string_content" && others.length === 0 ? text(at, only) : undefined;
  }
  return node?.type === "call" ? fileWritten(at, node) : undefined;
}

/** `File.expand_path("../a", __FILE__)`, `File.join(__dir__, "a")` */
function fileWritten(at: At, node: SyntaxNode): string | undefined {
  const [first, second] = part(node, "arguments")?.children ?? [];
  const [receiver, method] = [part(node, "receiver"), part(node, "method")];
  if (!first || !second || !receiver || !method) return undefined;
  switch (`${text(at, receiver)}.${text(at, method)}`) {
    case "File.expand_path": {
      const [path, from] = [written(at, first), text(at, second)];
      if (path === undefined || !["__dir__", "__FILE__"].includes(from)) return undefined;
      // As seen from a file, `..` is its own folder.
      if (from === "__dir__") return `./${path}`;
      return path.startsWith("../") ? `./${path.slice("../".length)}` : undefined;
    }
    case "File.join": {
      const path = written(at, second);
      return text(at, first) === "__dir__" && path !== undefined ? `./${path}` : undefined;
    }
  }
  return undefined;
}

/** Whether a word is one by which a file asks for another. */
export function isRequire(at: At, node: SyntaxNode): boolean {
  const method = part(node, "method");
  return !part(node, "receiver") && method !== undefined && requires.has(text(at, method)) && isGiven(node);
}

const requires = new Set(["require", "require_relative", "load", "autoload"]);

function isGiven(node: SyntaxNode): boolean {
  return child(node, "argument_list") !== undefined;
}

/**
 * Tells which file of the tree is required. Which folders are searched is said where a program is started; by custom these are
 * `lib`, and `spec` or `test` where tests run. Of several files the one nearest to who asks counts.
 */
export function createRubyResolver({ files }: ModuleTree): ModuleResolver {
  const byName = new Map<string, string[]>();
  for (const file of files) {
    const name = requiredAs(file);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return {
    resolve(from, specifier): Resolution {
      const path = specifier.replace(/\.rb$/, "");
      if (path.startsWith(".")) return findBeside(files, from, path);
      const stems = [`*/${path}`];
      const found = byName.get(path) ?? [];
      const file = found.toSorted((a, b) => shared(b, from) - shared(a, from) || a.length - b.length)[0];
      return file === undefined ? { stems } : { file, stems };
    },
  };
}

function findBeside(files: ReadonlySet<string>, from: string, path: string): Resolution {
  const beside = joinPath(folderOf(from), path);
  // `require "./a"` begins where the program was started.
  const looked = [beside, joinPath("", path)].filter((one) => one !== undefined);
  const file = looked.flatMap((one) => [`${one}.rb`, one]).find((one) => files.has(one));
  const stems = looked.flatMap((one) => [...new Set([one, stemOf(one)])]);
  if (file !== undefined) return { file, stems };
  return beside === undefined ? { stems } : { stems, isMissing: true };
}

/** How many folders two files share. */
function shared(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
