import { fileURLToPath } from "node:url";
import { builtFile } from "../../base/built-file.js";
import type { Parser, Tree } from "web-tree-sitter";

/** A node of a parsed file. Only named ones are kept: what is between them is punctuation. */
export interface SyntaxNode {
  type: string;
  /** What it is to its parent: `name`, `body`; empty where it has no part of its own. */
  field: string;
  /** Places in the text, as JavaScript counts them. */
  start: number;
  end: number;
  children: SyntaxNode[];
}

export interface SyntaxTree {
  root: SyntaxNode;
  /** Where parsing failed first, as a place in the text. */
  firstError?: number;
}

export type Grammar =
  | "c"
  | "c_sharp"
  | "cpp"
  | "go"
  | "java"
  | "javascript"
  | "php"
  | "python"
  | "ruby"
  | "rust"
  | "tsx"
  | "typescript";

export interface SyntaxParser {
  parse(source: string): SyntaxTree;
}

// Far more than people write. What lies deeper is left out, so that whoever walks the tree may do so recursively.
const deepest = 400;
// A file of 1 MB parses in half a second; what takes longer than this was made to.
const patienceMs = 3000;

const opened = new Map<Grammar, Promise<SyntaxParser>>();
let starting: Promise<void> | undefined;

/** The parser of a grammar, loaded once a thread. One that could not be loaded is tried again when it is next asked for. */
export function openSyntaxParser(grammar: Grammar): Promise<SyntaxParser> {
  const known = opened.get(grammar);
  if (known) return known;
  const parser = load(grammar);
  opened.set(grammar, parser);
  parser.catch(() => opened.delete(grammar));
  return parser;
}

async function load(grammar: Grammar): Promise<SyntaxParser> {
  const { Parser, Language } = await import("web-tree-sitter");
  // Once: called again before it is done, it makes a second runtime, and a language that was loaded into the first one is
  // refused by that as "Incompatible language version 0".
  starting ??= Parser.init().catch((error: unknown) => {
    starting = undefined;
    throw error;
  });
  await starting;
  const language = await Language.load(fileURLToPath(builtFile(`grammars/${grammar}.wasm`)));
  const parser = new Parser();
  parser.setLanguage(language);
  return { parse: (source) => parse(parser, source) };
}

function parse(parser: Parser, source: string): SyntaxTree {
  const until = performance.now() + patienceMs;
  const tree = parser.parse(source, null, { progressCallback: () => performance.now() > until });
  if (!tree) {
    // What was begun would be taken up again with the next text.
    parser.reset();
    return { root: { type: "", field: "", start: 0, end: source.length, children: [] }, firstError: 0 };
  }
  try {
    return readTree(tree);
  } finally {
    tree.delete();
  }
}

/** The whole tree as plain objects: asking WebAssembly for each thing when it is needed takes twice as long. */
function readTree(tree: Tree): SyntaxTree {
  const cursor = tree.walk();
  let firstError: number | undefined;
  const read = (): SyntaxNode => ({
    type: cursor.nodeType,
    field: cursor.currentFieldName ?? "",
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
  });
  const root = read();
  const open = [root];
  for (;;) {
    if (cursor.nodeIsMissing || cursor.nodeType === "ERROR") firstError ??= cursor.startIndex;
    if (open.length < deepest && cursor.gotoFirstChild()) {
      open.push(next());
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        cursor.delete();
        return { root, ...(firstError !== undefined && { firstError }) };
      }
      open.pop();
    }
    open.pop();
    open.push(next());
  }

  function next(): SyntaxNode {
    const parent = open.at(-1) as SyntaxNode;
    if (!cursor.nodeIsNamed) return { ...leaf };
    const node = read();
    parent.children.push(node);
    return node;
  }
}

// Stands for punctuation while its turn lasts; it has no children.
const leaf: SyntaxNode = { type: "", field: "", start: 0, end: 0, children: [] };
