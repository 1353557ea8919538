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
  /** The text that a here-document gives it. */
  heredoc?: string;
}

// A script of that length is no command that anybody gives again.
const longestLine = 8000;
const maxParts = 60;

/**
 * The programs that a command line runs, in their order. Not a shell: it knows quotes, here-documents, redirections and
 * what separates programs, and goes on where a shell would complain.
 *
 * @example
 * shellParts("cd app && npm test 2>&1 | tail -5").map(({ words }) => words.join(" ")) // ["cd app", "npm test", "tail -5"]
 */
export function shellParts(line: string): ShellPart[] {
  return new Splitter(line.slice(0, longestLine)).split();
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
  private redirect: "write" | "append" | "error" | "read" | "skip" | undefined;
  private part: ShellPart = emptyPart(false);
  private readonly parts: ShellPart[] = [];
  private waiting: { end: string; part: ShellPart }[] = [];

  constructor(private readonly line: string) {}

  split(): ShellPart[] {
    while (this.at < this.line.length && this.parts.length < maxParts) this.step();
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
    if (this.line.charAt(this.at) === '"') this.noteInner(close);
    this.add(this.line.slice(this.at + 1, close));
    this.at = close + 1;
  }

  /** What is substituted within double quotes. */
  private noteInner(close: number): void {
    for (let at = this.line.indexOf("$(", this.at); at !== -1 && at < close;) {
      const end = endOfSubstitution(this.line, at + 2);
      this.part.inner.push(this.line.slice(at + 2, end));
      at = this.line.indexOf("$(", end);
    }
  }

  private substitution(end: number): void {
    this.add("$(…)");
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
      this.redirect = "skip";
      this.at += 3;
    } else if (heredoc) {
      this.waiting.push({ end: (heredoc[1] ?? "").replace(/['"\\]/g, ""), part: this.part });
      this.at += heredoc[0].length;
    } else if (rest.startsWith("<(")) {
      this.at += 2;
      this.substitution(endOfSubstitution(this.line, this.at));
    } else {
      this.redirect = "read";
      this.at++;
    }
  }

  private takeHeredocs(): void {
    for (const { end, part } of this.waiting) {
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
    }
    this.waiting = [];
  }

  private endWord(): void {
    if (this.word === undefined) return;
    if (this.redirect === "append") this.part.appends.push(this.word);
    if (this.redirect === "write" || this.redirect === "append" || this.redirect === "error") {
      this.part.writes.push(this.word);
    }
    if (this.redirect === "read") this.part.reads.push(this.word);
    else if (this.redirect === undefined) this.part.words.push(this.word);
    this.word = undefined;
    this.redirect = undefined;
  }

  private endPart(feedsNext: boolean): void {
    this.endWord();
    this.redirect = undefined;
    if (this.part.words.length > 0 || this.part.writes.length > 0) this.parts.push(this.part);
    this.part = emptyPart(feedsNext);
  }
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
