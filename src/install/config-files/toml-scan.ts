/** A header or a pair of a TOML file, with the whole path of what it is about. Offsets count from the start of the text. */
export interface TomlStatement {
  kind: "table" | "list-table" | "pair";
  path: string[];
  begin: number;
  /** Behind its last character; a comment that follows on the line is not part of it. */
  end: number;
  /** Of a pair. */
  value?: TomlSpan;
}

export interface TomlSpan {
  begin: number;
  end: number;
  /** The pairs of an inline table. */
  members?: { path: string[]; begin: number; value: TomlSpan }[];
}

/** Where everything stands in a TOML text that a parser has found to be right. */
export function scanToml(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: string[] = [];
  let at = skip(text, text.startsWith("\uFEFF") ? 1 : 0, blanksAndComments);
  while (at < text.length) {
    const begin = at;
    if (text[at] === "[") {
      const isList = text.startsWith("[[", at);
      const key = scanKey(text, skip(text, at + (isList ? 2 : 1), blanks));
      table = key.path;
      at = key.end + (isList ? 2 : 1);
      statements.push({ kind: isList ? "list-table" : "table", path: table, begin, end: at });
    } else {
      const key = scanKey(text, at);
      const value = scanValue(text, skip(text, key.end + 1, blanks));
      at = value.end;
      statements.push({ kind: "pair", path: [...table, ...key.path], begin, end: at, value });
    }
    at = skip(text, at, blanksAndComments);
  }
  return statements;
}

const blanks = /[ \t]*/y;
const blanksAndComments = /(?:\s+|#[^\n]*)*/y;
const bareKey = /[A-Za-z0-9_-]+/y;
const basicText = /"(?:[^"\\]|\\.)*"/y;
const literalText = /'[^']*'/y;
// A closing mark may have one or two more quotes before it, which are part of the text.
const longBasicText = /"""(?:[^\\]|\\[^])*?"{3,5}/y;
const longLiteralText = /'''[^]*?'{3,5}/y;
const other = /[^\s,\]}#]+(?: [0-9:.]+(?:Z|[+-][0-9:]+)?)?/y;

/** A key with its dots; ends at what follows it, with the blanks before that. */
function scanKey(text: string, begin: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = begin;
  for (;;) {
    const part = match(text, at, text[at] === '"' ? basicText : text[at] === "'" ? literalText : bareKey);
    path.push(part.startsWith('"') ? unquoted(part) : part.startsWith("'") ? part.slice(1, -1) : part);
    at = skip(text, at + part.length, blanks);
    if (text[at] !== ".") return { path, end: at };
    at = skip(text, at + 1, blanks);
  }
}

function scanValue(text: string, begin: number): TomlSpan {
  const first = text[begin];
  if (first === "[") return scanList(text, begin);
  if (first === "{") return scanInlineTable(text, begin);
  const kind = text.startsWith('"""', begin)
    ? longBasicText
    : text.startsWith("'''", begin)
      ? longLiteralText
      : first === '"'
        ? basicText
        : first === "'"
          ? literalText
          : other;
  return { begin, end: begin + match(text, begin, kind).length };
}

function scanList(text: string, begin: number): TomlSpan {
  let at = skip(text, begin + 1, blanksAndComments);
  while (text[at] !== "]") {
    at = skip(text, text[at] === "," ? at + 1 : scanValue(text, at).end, blanksAndComments);
  }
  return { begin, end: at + 1 };
}

function scanInlineTable(text: string, begin: number): TomlSpan {
  const members: NonNullable<TomlSpan["members"]> = [];
  let at = skip(text, begin + 1, blanksAndComments);
  while (text[at] !== "}") {
    if (text[at] !== ",") {
      const key = scanKey(text, at);
      const value = scanValue(text, skip(text, key.end + 1, blanks));
      members.push({ path: key.path, begin: at, value });
      at = value.end - 1;
    }
    at = skip(text, at + 1, blanksAndComments);
  }
  return { begin, end: at + 1, members };
}

function match(text: string, at: number, pattern: RegExp): string {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  if (found === undefined || found === "") throw new Error(`a TOML text that cannot be read at ${at}`);
  return found;
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** TOML's escapes that JSON has not are rare in keys; such a key is none that is looked for. */
function unquoted(key: string): string {
  try {
    return JSON.parse(key) as string;
  } catch {
    return key;
  }
}
