import { isDeepStrictEqual } from "node:util";
import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { Json } from "../base/base.js";
import { MemoryError } from "../base/memory-error.js";
import { addChild, newDocument, replaceNode } from "./jsonc-add.js";
import { removeChild } from "./jsonc-remove.js";
import type { Part, Put, Taking } from "./part.js";
import { applyEdits, lineOf } from "./text-edit.js";

/** What a JSON file says, comments and trailing commas allowed; undefined for an empty one. Throws with file and line. */
export function readJsonc(file: string, text: string): unknown {
  const root = parse(file, text);
  return root && valueOf(root);
}

/** Puts a part into a JSON file, and says by which edits. Everything else stays as it is written. */
export function putInJsonc(file: string, text: string, part: Part, { mayReplace }: { mayReplace: boolean }): Put {
  const root = parse(file, text);
  if (!root) return { kind: "put", isNew: true, edits: [newDocument(text, nest(part, 0))], made: madeFor(part, 0) };

  let node = root;
  for (const [depth, key] of part.at.entries()) {
    if (node.type !== "object") throw mustBe(file, text, node, part.at.slice(0, depth), "an object");
    const child = propertyOf(node, key);
    if (!child) {
      const edits = addChild(text, root, node, nest(part, depth + 1), key);
      return { kind: "put", isNew: true, edits, made: madeFor(part, depth + 1) };
    }
    node = child;
  }
  return part.as === "item" ? putItem(file, text, root, node, part) : putValue(text, root, node, part, mayReplace);
}

function putItem(file: string, text: string, root: Node, list: Node, part: Part): Put {
  if (list.type !== "array") throw mustBe(file, text, list, part.at, "a list");
  const ours = list.children?.find((item) => part.isOurs(valueOf(item)));
  if (!ours) return { kind: "put", isNew: true, edits: addChild(text, root, list, part.value), made: [] };
  return renew(text, root, ours, part);
}

function putValue(text: string, root: Node, node: Node, part: Part, mayReplace: boolean): Put {
  const found = valueOf(node);
  if (part.isOurs(found)) return renew(text, root, node, part);
  if (isDeepStrictEqual(found, part.value)) return { kind: "there" };
  if (!mayReplace) return { kind: "foreign" };
  const edits = [replaceNode(text, root, node, part.value)];
  return { kind: "put", isNew: true, edits, made: [], replaced: text.slice(node.offset, node.offset + node.length) };
}

function renew(text: string, root: Node, node: Node, part: Part): Put {
  const found = valueOf(node);
  const wanted = part.renew(found);
  if (isDeepStrictEqual(found, wanted)) return { kind: "there" };
  return { kind: "put", isNew: false, edits: [replaceNode(text, root, node, wanted)], made: [] };
}

/**
 * The text without what is ours of a part, whatever others have changed around it; undefined where nothing of ours is there.
 * What was made for it goes as well once it is empty.
 */
export function takeFromJsonc(file: string, text: string, part: Part, { made, replaced }: Taking): string | undefined {
  let now = text;
  for (let ours = findOurs(file, now, part); ours; ours = findOurs(file, now, part)) {
    if (replaced !== undefined) {
      const { offset, length } = ours.value;
      return applyEdits(now, [{ offset, removed: now.slice(offset, offset + length), inserted: replaced }]);
    }
    const rest = part.rest?.(valueOf(ours.value));
    now =
      rest === undefined
        ? removeChild(now, ours.parent, ours.child)
        : applyEdits(now, [replaceNode(now, ours.root, ours.value, rest)]);
  }
  if (now === text) return undefined;
  const ancestors = made.filter((path) => path.every((key, index) => part.at[index] === key));
  for (const path of ancestors.toSorted((a, b) => b.length - a.length)) {
    const emptied = findAt(file, now, path);
    if (emptied && isEmpty(now, emptied.value)) now = removeChild(now, emptied.parent, emptied.child);
  }
  return now;
}

/** True for an object without anything in it, not even a comment. */
export function isEmptyJsonc(file: string, text: string): boolean {
  const root = parse(file, text);
  return !root || (isEmpty(text, root) && text.replace(/^\uFEFF/, "").trim().length === root.length);
}

/** What lies at a path: its value, the property or item that it is, and what that is in. */
interface Found {
  value: Node;
  child: Node;
  parent: Node;
  root: Node;
}

function findOurs(file: string, text: string, part: Part): Found | undefined {
  const found = findAt(file, text, part.at);
  if (!found) return undefined;
  if (part.as === "property") return part.isOurs(valueOf(found.value)) ? found : undefined;
  const list = found.value;
  if (list.type !== "array") return undefined;
  const item = (list.children ?? []).find((each) => part.isOurs(valueOf(each)));
  return item && { value: item, child: item, parent: list, root: found.root };
}

function findAt(file: string, text: string, path: readonly string[]): Found | undefined {
  const root = parse(file, text);
  let value = root;
  let found: Found | undefined;
  for (const key of path) {
    const parent: Node | undefined = value;
    if (!root || !parent) return undefined;
    value = propertyOf(parent, key);
    if (!value?.parent) return undefined;
    found = { value, child: value.parent, parent, root };
  }
  return found;
}

/** Of a key that is there twice, programs read the last. */
function propertyOf(node: Node, key: string): Node | undefined {
  if (node.type !== "object") return undefined;
  return node.children?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

/** Not by the parser's own function, whose objects are without a prototype, so that none equals one of ours. */
function valueOf({ type, children = [], value }: Node): Json {
  if (type === "array") return children.map(valueOf);
  if (type !== "object") return value as Json;
  return Object.fromEntries(
    children.flatMap(({ children: [key, inner] = [] }) => (key && inner ? [[String(key.value), valueOf(inner)]] : [])),
  );
}

function isEmpty(text: string, node: Node): boolean {
  const isContainer = node.type === "object" || node.type === "array";
  return isContainer && /^.\s*.$/s.test(text.slice(node.offset, node.offset + node.length));
}

/** The value of a part inside what has to be made around it, from this depth on. */
function nest(part: Part, depth: number): Json {
  const inner = part.as === "item" ? [part.value] : part.value;
  return part.at.slice(depth).reduceRight<Json>((value, key) => ({ [key]: value }), inner);
}

function madeFor(part: Part, depth: number): string[][] {
  const longest = part.as === "item" ? part.at.length : part.at.length - 1;
  return Array.from({ length: Math.max(0, longest - depth + 1) }, (_, index) => part.at.slice(0, depth + index)).filter(
    (path) => path.length > 0,
  );
}

function parse(file: string, text: string): Node | undefined {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    // It takes a byte order mark for a mistake; a blank keeps the offsets.
    root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidAt(file, text, 0, "this is nested too deeply.");
  }
  const [first] = errors;
  if (!first) return root;
  const said = printParseErrorCode(first.error)
    .replaceAll(/(?<!^)(?=[A-Z])/g, " ")
    .toLowerCase();
  throw invalidAt(file, text, first.offset, `this is no JSON: ${said}.`);
}

function mustBe(file: string, text: string, node: Node, path: readonly string[], what: string): MemoryError {
  return invalidAt(file, text, node.offset, `${path.length === 0 ? "the file" : path.join(".")} must be ${what}.`);
}

/** The error for what stands at an offset of a file. */
export function invalidAt(file: string, text: string, offset: number, what: string): MemoryError {
  return new MemoryError(
    "config-invalid",
    `${file}:${lineOf(text, offset)}: ${what}`,
    "Nothing was changed there. Correct it, then run the same again.",
  );
}
