import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { parseSync } from "oxc-parser";

/** The source files of a folder such as `src`, without tests and fixtures, and what they import of each other. */
export interface House {
  /** Paths from the folder, with forward slashes. */
  files: string[];
  rooms: string[];
  /** Files that stand in no room. */
  looseFiles: string[];
  /** Every import, lazy ones and those of types included. */
  imports: { from: string; to: string }[];
  textOf: (file: string) => string;
  /** Functions with more lines than this, as `file name`. */
  listFunctionsOver: (lines: number) => string[];
}

export function readHouse(source: string): House {
  const files = filesBelow(source)
    .map((path) => relative(source, path).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("/fixtures/"))
    .toSorted();
  const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), "utf8")]));
  const textOf = (file: string): string => texts.get(file) ?? "";
  return {
    files,
    textOf,
    rooms: readdirSync(source)
      .filter((name) => statSync(join(source, name)).isDirectory())
      .toSorted(),
    looseFiles: files.filter((file) => !file.includes("/")),
    imports: files.flatMap((from) => importsOf(from, textOf(from)).map((to) => ({ from, to }))),
    listFunctionsOver: (lines) => files.flatMap((file) => longFunctionsOf(file, textOf(file), lines)),
  };
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    posix.join(posix.dirname(file), path).replace(/\.js$/, ".ts"),
  );
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

function longFunctionsOf(file: string, text: string, lines: number): string[] {
  // Most files are shorter than what is looked for.
  if (text.split("\n").length <= lines) return [];
  const found: string[] = [];
  const visit = (node: unknown, name: string): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, name);
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const own = node as Node;
    const named = nameOf(own) ?? name;
    if (functions.has(own.type) && text.slice(own.start, own.end).split("\n").length > lines) {
      found.push(`${file} ${named}`);
    }
    for (const value of Object.values(own)) visit(value, named);
  };
  visit(parseSync(file, text).program, "");
  return found;
}

function nameOf({ id, key }: Node): string | undefined {
  const name = (id ?? key) as { name?: unknown } | null | undefined;
  return typeof name?.name === "string" ? name.name : undefined;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
}
