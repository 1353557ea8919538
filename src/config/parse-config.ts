import type { Node, ParseError, ParseOptions } from "jsonc-parser";
import { MemoryError } from "../base/memory-error.js";

/** A configuration file as it is written, and what stands where in it. Offsets count from the start of `text`. */
export interface ParsedConfig {
  file: string;
  /** The whole file, for package.json too, its byte order mark included. */
  text: string;
  syntax: "json" | "yaml";
  /** From the opening brace to behind the closing one; absent in YAML that goes line by line. */
  braces?: { begin: number; end: number };
  /** In the order of the file; a key that is there twice is here twice. */
  entries: Entry[];
}

export interface Entry {
  name: string;
  /** Of lists and objects no more than a setting can hold: what is nested deeper is given empty. */
  value: unknown;
  /** Where the key begins. */
  begin: number;
  valueBegin: number;
  /** Where the value ends. */
  end: number;
}

/** Reads a `tacit.config.*`. Throws for a syntax error, and for anything but an object, with file and line. */
export async function parseConfig(file: string, text: string): Promise<ParsedConfig> {
  refuseUnbounded(file, text);
  if (file.endsWith("ml")) return parseYaml(file, text);
  const root = await parseJson(file, text, { allowTrailingComma: true });
  if (root instanceof MemoryError) throw root;
  return jsonConfig(file, text, root, "the file");
}

/**
 * Reads the `tacit` of a package.json; undefined where there is none. One that does not parse is not ours to mend and
 * says nothing to us, unless `mustParse`: where something is to be written, it must not be passed over.
 */
export async function parsePackageJson(
  file: string,
  text: string,
  { mustParse }: { mustParse: boolean },
): Promise<ParsedConfig | undefined> {
  const root = await parseJson(file, text, { disallowComments: true });
  if (root instanceof MemoryError) {
    if (mustParse) throw root;
    return undefined;
  }
  const [property, second] = propertiesOf(root).filter(([key]) => key.value === "tacit");
  if (!property) return undefined;
  if (second) throw invalidAt(file, text, second[0].offset, '"tacit" is there twice.', "Keep one of the two.");
  return jsonConfig(file, text, property[1], "tacit");
}

// Each setting in its longest form takes 10 KiB, in two levels.
const maxKiB = 64;
const maxLevels = 64;

/** A clone may bring any file, and a parser of YAML takes seconds for a megabyte, or ends the process where it is nested. */
function refuseUnbounded(file: string, text: string): void {
  if (Buffer.byteLength(text) > maxKiB * 1024)
    throw invalidAt(
      file,
      "",
      0,
      `the file is larger than ${maxKiB} KiB.`,
      "Settings need far less: shorten its lists.",
    );
  const deep = offsetOfDepth(text);
  if (deep !== undefined)
    throw invalidAt(file, text, deep, `nested more than ${maxLevels} levels deep.`, "No setting needs more than two.");
}

/** Where brackets, indentation and dashes come to too many levels, also within strings: no setting has that many there. */
function offsetOfDepth(text: string): number | undefined {
  const indents: number[] = [];
  let brackets = 0;
  let offset = 0;
  for (const line of text.split("\n")) {
    const lead = /^[ \t]*((?:[-?:][ \t]+)*)/.exec(line) ?? [""];
    const [, markers = ""] = lead;
    const indent = lead[0].length - markers.length;
    if (line.trim() !== "") {
      while ((indents.at(-1) ?? -1) >= indent) indents.pop();
      indents.push(indent);
    }
    for (const sign of line.matchAll(/[[{\]}]/g)) {
      brackets = Math.max(0, brackets + (sign[0] === "[" || sign[0] === "{" ? 1 : -1));
      if (brackets > maxLevels) return offset + sign.index;
    }
    if (indents.length + markers.replace(/[ \t]+/g, "").length > maxLevels) return offset;
    offset += line.length + 1;
  }
  return undefined;
}

/** The error for what stands at an offset, naming file and line. */
export function invalidAt(file: string, text: string, offset: number, what: string, hint: string): MemoryError {
  const line = text.slice(0, offset).split(/\r\n|\n|\r/).length;
  return new MemoryError("config-invalid", `${file}:${line}: ${what}`, hint);
}

