/** One program with its arguments, as a shell would start it. */
export interface Started {
  /** Its name without folders, in lower case: `curl` for `/usr/bin/curl`. */
  program: string;
  args: string[];
  /** True when what it prints goes into a file. */
  isRedirected: boolean;
}

// What a command line says is in its beginning; the bodies of long here-documents are text.
const maxCharacters = 20_000;
const maxPrograms = 100;

/**
 * The programs that a command line starts, those in `$(…)` and `bash -c "…"` included. Quoted text stays one argument; the
 * body of a here-document is an argument of its program. Not a shell: what cannot be understood is passed over.
 */
export function splitCommand(line: string): Started[] {
  const found: Started[] = [];
  const waiting = [line.slice(0, maxCharacters)];
  // What is nested is looked at once more, so the work is bounded by the depth that waits here.
  for (let at = 0; at < waiting.length && at < maxPrograms; at++) {
    for (const words of splitWords(waiting[at] as string, waiting)) {
      const started = asStarted(words);
      if (!started) continue;
      if (found.length >= maxPrograms) return found;
      found.push(started);
      const inner = innerLine(started);
      if (inner !== undefined) waiting.push(inner);
    }
  }
  return found;
}

/** The words of each program of a line. What `$(…)` and backticks hold is added to `nested`. */
function splitWords(line: string, nested: string[]): string[][] {
  const programs: string[][] = [];
  let words: string[] = [];
  let word = "";
  let hasWord = false;
  const endOfWord = () => {
    if (hasWord) words.push(word);
    word = "";
    hasWord = false;
  };
  const endOfProgram = () => {
    endOfWord();
    if (words.length > 0) programs.push(words);
    words = [];
  };
  /** Goes behind a substitution, whose inside is looked at by itself. */
  const skip = (from: number, close: string): number => {
    const end = endOfNested(line, from, close);
    nested.push(line.slice(from, end));
    return end;
  };
  let isQuoted = false;
  let documents: string[] = [];
  for (let i = 0; i < line.length; i++) {
    const char = line[i] as string;
    if (char === "\\") {
      // At the end of a line it joins the next one.
      if (line[i + 1] !== "\n") word += line[i + 1] ?? "";
      hasWord ||= line[i + 1] !== "\n";
      i++;
    } else if ((char === "$" || char === "<" || char === ">") && line[i + 1] === "(") {
      hasWord = true;
      i = skip(i + 2, ")");
    } else if (char === "`") {
      hasWord = true;
      i = skip(i + 1, "`");
    } else if (char === '"') {
      isQuoted = !isQuoted;
      hasWord = true;
    } else if (isQuoted) {
      word += char;
    } else if (char === "'") {
      const end = line.indexOf("'", i + 1);
      word += line.slice(i + 1, end === -1 ? line.length : end);
      hasWord = true;
      i = end === -1 ? line.length : end;
    } else if (char === "#" && !hasWord) {
      const end = line.indexOf("\n", i);
      i = (end === -1 ? line.length : end) - 1;
    } else if (char === "<" && line.startsWith("<<", i) && line[i + 2] !== "<") {
      endOfWord();
      const [all = "<<", name = ""] = /^<<-?\s*['"]?([\w.-]*)['"]?/.exec(line.slice(i, i + 100)) ?? [];
      if (name) documents.push(name);
      i += all.length - 1;
    } else if (char === "\n" && documents.length > 0) {
      for (const name of documents) {
        const { body, end } = bodyOf(line, i + 1, name);
        words.push(body);
        i = end;
      }
      documents = [];
      endOfProgram();
    } else if (";|()\n".includes(char) || (char === "&" && line[i - 1] !== ">" && line[i + 1] !== ">")) {
      endOfProgram();
    } else if (char === ">" || char === "<") {
      endOfWord();
      words.push(char);
    } else if (char === " " || char === "\t" || char === "\r") endOfWord();
    else {
      word += char;
      hasWord = true;
    }
  }
  endOfProgram();
  return programs;
}

function endOfNested(line: string, from: number, close: string): number {
  let depth = 1;
  for (let i = from; i < line.length; i++) {
    if (line[i] === "\\") i++;
    else if (line[i] === close && --depth === 0) return i;
    else if (close === ")" && line[i] === "(") depth++;
  }
  return line.length;
}

/** What a here-document holds, and where the line of its end is over. */
function bodyOf(line: string, from: number, name: string): { body: string; end: number } {
  for (let start = from; start < line.length;) {
    const next = line.indexOf("\n", start);
    const end = next === -1 ? line.length : next;
    if (line.slice(start, end).trim() === name) return { body: line.slice(from, start), end: end - 1 };
    start = end + 1;
  }
  return { body: line.slice(from), end: line.length };
}

// They start what comes behind them.
const openers = new Set(
  "sudo doas env time nohup nice ionice command exec builtin xargs timeout stdbuf watch then do else if while until ! {".split(
    " ",
  ),
);

function asStarted(words: string[]): Started | undefined {
  let first = 0;
  let isOpened = false;
  for (; first < words.length; first++) {
    const word = words[first] as string;
    if (openers.has(word)) isOpened = true;
    else if (!/^\w+=/.test(word) && !(isOpened && /^(?:-|[\d.]+[smhd]?$)/.test(word))) break;
  }
  const name = words[first];
  if (name === undefined) return undefined;
  const program = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1).toLowerCase();
  const rest = words.slice(first + 1);
  // `2>&1` and `> /dev/null` keep nothing.
  const isRedirected = rest.some(
    (word, index) => word === ">" && rest[index - 1] !== "2" && !/^(?:&|\/dev\/|>?$)/.test(rest[index + 1] ?? ""),
  );
  return {
    program: program.replace(/\.(?:exe|cmd)$/, ""),
    args: rest.filter((word) => !/^[<>]$/.test(word)),
    isRedirected,
  };
}

/** The line that a shell is given as an argument: `bash -c "…"`, `eval "…"`. */
function innerLine({ program, args }: Started): string | undefined {
  if (program === "eval") return args.join(" ");
  if (!/^(?:ba|z|da|k|fi)?sh$/.test(program)) return undefined;
  const at = args.findIndex((arg) => /^-\w*c$/.test(arg));
  return at === -1 ? undefined : args[at + 1];
}
