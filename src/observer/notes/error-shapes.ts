/** An error as one line of output tells it. */
export interface ErrorShape {
  /** `TypeError`, `TS2345`, `ENOENT`, `fatal`. */
  kind: string;
  /** What the shape itself consists of: safe to show whatever follows. */
  head: string;
  /** What the program says about it. */
  rest: string;
  /** A path that the line names. */
  file?: string;
  /** The path stands in a line of its own above, as linters list what they find by file. */
  isBelowFile?: true;
  /** How much it tells; the smallest wins. */
  rank: 0 | 1 | 2 | 3;
}

/** A line with the shape of an error, and where it stands. */
export interface FoundError {
  shape: ErrorShape;
  start: number;
  end: number;
}

const longestLine = 600;
const passed = /^\s{0,20}(?:[✓√✔]|ok \d|PASS\b|--- PASS|test [\w:]{1,200} \.\.\. ok$)/;

/**
 * The error that a line tells of, if it has the shape of one that compilers, runtimes, test runners, shells or the tools of
 * agents print. Everything else is undefined, whatever it says: no other line of an output may end up in a memory.
 */
export function errorShape(line: string): ErrorShape | undefined {
  // What passed may be called after any error.
  if (passed.test(line)) return undefined;
  const text = line
    .slice(0, longestLine)
    .replace(/^[\s│|>❯×✗✖✘●•*]+/, "")
    .trimEnd();
  for (const [hint, shape] of shapes) {
    if (!text.includes(hint)) continue;
    const found = shape(text, line);
    if (found) return found;
  }
  return undefined;
}

/** What every line with the shape of an error holds: to find such lines quickly. */
export const errorHint =
  /rror|xception|Interrupt|panic|fatal:|FATAL|FAIL|ERR!|not found|Cannot find|No such file|denied|E[A-Z]{4,}:|^E {2,}|\.go:\d|\.py:\d+:\d+: [A-Z]|Segmentation fault|assert|timed out/gm;

type Shape = (text: string, line: string) => ErrorShape | undefined;

const systemErrors =
  "ENOENT|EACCES|EADDRINUSE|ECONNREFUSED|ECONNRESET|EEXIST|EPERM|ENOTFOUND|ETIMEDOUT|EISDIR|ENOTDIR|ENOTEMPTY|EMFILE|ENOSPC|EPIPE|EBUSY|EINVAL|ELOOP|EXDEV|EROFS|ENOMEM|EHOSTUNREACH|EAI_AGAIN|EADDRNOTAVAIL|ERESOLVE|ELIFECYCLE|EJSONPARSE|EUNSUPPORTEDPROTOCOL|E404|E401|E403|EBADENGINE|ETARGET|EUSAGE";