async function parseJson(file: string, text: string, options: ParseOptions): Promise<Node | MemoryError> {
  // Loaded here, because most recalls have no configuration to read: 14 ms for this, 24 ms for yaml.
  const { parseTree, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  try {
    // It takes a byte order mark for a syntax error.
    const root = parseTree(text.replace(/^\uFEFF/, " "), errors, options);
    const [first] = errors;
    if (root && !first) return root;
    const said = first ? printParseErrorCode(first.error) : "ValueExpected";
    return syntaxError(file, text, first?.offset ?? 0, "JSON", said.replaceAll(/(?<!^)(?=[A-Z])/g, " ").toLowerCase());
  } catch (error) {
    // It follows the nesting with its own calls.
    if (!(error instanceof RangeError)) throw error;
    return syntaxError(file, text, 0, "JSON", "nested too deeply");
  }
}

function jsonConfig(file: string, text: string, node: Node, subject: string): ParsedConfig {
  if (node.type !== "object") throw notAnObject(file, text, node.offset, subject);
  return {
    file,
    text,
    syntax: "json",
    braces: { begin: node.offset, end: node.offset + node.length },
    entries: propertiesOf(node).map(([key, value]) => ({
      name: String(key.value),
      value: plainValue(value),
      begin: key.offset,
      valueBegin: value.offset,
      end: value.offset + value.length,
    })),
  };
}

// An object with lists in it: what follows the nesting further would never come to an end of some files.
const deepest = 2;

function plainValue(node: Node, depth = 0): unknown {
  const isCut = depth === deepest;
  if (node.type === "array") return isCut ? [] : (node.children ?? []).map((item) => plainValue(item, depth + 1));
  if (node.type !== "object") return node.value;
  const entries = isCut ? [] : propertiesOf(node);
  return Object.fromEntries(entries.map(([key, value]) => [String(key.value), plainValue(value, depth + 1)]));
}

function propertiesOf(node: Node): [key: Node, value: Node][] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => (key && value ? [[key, value]] : []));
}

async function parseYaml(file: string, text: string): Promise<ParsedConfig> {
  const { isAlias, isMap, isScalar, isSeq, parseDocument } = await import("yaml");
  // Its own search for keys that are there twice compares each with each: 2.3 s for 20,000 keys.
  const { contents, errors } = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
  const [first] = errors;
  if (first) throw syntaxError(file, text, first.pos[0], "YAML", first.message);
  // Nothing but comments is a file where every setting is commented out.
  if (contents === null) return { file, text, syntax: "yaml", entries: [] };
  const [begin, end] = contents.range;
  if (!isMap(contents)) throw notAnObject(file, text, begin, "the file");

  const plain = (node: unknown, depth: number): unknown => {
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return depth === deepest ? [] : node.items.map((item) => plain(item, depth + 1));
    if (!isMap(node)) return node === null || node === undefined ? null : {};
    const pairs = depth === deepest ? [] : node.items;
    return Object.fromEntries(pairs.map(({ key, value }) => [String(plain(key, deepest)), plain(value, depth + 1)]));
  };
  const entries = contents.items.map(({ key, value }): Entry => {
    const [keyBegin, keyEnd] = key.range;
    const [valueBegin, valueEnd] = value?.range ?? [keyEnd, keyEnd];
    // Following aliases takes longer the more there are, and no setting needs one.
    if (isAlias(value)) throw invalidAt(file, text, valueBegin, "aliases are not read.", "Write the value itself.");
    return {
      name: isScalar(key) && typeof key.value === "string" ? key.value : text.slice(keyBegin, keyEnd),
      value: plain(value, 0),
      begin: keyBegin,
      valueBegin,
      // A block of text takes its line end with it.
      end: valueBegin + text.slice(valueBegin, valueEnd).trimEnd().length,
    };
  });
  return { file, text, syntax: "yaml", ...(contents.flow === true && { braces: { begin, end } }), entries };
}

function syntaxError(file: string, text: string, offset: number, syntax: "JSON" | "YAML", said: string): MemoryError {
  // It may quote the file, and what stands there may be anything.
  const short = (said.split("\n", 1)[0] ?? "").slice(0, 80);
  return invalidAt(
    file,
    text,
    offset,
    `this is no ${syntax}: ${short}.`,
    "Correct it there; the mistake may be a line away.",
  );
}

function notAnObject(file: string, text: string, offset: number, subject: string): MemoryError {
  return invalidAt(file, text, offset, `${subject} must be an object.`, 'For example: { "cleanupDays": 30 }');
}
