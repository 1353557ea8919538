import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { listPublicDeclarations } from "./public-types.js";

/** A piece of TypeScript that the documentation shows. */
export interface Example {
  /** `README.md:171`, or `src/api/open-memory.ts:8`. */
  at: string;
  code: string;
}

/** The fenced `ts` blocks of the README and of docs/. */
export function listExamplesInDocs(root: string): Example[] {
  const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...docs.map((name) => `docs/${name}`)].flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [...text.matchAll(/^( *)```ts\n([^]*?)^\1```/gm)].map(({ index, 2: code = "" }) => ({
      at: `${file}:${lineAt(text, index) + 1}`,
      code,
    }));
  });
}

/** The `@example`s of what the entry files export, and of the members of exported interfaces. */
export function listExamplesInComments(root: string, entries: readonly string[]): Example[] {
  const found = entries.flatMap((entry) => listPublicDeclarations(join(root, entry))).flatMap(commentsOf);
  return [...new Map(found.map((one) => [one.at, one])).values()].map((one) => ({
    ...one,
    at: one.at.replace(`${root}/`, ""),
  }));
}

function commentsOf({ file, start, end }: { file: string; start: number; end: number }): Example[] {
  const text = readFileSync(file, "utf8");
  const before = text.slice(0, start).replace(/export (?:declare |const |async )*$/, "");
  const first = before.trimEnd().endsWith("*/") ? before.lastIndexOf("/**") : start;
  return [...text.slice(first, end).matchAll(/@example\b([^]*?)\*\//g)].map(({ index, 1: code = "" }) => ({
    at: `${file}:${lineAt(text, first + index)}`,
    code: code
      .split("\n")
      .map((line) => line.replace(/^\s*\* ?/, ""))
      .join("\n"),
  }));
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
