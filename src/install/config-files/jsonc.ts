import { isDeepStrictEqual } from "node:util";
import type { Node } from "jsonc-parser";
import type { Json } from "../../base/base.js";
import type { MemoryError } from "../../base/memory-error.js";
import { addChild, newDocument, replaceNode, spanOf } from "./jsonc-add.js";
import { removeChild } from "./jsonc-remove.js";
import { renewAt } from "./jsonc-renew.js";
import { invalidAt, isEmptyNode, nodeAt, parseJson, valueOf, type Leniency, type Path } from "./jsonc-tree.js";
import type { Held, ConfigPart, Put, Taking } from "./config-part.js";
import { applyEdits, cutOut, takeOut, type Edit } from "./text-edit.js";

/** What a JSON file says, with no more around it than may be; undefined for an empty one. Throws with file and line. */
export function readJsonc(file: string, text: string, leniency?: Leniency): unknown {
  const root = parseJson(file, text, leniency);
  return root && valueOf(root);
}

/** Puts a part into a JSON file, and says by which edits. Everything else stays as it is written. */
export function putInJsonc(file: string, text: string, part: ConfigPart, { mayReplace }: { mayReplace: boolean }): Put {
  const root = parseJson(file, text);
  if (!root) {
    if (part.value === undefined) return absent;
    const value = nest(part, 0, part.value);
    return { kind: "put", isNew: true, edits: [newDocument(text, value)], made: madeFor(part, 0) };
  }
  let node = root;
  for (const [depth, key] of part.at.entries()) {
    const path = part.at.slice(0, depth);
    if (node.type !== "object") throw mustBe(file, text, node, path, "an object");
    const child = nodeAt(node, [key]);
    if (!child) {
      if (part.value === undefined) return absent;
      const edits = addChild(text, root, node, nest(part, depth + 1, part.value), key);
      return { kind: "put", isNew: true, edits, made: madeFor(part, depth + 1), ...blankIn(text, node, path) };
    }
    node = child;
  }
  const document = valueOf(root);
  if (part.as === "property") return putValue(file, text, { root, node, document }, part, mayReplace);
  if (node.type !== "array") throw mustBe(file, text, node, part.at, "a list");
  const index = node.children?.findIndex((item) => part.isOurs(valueOf(item), document)) ?? -1;
  const ours = node.children?.[index];
  if (ours) return renew(file, text, [...part.at, index], ours, part);
  if (part.value === undefined) return absent;
  const edits = addChild(text, root, node, part.value);
  return { kind: "put", isNew: true, edits, made: [], ...blankIn(text, node, part.at) };
}

const absent: Put = { kind: "there", isOurs: false };

function putValue(
  file: string,
  text: string,
  { root, node, document }: { root: Node; node: Node; document: Json },
  part: ConfigPart,
  mayReplace: boolean,
): Put {
  const found = valueOf(node);
  if (part.isOurs(found, document)) return renew(file, text, part.at, node, part);
  if (isDeepStrictEqual(found, part.value)) return absent;
  if (!mayReplace || part.value === undefined) return { kind: "foreign" };
  const edits = [replaceNode(text, root, node, part.value)];
  return { kind: "put", isNew: true, edits, made: [], replaced: text.slice(node.offset, node.offset + node.length) };
}

function renew(file: string, text: string, path: Path, node: Node, part: ConfigPart): Put {
  const wanted = part.renew(valueOf(node));
  if (isDeepStrictEqual(valueOf(node), wanted)) return { kind: "there", isOurs: true };
  if (wanted !== undefined) {
    return { kind: "put", isNew: false, edits: renewAt(file, text, path, wanted), made: [] };
  }
  const edits: Edit[] = [];
  // What held nothing else says nothing without it.
  for (let depth = path.length; depth > 0; depth -= 1) {
    const now = applyEdits(text, edits);
    const root = parseJson(file, now);
    const [child, parent] = [nodeAt(root, path.slice(0, depth)), nodeAt(root, path.slice(0, depth - 1))];
    if (!child || !parent || (depth < path.length && !isEmptyNode(now, child))) break;
    edits.push(...removeChild(now, parent, parent.type === "array" ? child : (child.parent ?? child)));
  }
  return { kind: "put", isNew: false, edits, made: [] };
}

