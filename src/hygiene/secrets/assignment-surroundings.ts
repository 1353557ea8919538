/** `compass` and `bypass`, but not `dbPass`. */
export function isEndOfWord(text: string, nameStart: number): boolean {
  return /[A-Za-z]/.test(text.charAt(nameStart - 1)) && !/[a-z]P/.test(text.slice(nameStart - 1, nameStart + 1));
}

/** `--db-password …`, `?user=a&password=…`, `Server=db;Password=…`, and `POSTGRES_PASSWORD: …` on a line of its own. */
export function isOutsideCode(
  text: string,
  nameStart: number,
  { tight, name }: { tight: boolean; name: string },
): boolean {
  if (isFlagName(text, nameStart)) return true;
  const lead = before(text, nameStart, 160);
  if (name === name.toUpperCase() && /(?:^|\n)[ \t]*(?:- )?["']?[A-Z][A-Z0-9_]{1,30}_$/.test(lead)) return true;
  return tight && (/[?&][\w.-]{0,30}$/.test(lead) || connection.test(lead));
}

const connection =
  /\b(?:server|host|user(?: ?id|name)?|uid|data source|database|initial catalog|port|accountname)=[^;\s"'()]{1,80};(?:[\w ]{1,30}=[^;\s"'()]{0,40};){0,3}[ ]?$/i;

/** `--db-password …` */
export function isFlagName(text: string, nameStart: number): boolean {
  return /(?:^|[\s"'`([])--?[A-Za-z-]{0,30}$/.test(before(text, nameStart, 34));
}

/** `ENV PASSWORD …` in a Dockerfile, `setx TOKEN …`, `aws configure set aws_secret_access_key …`. */
export function isDeclared(text: string, nameStart: number): boolean {
  const declaration = /(?:^|[\s;&|])(?:ENV|ARG|setx|set|set -\w{1,4}|setenv)[ \t]{1,4}[\w./:@-]{0,60}$/;
  return declaration.test(before(text, nameStart, 80));
}

/** `DB_PASSWORD`, not `password`. */
export function isConstantName(text: string, nameStart: number): boolean {
  return /[A-Z0-9]_[A-Z]$/.test(text.slice(Math.max(0, nameStart - 2), nameStart + 1));
}

/** `${DB_PASSWORD` */
export function isShellVariable(text: string, nameStart: number): boolean {
  return /\$\{\w{0,60}$/.test(before(text, nameStart, 62));
}

/**
 * True when something other than a sentence or a program must have written the assignment: a query, a flag, `name=value`
 * by itself, a line of YAML.
 */
export function isClear(
  text: string,
  nameStart: number,
  valueEnd: number,
  { tight, isFlag, separator }: { tight: boolean; isFlag: boolean; separator: string | undefined },
): boolean {
  const after = text.slice(valueEnd, valueEnd + 4);
  if (isFlag) return /^["'`]?(?:$|[\r\n]| -|\s?[|&;\\])/.test(after) || (tight && /^\s/.test(after));
  // A name inside an argument list (`connect(password=pw)`) takes a variable; elsewhere a value ends with a space.
  if (tight) {
    return /^(?:$|[\s&;"'`]|[.,](?:\s|$))/.test(after) && !/[(,{]\s?\w{0,20}$/.test(before(text, nameStart, 22));
  }
  // Alone on its line, as in YAML.
  const startsLine =
    /(?:^|\n)[ \t]*(?:- )?["']?(?:(?:db|database|admin|root|user|postgres|mysql|redis|wifi|ssh|ftp|smtp|account) )?[\w.-]{0,30}$/i.test(
      before(text, nameStart, 50),
    );
  return separator === ":" && /^[ \t]*(?:$|[\r\n]|#)/.test(after) && startsLine;
}

function before(text: string, position: number, length: number): string {
  return text.slice(Math.max(0, position - length), position);
}
