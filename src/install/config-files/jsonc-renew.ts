import { isDeepStrictEqual } from "node:util";
import type { Node } from "jsonc-parser";
import type { Json } from "../../base/base.js";
import { addChild, replaceNode } from "./jsonc-add.js";
import { removeChild } from "./jsonc-remove.js";
import { nodeAt, parseJson, valueOf, type Path } from "./jsonc-tree.js";
import { applyEdits, type Edit } from "./text-edit.js";

/**
 * The edits that make of the value at a path another one. Only what differs changes, so that what a person has beside it is
 * neither written anew nor taken into a difference or a journal: an environment with keys in it, or another command.
 */
export function renewAt(file: string, text: string, path: Path, wanted: Json): Edit[] {
  const edits: Edit[] = [];
  let now = text;
  for (;;) {
    const root = parseJson(file, now);
    const node = nodeAt(root, path);
    const next = root && node ? firstDifference(now, root, node, wanted) : [];
    if (next.length === 0) return edits;
    edits.push(...next);
    now = applyEdits(now, next);
  }
}

function firstDifference(text: string, root: Node, node: Node, wanted: Json): Edit[] {
  const found = valueOf(node);
  if (isDeepStrictEqual(found, wanted)) return [];
  const children = node.children ?? [];
  if (Array.isArray(found) && Array.isArray(wanted)) {
    const index = found.findIndex((item, at) => !isDeepStrictEqual(item, wanted[at]));
    const child = children[index];
    const isShorter = child && isPartOf(wanted, found);
    if (isShorter) return removeChild(text, node, child);
    if (child && found.length === wanted.length) return firstDifference(text, root, child, wanted[index] as Json);
  } else if (isObject(found) && isObject(wanted)) {
    const gone = children.find(({ children: [key] = [] }) => key && !Object.hasOwn(wanted, String(key.value)));
    if (gone) return removeChild(text, node, gone);
    const [key, value] = Object.entries(wanted).find(([each, is]) => !isDeepStrictEqual(found[each], is)) ?? [];
    const child = key === undefined ? undefined : nodeAt(node, [key]);
    if (child) return firstDifference(text, root, child, value as Json);
    if (key !== undefined) return addChild(text, root, node, value as Json, key);
  }
  return [replaceNode(text, root, node, wanted)];
}

/** True where a list is another one without some of its items. */
function isPartOf(part: Json[], whole: Json[]): boolean {
  let at = 0;
  for (const item of whole) if (at < part.length && isDeepStrictEqual(item, part[at])) at += 1;
  return at === part.length && part.length < whole.length;
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