// Each with a word that its lines hold, so that most are not tried. What follows an unbounded part never begins with a
// character of it: matching stays linear in the length of the line.
const shapes: [hint: string, shape: Shape][] = [
  [
    "error TS",
    matching(/^(?:([^\s(:][^(:]{0,200})(?:\(\d+,\d+\)|:\d+:\d+)\s*(?:-|:)\s*)?error (TS\d{3,5}): ?(.*)$/, (found) => ({
      kind: found[2] ?? "",
      head: `error ${found[2]}:`,
      rest: found[3] ?? "",
      file: found[1],
      rank: 0,
    })),
  ],
  [
    "error[",
    matching(/^error\[(E\d{4})\]: ?(.*)$/, (found) => ({
      kind: found[1] ?? "",
      head: `error[${found[1]}]:`,
      rest: found[2] ?? "",
      rank: 0,
    })),
  ],
  [
    "E  ",
    // pytest marks what went wrong with an E before it.
    matching(/^E {2,}(assert .*|Failed: .*)$/, (found) => ({
      kind: "AssertionError",
      head: "AssertionError:",
      rest: found[1] ?? "",
      rank: 0,
    })),
  ],
  ["FAILED", pytestSummary],
  [
    " error ",
    // ESLint: 12:5  error  'x' is assigned a value but never used  no-unused-vars
    matching(/^\d+:\d+\s+error\s+(.*\S)\s{2,}(@?[\w/-]{2,80})$/, (found) => ({
      kind: found[2] ?? "",
      head: `${found[2]}:`,
      rest: found[1] ?? "",
      rank: 0,
      isBelowFile: true,
    })),
  ],
  [
    " error ",
    // The same of a rule without a name.
    matching(/^\d+:\d+\s+error\s+(\S.*)$/, (found) => ({
      kind: "lint",
      head: "error:",
      rest: found[1] ?? "",
      rank: 0,
      isBelowFile: true,
    })),
  ],
  [
    ".py:",
    // flake8 and ruff: a.py:1:8: F401 `os` imported but unused
    matching(/^([^\s:]{1,200}\.py):\d+:\d+: ([A-Z]{1,4}\d{3,4}) (\S.*)$/, (found) => ({
      kind: found[2] ?? "",
      head: `${found[2]}:`,
      rest: found[3] ?? "",
      file: found[1],
      rank: 0,
    })),
  ],
  ["rror", named],
  ["xception", named],
  ["Interrupt", named],
  ["Exit", named],
  [
    "E",
    matching(new RegExp(`^(?:[\\w.-]{1,40}: |Error: )?(${systemErrors}): (.*)$`), (found) => ({
      kind: found[1] ?? "",
      head: `${found[1]}:`,
      rest: found[2] ?? "",
      rank: 0,
    })),
  ],
  [
    "npm ",
    matching(
      /^npm (?:ERR!|error) (?:code (\w{2,30})|(Missing script: .*|Could not resolve dependency.*))$/,
      (found) => ({
        kind: found[1] ?? "npm",
        head: found[1] === undefined ? "npm error" : `npm error code ${found[1]}`,
        rest: found[2] ?? "",
        rank: 1,
      }),
    ),
  ],
  [
    "panic",
    matching(
      /^(?:panic: (.*)|thread '[^']{0,80}' (?:\(\d+\) )?panicked at (?:'([^']*)', )?([^\s:,]+)?.*)$/,
      (found) => ({
        kind: "panic",
        head: "panic:",
        rest: found[1] ?? found[2] ?? "",
        file: found[3],
        rank: 0,
      }),
    ),
  ],
  [
    "rror: ",
    // gcc and clang: a.c:3:5: error: …
    matching(/^([^\s:][^\s:]{0,200}):\d+(?::\d+)?: (?:fatal )?error: (.*)$/, (found) => ({
      kind: "error",
      head: "error:",
      rest: found[2] ?? "",
      file: found[1],
      rank: 0,
    })),
  ],
  [
    ".go:",
    matching(/^(?:vet: )?([^\s:]{1,200}\.go):\d+(?::\d+)?: (.*)$/, (found) => ({
      kind: "go",
      head: "go:",
      rest: found[2] ?? "",
      file: found[1],
      rank: 1,
    })),
  ],
  ["fatal: ", matching(/^fatal: (.*)$/, (found) => ({ kind: "fatal", head: "fatal:", rest: found[1] ?? "", rank: 1 }))],
  [
    "FATAL ERROR",
    matching(/^FATAL ERROR: (.*)$/, (found) => ({
      kind: "FATAL",
      head: "FATAL ERROR:",
      rest: found[1] ?? "",
      rank: 1,
    })),
  ],
  [
    "not found",
    matching(/^(?:[\w./-]{1,60}: )?(?:line \d+: |\d+: )?([\w.@/+-]{1,60}): (?:command )?not found$/, (found) => ({
      kind: "command not found",
      head: `command not found: ${found[1]}`,
      rest: "",
      rank: 1,
    })),
  ],
  [
    "command not found",
    matching(/^(?:zsh|bash|fish|sh): (?:\d+: )?command not found: ([\w.@/+-]{1,60})$/, (found) => ({
      kind: "command not found",
      head: `command not found: ${found[1]}`,
      rest: "",
      rank: 1,
    })),
  ],
  [
    "not found",
    matching(/^(?:ERROR in \S+ *)?Module not found: ?(.*)$/, (found) => ({
      kind: "Module not found",
      head: "Module not found:",
      rest: found[1] ?? "",
      rank: 1,
    })),
  ],
  [
    "Cannot find",
    matching(/^Cannot find (module|package) (.*)$/, (found) => ({
      kind: "Cannot find module",
      head: `Cannot find ${found[1]}`,
      rest: found[2] ?? "",
      rank: 1,
    })),
  ],
  ["No such file or directory", systemMessage("ENOENT", "No such file or directory")],
  ["ermission denied", systemMessage("EACCES", "Permission denied")],
  [
    "Segmentation fault",
    matching(/^(?:.{0,60} )?Segmentation fault(?: \(core dumped\))?$/, () => ({
      kind: "SIGSEGV",
      head: "Segmentation fault",
      rest: "",
      rank: 1,
    })),
  ],
  [
    "timed out",
    matching(/^(?:Error: )?Command timed out(?: after .{1,40})?$/, () => ({
      kind: "timeout",
      head: "Command timed out",
      rest: "",
      rank: 1,
    })),
  ],
  [
    "rror",
    matching(/^(?:\[?(?:error|ERROR|Error)\]?:?|[\w-]{1,30}: (?:error|ERROR):) (\S.*)$/, (found) => ({
      kind: "error",
      head: "error:",
      rest: found[1] ?? "",
      rank: 2,
    })),
  ],
  [
    "--- FAIL: ",
    matching(/^--- FAIL: (\w[\w/]{0,120})/, (found) => ({ kind: "FAIL", head: `FAIL ${found[1]}`, rest: "", rank: 3 })),
  ],
  [
    "FAIL",
    matching(/^FAIL:?\s+(?:\|?\S{1,30}\|?\s+)?([\w@./\\+-]{1,200}\.\w{1,5})(?:\s+(?:>|›|❯)\s+(.*))?/, (found) => ({
      kind: "FAIL",
      head: `FAIL ${found[1]}`,
      rest: found[2] ?? "",
      file: found[1],
      rank: 3,
    })),
  ],
];

const systemCode = new RegExp(`^(?:[a-z]{2,20} )?(${systemErrors})\\b`);

/** `TypeError: …`, `java.lang.IllegalStateException: …`, `Error [ERR_X]: …`, and pytest's `E   ValueError: …`. */
function named(text: string): ErrorShape | undefined {
  const found =
    /^(?:E {2,}|Uncaught |Unhandled ?\w*:? |Caused by: |Exception in thread "[^"]{0,60}" |[^\s:]{1,120}: )?((?:[a-z_]\w*\.){0,6}([A-Z]\w{0,60}(?:Error|Exception|Interrupt|Exit)|Error|ERROR|Exception))(?: \[(\w{2,60})\])?(?:: ?(.*))?$/.exec(
      text,
    );
  if (!found) return undefined;
  const [, , name = "Error", code, rest = ""] = found;
  // A heading "Error" tells nothing, and a bare name does only where it has one.
  if (found[4] === undefined && (name === "Error" || name === "ERROR" || name === "Exception")) return undefined;
  const kind = code ?? systemCode.exec(rest)?.[1] ?? (name === "ERROR" ? "Error" : name);
  const head = code === undefined ? `${name}:` : `${name} [${code}]:`;
  return { kind, head, rest, rank: kind === "Error" || kind === "Exception" ? 1 : 0 };
}

/** `FAILED tests/test_a.py::test_b - ValueError: bad` */
function pytestSummary(text: string): ErrorShape | undefined {
  const found = /^FAILED ([\w@./\\+-]{1,200}\.py)(?:::[^\s]{1,200})?(?: - (.*))?$/.exec(text);
  if (!found) return undefined;
  const inner = found[2] === undefined ? undefined : named(found[2]);
  const file = found[1] ?? "";
  return inner ? { ...inner, file, rank: 2 } : { kind: "FAIL", head: `FAIL ${file}`, rest: "", file, rank: 3 };
}

/** `cat: a.txt: No such file or directory`, `ls: cannot access 'a': No such file or directory`. */
function systemMessage(kind: string, words: string): Shape {
  const pattern = new RegExp(
    `^([\\w./-]{1,60}): (?:line \\d+: )?(?:cannot [a-z ]{1,40}|can't [a-z ]{1,40})?:? ?(\\S{1,200}?):? ?${words}$`,
    "i",
  );
  return matching(pattern, (found) => ({ kind, head: `${words}:`, rest: found[2] ?? "", rank: 1 }));
}

function matching(
  pattern: RegExp,
  make: (found: RegExpExecArray) => Omit<ErrorShape, "file"> & { file?: string | undefined },
): Shape {
  return (text) => {
    const found = pattern.exec(text);
    if (!found) return undefined;
    const { file, ...shape } = make(found);
    return file === undefined ? shape : { ...shape, file };
  };
}