/**
 * The text without what is ours of a part, whatever others have changed around it; undefined where nothing of ours is there.
 * What was made for it goes as well once it is empty.
 */
export function removeFromJsonc(file: string, text: string, part: ConfigPart, taking: Taking): string | undefined {
  let now = text;
  for (let ours = findOurs(file, now, part); ours; ours = findOurs(file, now, part)) {
    const { path, value, child, parent } = ours;
    if (taking.replaced !== undefined) {
      const { begin, end } = spanOf(value);
      return applyEdits(now, [{ ...takeOut(now, begin, end), inserted: taking.replaced }]);
    }
    const rest = part.rest?.(valueOf(value));
    now = applyEdits(now, rest === undefined ? removeChild(now, parent, child) : renewAt(file, now, path, rest));
  }
  return now === text ? undefined : tidy(file, now, part, taking);
}

/** Takes out what was made for a part and is empty without it, and gives what was empty before its blanks back. */
function tidy(file: string, text: string, part: ConfigPart, { made, blanks }: Taking): string {
  const isAbove = (path: readonly string[]) => path.every((key, index) => part.at[index] === key);
  let now = text;
  for (const path of made.filter(isAbove).toSorted((a, b) => b.length - a.length)) {
    const node = nodeAt(parseJson(file, now), path);
    if (!node || !isEmptyNode(now, node)) continue;
    const parent = node.parent?.parent;
    const { begin, end } = spanOf(node);
    now = applyEdits(now, parent && node.parent ? removeChild(now, parent, node.parent) : [cutOut(now, begin, end)]);
  }
  for (const { at, text: blank } of blanks.filter((each) => isAbove(each.at))) {
    const node = nodeAt(parseJson(file, now), at);
    if (!node || !isEmptyNode(now, node)) continue;
    const { begin, end } = spanOf(node);
    now = applyEdits(now, [{ ...takeOut(now, begin + 1, end - 1), inserted: blank }]);
  }
  return now;
}

/** True for an object without anything in it, not even a comment, and for nothing at all. */
export function isEmptyJsonc(file: string, text: string): boolean {
  const root = parseJson(file, text);
  const written = text.replace(/^\uFEFF/, "").trim();
  return root ? isEmptyNode(text, root) && written.length === root.length : written === "";
}

/** What is ours: its value, the property or item that it is, and what that is in. */
interface Found {
  path: Path;
  value: Node;
  child: Node;
  parent: Node;
}

function findOurs(file: string, text: string, part: ConfigPart): Found | undefined {
  const root = parseJson(file, text);
  const found = nodeAt(root, part.at);
  if (!root || !found) return undefined;
  const document = valueOf(root);
  if (part.as === "property") {
    const [child, parent] = [found.parent, found.parent?.parent];
    if (!child || !parent || !part.isOurs(valueOf(found), document)) return undefined;
    return { path: part.at, value: found, child, parent };
  }
  if (found.type !== "array") return undefined;
  const index = found.children?.findIndex((each) => part.isOurs(valueOf(each), document)) ?? -1;
  const item = found.children?.[index];
  return item && { path: [...part.at, index], value: item, child: item, parent: found };
}

/** The value of a part inside what has to be made around it, from this depth on. */
function nest(part: ConfigPart, depth: number, value: Json): Json {
  const inner = part.as === "item" ? [value] : value;
  return part.at.slice(depth).reduceRight<Json>((each, key) => ({ [key]: each }), inner);
}

function madeFor(part: ConfigPart, depth: number): string[][] {
  const longest = part.as === "item" ? part.at.length : part.at.length - 1;
  return Array.from({ length: Math.max(0, longest - depth + 1) }, (_, index) => part.at.slice(0, depth + index));
}

function blankIn(text: string, node: Node, at: readonly string[]): { blank?: Held } {
  if (!isEmptyNode(text, node)) return {};
  const { begin, end } = spanOf(node);
  return { blank: { at: [...at], text: text.slice(begin + 1, end - 1) } };
}

function mustBe(file: string, text: string, node: Node, path: readonly string[], what: string): MemoryError {
  return invalidAt(file, text, node.offset, `${path.length === 0 ? "the file" : path.join(".")} must be ${what}.`);
}
