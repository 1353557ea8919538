/** An error of SQLite in the words of `@libsql/client`, so that files and servers fail alike. */
export class SqliteError extends Error {
  override readonly name = "LibsqlError";
  readonly code: string;

  constructor(message: string, code: string, cause?: Error) {
    super(`${code}: ${message}`, { cause });
    this.code = code;
  }
}

/** What the driver threw, with SQLite's primary code. Its own names lack those of STRICT tables, among others. */
export function asSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "SqliteError") return error;
  const { rawCode } = error as { rawCode?: number };
  const code = rawCode === undefined ? undefined : primaryCodes[rawCode & 0xff];
  return new SqliteError(error.message, `SQLITE_${code ?? "UNKNOWN"}`, error);
}

// By their numbers: https://sqlite.org/rescode.html
const primaryCodes = [
  "OK",
  "ERROR",
  "INTERNAL",
  "PERM",
  "ABORT",
  "BUSY",
  "LOCKED",
  "NOMEM",
  "READONLY",
  "INTERRUPT",
  "IOERR",
  "CORRUPT",
  "NOTFOUND",
  "FULL",
  "CANTOPEN",
  "PROTOCOL",
  "EMPTY",
  "SCHEMA",
  "TOOBIG",
  "CONSTRAINT",
  "MISMATCH",
  "MISUSE",
  "NOLFS",
  "AUTH",
  "FORMAT",
  "RANGE",
  "NOTADB",
  "NOTICE",
  "WARNING",
];
