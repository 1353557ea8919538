/** One program of a command line. */
export interface ShellPart {
  /** Its words, quotes taken off. */
  words: string[];
  /** It gets what the program before it prints. */
  isFed: boolean;
  /** Files that its output goes to. */
  writes: string[];
  /** Those of them that keep what they hold. */
  appends: string[];
  /** What it prints goes into a file and is not seen. */
  isKept: boolean;
  /** The command lines in its `$(…)`. */
  inner: string[];
  /** Files that it gets as its input. */
  reads: string[];
  /** The text that a here-document or a here-string gives it. */
  heredoc?: string;
}

// A script of that length is no command that anybody gives again.
const longestLine = 8000;
const maxParts = 60;
/** So much of a line is looked at where nothing of it may be missed. */
export const longestWhole = 64_000;
/** A line with more programs is one that nobody has looked at to its end. */
export const maxWholeParts = 400;

/**
 * The programs that a command line runs, in their order. Not a shell: it knows quotes, here-documents, redirections and
 * what separates programs, and goes on where a shell would complain.
 *
 * @example
 * shellParts("cd app && npm test 2>&1 | tail -5").map(({ words }) => words.join(" ")) // ["cd app", "npm test", "tail -5"]
 */
export function shellParts(line: string): ShellPart[] {
  return new Splitter(line.slice(0, longestLine), maxParts).split();
}

/** The same of a line as long as a file that is written with a here-document. */
export function allShellParts(line: string): ShellPart[] {
  return new Splitter(line.slice(0, longestWhole), maxWholeParts).split();
}

