import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { readConfigFile } from "./config-file.js";
import { isEmptyJsonc, putInJsonc, readJsonc, removeFromJsonc } from "./jsonc.js";
import type { Leniency } from "./jsonc-tree.js";
import type { ConfigPart, Put, Taking } from "./config-part.js";
import { applyEdits } from "./text-edit.js";
import { putInToml, readToml, removeFromToml } from "./toml.js";

/**
 * How an agent reads a file. `json` has neither comments nor a comma behind the last: with either, it ignores the whole file.
 * `commented-json` has comments and no such comma, `jsonc` has both.
 */
export type Syntax = "json" | "commented-json" | "jsonc" | "toml";

const leniencies: Record<Exclude<Syntax, "toml">, Leniency> = {
  json: { comments: false, trailingCommas: false },
  "commented-json": { comments: true, trailingCommas: false },
  jsonc: { comments: true, trailingCommas: true },
};

/** What a configuration file says to its agent. Throws `config-invalid` with file and line. */
export function readDocument(syntax: Syntax, file: string, text: string): unknown {
  return syntax === "toml" ? readToml(file, text) : readJsonc(file, text, leniencies[syntax]);
}

/** What a file says, for whoever only looks: undefined where there is none, null where it is empty or cannot be read. */
export function peekAt(syntax: Syntax, file: string): unknown {
  try {
    const text = readConfigFile(file);
    return text === undefined ? undefined : (readDocument(syntax, file, text) ?? null);
  } catch (error) {
    // Whoever wants to write to it is told why.
    if (error instanceof MemoryError) return null;
    throw error;
  }
}

/** Puts a part into a document. Never gives edits that would change what the rest of it says. */
export function putPart(
  syntax: Syntax,
  file: string,
  text: string,
  part: ConfigPart,
  options: { mayReplace: boolean },
): Put {
  readDocument(syntax, file, text);
  const put = (syntax === "toml" ? putInToml : putInJsonc)(file, text, part, options);
  if (put.kind === "put" && !isSameBeside(syntax, file, text, applyEdits(text, put.edits), [part])) {
    throw unchangeable(file, part);
  }
  return put;
}

/**
 * The text without what is ours of a part; undefined where nothing of ours is there. Never changes what the rest says. What
 * the agent itself would not read is no obstacle here.
 */
export function removePart(
  syntax: Syntax,
  file: string,
  text: string,
  part: ConfigPart,
  taking: Taking,
): string | undefined {
  const without = (syntax === "toml" ? removeFromToml : removeFromJsonc)(file, text, part, taking);
  if (without !== undefined && !isSameBeside(lenient(syntax), file, text, without, [part])) {
    throw unchangeable(file, part);
  }
  return without;
}

/** True where a document says nothing and holds not even a comment. */
export function isEmptyDocument(syntax: Syntax, file: string, text: string): boolean {
  return syntax === "toml" ? text.replace(/^\uFEFF/, "").trim() === "" : isEmptyJsonc(file, text);
}

/** The same for whoever takes out: comments and commas are nobody's mistake then. */
export function lenient(syntax: Syntax): Syntax {
  return syntax === "toml" ? syntax : "jsonc";
}

/** True where two texts say the same beside these parts. */
export function isSameBeside(
  syntax: Syntax,
  file: string,
  before: string,
  after: string,
  parts: readonly ConfigPart[],
): boolean {
  const read = (text: string) => {
    const document = readDocument(syntax, file, text);
    return parts.reduce((rest, part) => withoutPart(rest, part, document), document);
  };
  try {
    return isDeepStrictEqual(read(before), read(after));
  } catch (error) {
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

function unchangeable(file: string, { at }: ConfigPart): MemoryError {
  return new MemoryError(
    "config-invalid",
    `${file} is written in a way that cannot be changed from here.`,
    `Nothing was changed there. Change ${at.join(".")} by hand.`,
  );
}

/** What a document says beside a part, and beside what is there only to hold it. */
function withoutPart(value: unknown, part: ConfigPart, document: unknown, depth = 0): unknown {
  const key = part.at[depth];
  if (key === undefined) {
    if (part.as === "property") return undefined;
    if (!Array.isArray(value)) return value;
    const others = value.flatMap((item: Json) => (part.isOurs(item, document) ? (part.rest?.(item) ?? []) : [item]));
    return others.length === 0 ? undefined : others;
  }
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { [key]: held, ...rest } = value as Record<string, unknown>;
  const inner = withoutPart(held, part, document, depth + 1);
  if (inner !== undefined) rest[key] = inner;
  // Nothing, an object without anything and a file without anything all say the same here.
  return Object.keys(rest).length === 0 ? undefined : rest;
}
