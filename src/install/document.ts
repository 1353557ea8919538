import { isDeepStrictEqual } from "node:util";
import type { Json } from "../base/base.js";
import { MemoryError } from "../base/memory-error.js";
import { isEmptyJsonc, putInJsonc, readJsonc, takeFromJsonc } from "./jsonc.js";
import type { Part, Put, Taking } from "./part.js";
import { applyEdits } from "./text-edit.js";
import { putInToml, readToml, takeFromToml } from "./toml.js";

/** How a configuration file is written. */
export type Syntax = "jsonc" | "toml";

/** What a configuration file says. Throws `config-invalid` with file and line. */
export function readDocument(syntax: Syntax, file: string, text: string): unknown {
  return syntax === "jsonc" ? readJsonc(file, text) : readToml(file, text);
}

/** Puts a part into a document. Never gives edits that would change what the rest of it says. */
export function putPart(syntax: Syntax, file: string, text: string, part: Part, options: { mayReplace: boolean }): Put {
  const put = (syntax === "jsonc" ? putInJsonc : putInToml)(file, text, part, options);
  if (put.kind === "put") refuseCollateral(syntax, file, text, applyEdits(text, put.edits), part);
  return put;
}

/** The text without what is ours of a part; undefined where nothing of ours is there. Never changes what the rest says. */
export function takePart(syntax: Syntax, file: string, text: string, part: Part, taking: Taking): string | undefined {
  const without = (syntax === "jsonc" ? takeFromJsonc : takeFromToml)(file, text, part, taking);
  if (without !== undefined) refuseCollateral(syntax, file, text, without, part);
  return without;
}

/** True where a document says nothing and holds not even a comment. */
export function isEmptyDocument(syntax: Syntax, file: string, text: string): boolean {
  return syntax === "jsonc" ? isEmptyJsonc(file, text) : text.replace(/^\uFEFF/, "").trim() === "";
}

function refuseCollateral(syntax: Syntax, file: string, before: string, after: string, part: Part): void {
  const read = (text: string) => withoutPart(readDocument(syntax, file, text), part);
  let isSame: boolean;
  try {
    isSame = isDeepStrictEqual(read(before), read(after));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    isSame = false;
  }
  if (isSame) return;
  throw new MemoryError(
    "config-invalid",
    `${file} is written in a way that cannot be changed from here.`,
    `Nothing was changed there. Change ${part.at.join(".")} by hand.`,
  );
}

/** What a document says beside a part, and beside what is there only to hold it. */
function withoutPart(value: unknown, part: Part, depth = 0): unknown {
  const key = part.at[depth];
  if (key === undefined) {
    if (part.as === "property") return undefined;
    if (!Array.isArray(value)) return value;
    const others = value.flatMap((item: Json) => (part.isOurs(item) ? (part.rest?.(item) ?? []) : [item]));
    return others.length === 0 ? undefined : others;
  }
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const rest = Object.entries(value).filter(([each]) => each !== key);
  const inner = withoutPart((value as Record<string, unknown>)[key], part, depth + 1);
  if (inner !== undefined) rest.push([key, inner]);
  // Nothing, an object without anything and a file without anything all say the same here.
  return rest.length === 0 ? undefined : new Map(rest);
}