/** What a line says before the text of its first here-document. */
export function withoutHeredoc(line: string): string {
  const start = line.search(/<<-?\s*(?:\\?\w|['"])/);
  const end = start === -1 ? -1 : line.indexOf("\n", start);
  return end === -1 ? line : `${line.slice(0, end)} …`;
}

class Splitter {
  private at = 0;
  private word: string | undefined;
  private redirect: "write" | "append" | "error" | "read" | "text" | undefined;
  private part: ShellPart = emptyPart(false);
  private readonly parts: ShellPart[] = [];
  private waiting: { end: string; part: ShellPart; isLiteral: boolean }[] = [];

  constructor(
    private readonly line: string,
    private readonly limit: number,
  ) {}

  split(): ShellPart[] {
    while (this.at < this.line.length && this.parts.length < this.limit) this.step();
    this.endPart(false);
    return this.parts;
  }

  private step(): void {
    const { line, at } = this;
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    switch (character) {
      case "\\":
        if (next !== "\n") this.add(next);
        this.at += 2;
        return;
      case "'":
        return this.quote(line.indexOf("'", at + 1));
      case '"':
        return this.quote(endOfDoubleQuote(line, at + 1));
      case "`":
        return this.substitution(line.indexOf("`", at + 1));
      case "$":
        if (next === "(") return this.substitution(endOfSubstitution(line, at + 2));
        break;
      case " ":
      case "\t":
      case "\r":
        this.endWord();
        this.at++;
        return;
      case "\n":
        this.endPart(false);
        this.at++;
        return this.takeHeredocs();
      case "#":
        if (this.word === undefined) {
          this.at = orEnd(line, line.indexOf("\n", at));
          return;
        }
        break;
      case ";":
      case "(":
      case ")":
        this.endPart(false);
        this.at++;
        return;
      case "|":
        this.endPart(next !== "|");
        this.at += next === "|" || next === "&" ? 2 : 1;
        return;
      case "&":
        if (next === ">") return this.output(1);
        this.endPart(false);
        this.at += next === "&" ? 2 : 1;
        return;
      case ">":
        return this.output(0);
      case "<":
        return this.input();
      default:
    }
    this.add(character);
    this.at++;
  }

  private add(text: string): void {
    this.word = (this.word ?? "") + text;
  }

  private quote(end: number): void {
    const close = orEnd(this.line, end);
    if (this.line.charAt(this.at) === '"') this.part.inner.push(...substitutedIn(this.line, this.at + 1, close));
    const text = this.line.slice(this.at + 1, close);
    // A line within a line has quotes of its own.
    this.add(
      this.line.charAt(this.at) === '"' ? text.replace(/\\([\\"])/g, (both, one) => (one === '"' ? one : both)) : text,
    );
    this.at = close + 1;
  }

  private substitution(end: number, mark = "$(…)"): void {
    this.add(mark);
    const close = orEnd(this.line, end);
    this.part.inner.push(this.line.slice(this.at, close).replace(/^(?:\$\(|`)/, ""));
    this.at = close + 1;
  }

  /** `>`, `>>`, `2>`, `&>`, `2>&1`. */
  private output(skip: number): void {
    const isError = this.word === "2";
    if (this.word !== undefined && /^\d$/.test(this.word)) this.word = undefined;
    this.endWord();
    this.at += skip + 1;
    const isAppended = this.line.charAt(this.at) === ">";
    while (this.line.charAt(this.at) === ">" || this.line.charAt(this.at) === "|") this.at++;
    const copied = /^&[\d-]/.exec(this.line.slice(this.at, this.at + 2));
    if (copied) this.at += 2;
    else this.redirect = isAppended ? "append" : isError ? "error" : "write";
    if (!copied && !isError && !/^\s{0,20}\/dev\/(?:std|tty|fd)/.test(this.line.slice(this.at, this.at + 40))) {
      this.part.isKept = true;
    }
  }

  /** `<`, `<<EOF`, `<<<`, `<(…)`. */
  private input(): void {
    const rest = this.line.slice(this.at, this.at + 100);
    this.endWord();
    const heredoc = /^<<-?[ \t]*(\\?[\w.-]+|'[^'\n]*'|"[^"\n]*")/.exec(rest);
    if (rest.startsWith("<<<")) {
      this.redirect = "text";
      this.at += 3;
    } else if (heredoc) {
      const word = heredoc[1] ?? "";
      this.waiting.push({ end: word.replace(/['"\\]/g, ""), part: this.part, isLiteral: /['"\\]/.test(word) });
      this.at += heredoc[0].length;
    } else if (rest.startsWith("<(")) {
      this.at += 2;
      this.substitution(endOfSubstitution(this.line, this.at), "<(…)");
    } else {
      this.redirect = "read";
      this.at++;
    }
  }

  private takeHeredocs(): void {
    for (const { end, part, isLiteral } of this.waiting) {
      const start = this.at;
      let close = this.line.length;
      for (let from = start; from < this.line.length;) {
        const lineEnd = orEnd(this.line, this.line.indexOf("\n", from));
        if (this.line.slice(from, lineEnd).trim() === end) {
          close = from;
          this.at = lineEnd + 1;
          break;
        }
        from = lineEnd + 1;
      }
      if (close === this.line.length) this.at = close;
      part.heredoc = this.line.slice(start, close);
      if (!isLiteral) part.inner.push(...substitutedIn(this.line, start, close));
    }
    this.waiting = [];
  }

  private endWord(): void {
    if (this.word === undefined) return;
    if (this.redirect === "append") this.part.appends.push(this.word);
    if (this.redirect === "write" || this.redirect === "append" || this.redirect === "error") {
      this.part.writes.push(this.word);
    }
    if (this.redirect === "text") this.part.heredoc = this.word;
    if (this.redirect === "read") this.part.reads.push(this.word);
    else if (this.redirect === undefined) this.part.words.push(this.word);
    this.word = undefined;
    this.redirect = undefined;
  }

  private endPart(feedsNext: boolean): void {
    this.endWord();
    this.redirect = undefined;
    const { words, writes, reads, inner } = this.part;
    if (words.length + writes.length + reads.length + inner.length > 0) this.parts.push(this.part);
    this.part = emptyPart(feedsNext);
  }
}

/** The command lines whose output a text is given by `$(…)` and backticks, as in double quotes. */
function substitutedIn(line: string, from: number, to: number): string[] {
  const inner: string[] = [];
  for (let at = from; at < to; at++) {
    const character = line.charAt(at);
    if (character === "\\") at++;
    else if (character === "`") {
      const end = line.indexOf("`", at + 1);
      const close = end === -1 ? to : end;
      inner.push(line.slice(at + 1, close));
      at = close;
    } else if (character === "$" && line.charAt(at + 1) === "(") {
      const close = endOfSubstitution(line, at + 2);
      inner.push(line.slice(at + 2, close));
      at = close;
    }
  }
  return inner;
}

function emptyPart(isFed: boolean): ShellPart {
  return { words: [], isFed, writes: [], appends: [], isKept: false, inner: [], reads: [] };
}

function orEnd(line: string, at: number): number {
  return at === -1 ? line.length : at;
}

function endOfDoubleQuote(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === "\\") at++;
    else if (character === '"') return at;
    else if (character === "$" && line.charAt(at + 1) === "(") at = endOfSubstitution(line, at + 2);
  }
  return line.length;
}

/** Where the bracket closes that a `$(` opened. What it holds may be a here-document with quotes and brackets of its own. */
function endOfSubstitution(line: string, from: number): number {
  const heredoc = /^\s*cat\s+<<-?\s*['"]?(\w+)['"]?/.exec(line.slice(from, from + 100));
  const end = heredoc ? line.indexOf(`\n${heredoc[1] ?? ""}`, from) : -1;
  if (end !== -1) return orEnd(line, line.indexOf(")", end));
  let depth = 1;
  for (let at = from; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === "\\") at++;
    else if (character === "'") at = orEnd(line, line.indexOf("'", at + 1));
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at;
  }
  return line.length;
}
