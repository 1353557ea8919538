import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { lineOf } from "./text-edit.js";

/** Keys and places in lists that lead to something in a document. */
export type Path = readonly (string | number)[];

/** What a program that reads a file takes beside JSON proper. */
export interface Leniency {
  comments: boolean;
  trailingCommas: boolean;
}

const everything: Leniency = { comments: true, trailingCommas: true };

/** The tree of a JSON text; undefined for an empty one. Throws with file and line. */
export function parseJson(file: string, text: string, leniency: Leniency = everything): Node | undefined {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    // It takes a byte order mark for a mistake; a blank keeps the offsets.
    root = parseTree(text.replace(/^\uFEFF/, " "), errors, {
      disallowComments: !leniency.comments,
      allowTrailingComma: leniency.trailingCommas,
      allowEmptyContent: true,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidAt(file, text, 0, "this is nested too deeply.");
  }
  const [first] = errors;
  if (!first) return root;
  const name = printParseErrorCode(first.error);
  const said =
    name === "InvalidCommentToken"
      ? "a comment, with which its agent ignores the whole file"
      : name.replaceAll(/(?<!^)(?=[A-Z])/g, " ").toLowerCase();
  throw invalidAt(file, text, first.offset, `this is no JSON: ${said}.`);
}

/** Not by the parser's own function, whose objects are without a prototype, so that none equals one of ours. */
export function valueOf({ type, children = [], value }: Node): Json {
  if (type === "array") return children.map(valueOf);
  if (type !== "object") return value as Json;
  return Object.fromEntries(
    children.flatMap(({ children: [key, inner] = [] }) => (key && inner ? [[String(key.value), valueOf(inner)]] : [])),
  );
}

/** The value at a path. Of a key that is there twice, programs read the last. */
export function nodeAt(root: Node | undefined, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    if (typeof step === "number") return node?.type === "array" ? node.children?.[step] : undefined;
    if (node?.type !== "object") return undefined;
    return node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
  }, root);
}

/** True for an object or a list with nothing in it, not even a comment. */
export function isEmptyNode(text: string, { type, offset, length }: Node): boolean {
  return (type === "object" || type === "array") && /^.\s*.$/s.test(text.slice(offset, offset + length));
}

/** The error for what stands at an offset of a file. */
export function invalidAt(file: string, text: string, offset: number, what: string): MemoryError {
  return new MemoryError(
    "config-invalid",
    `${file}:${lineOf(text, offset)}: ${what}`,
    "Nothing was changed there. Correct it, then run the same again.",
  );
}
