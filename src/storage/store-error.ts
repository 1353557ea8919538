import { MemoryError } from "../base/memory-error.js";
import { describeLocation, type Location } from "./connect.js";
import { explainServerError, type Explanation } from "./server-error.js";

/** True for a lock that another connection would not give up in time. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === "SQLITE_BUSY" || sqliteCode(error) === "SQLITE_LOCKED";
}

/** Turns what libSQL throws into an error that says what happened, where, and what to do next. */
export function toMemoryError(error: unknown, location: Location, timeoutMs: number): unknown {
  if (error instanceof MemoryError) return error;
  const where = describeLocation(location);
  const byServer = location.kind === "remote" ? explainServerError(error, where, timeoutMs) : undefined;
  // Without its cause, which may hold the address, and the address a token.
  if (byServer) return new MemoryError(...byServer);
  const code = isMalformedJson(error) ? malformedJson : sqliteCode(error);
  if (code === undefined) return error;
  return new MemoryError(...explain(code, where, timeoutMs, error), error);
}

function explain(code: string, where: string, timeoutMs: number, error: unknown): Explanation {
  switch (code) {
    case "SQLITE_BUSY":
    case "SQLITE_LOCKED":
      return [
        "store-locked",
        `Another process kept ${where} locked for longer than ${timeoutMs} ms. Nothing was saved.`,
        "Try again. If it stays locked, look for a process that hangs with this file open.",
      ];
    case "SQLITE_FULL":
      return [
        "store-full",
        `There is no room left to write to ${where}. Nothing was saved.`,
        "Free some disk space, then try again. What was stored before is safe.",
      ];
    case "SQLITE_READONLY":
      return [
        "store-read-only",
        `${where} is write-protected, and SQLite has to write beside a store even to read it. Nothing was saved.`,
        "Check who owns the file and its folder, or copy the file to a folder of your own and name it with --db.",
      ];
    case "SQLITE_CANTOPEN":
    case "SQLITE_PERM":
    case "SQLITE_AUTH":
      return [
        "store-unreachable",
        `${where} cannot be opened.`,
        "Check that the folder exists and that you may read and write it and the file.",
      ];
    case "SQLITE_NOTADB":
      return [
        "store-not-a-database",
        `${where} is not a database.`,
        "Nothing was changed. If it held memories, it is damaged: keep a copy, and restore a back-up. Else name another file with --db.",
      ];
    case "SQLITE_CORRUPT":
    case malformedJson:
      return [
        "store-damaged",
        `${where} is damaged. Nothing was saved.`,
        "Run `tacit doctor` to see what is broken; `tacit doctor --repair` rebuilds indexes; else restore a back-up.",
      ];
    case "SQLITE_IOERR":
      return [
        "store-failed",
        `The system could not read or write ${where}. Nothing was saved.`,
        "Check the disk and its quota, then try again.",
      ];
    default:
      return [
        "store-failed",
        `The database ${where} refused: ${error instanceof Error ? error.message : String(error)}`,
        "Run `tacit doctor`. If it finds nothing, please report this.",
      ];
  }
}

// All JSON in a store is written by JSON.stringify(), and no text is a blob: what is not so was damaged later.
const malformedJson = "malformed JSON";

function isMalformedJson(error: unknown): boolean {
  const said = error instanceof Error && error.name === "LibsqlError" ? error.message : "";
  return said.includes(malformedJson) || said.includes("JSON cannot hold BLOB values");
}

/** What the system says about files and folders, as SQLite would. */
const systemCodes: Record<string, string> = {
  EACCES: "SQLITE_CANTOPEN",
  EPERM: "SQLITE_CANTOPEN",
  ENOENT: "SQLITE_CANTOPEN",
  ENOTDIR: "SQLITE_CANTOPEN",
  EISDIR: "SQLITE_CANTOPEN",
  EEXIST: "SQLITE_CANTOPEN",
  ELOOP: "SQLITE_CANTOPEN",
  ENAMETOOLONG: "SQLITE_CANTOPEN",
  EROFS: "SQLITE_READONLY",
  ENOSPC: "SQLITE_FULL",
  EDQUOT: "SQLITE_FULL",
  EIO: "SQLITE_IOERR",
};

/** The primary SQLite code, such as SQLITE_IOERR for SQLITE_IOERR_WRITE; undefined when it is no database error. */
function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && code.startsWith("SQLITE_")) return /^SQLITE_[A-Z]+/.exec(code)?.[0];
  if (typeof code === "string" && code in systemCodes) return systemCodes[code];
  // Opening fails with a plain error that ends in the number: ConnectionFailed("… : 14").
  const opening = /ConnectionFailed\(.*: (\d+)"?\)/s.exec(error.message);
  if (opening) return opening[1] === "8" ? "SQLITE_READONLY" : "SQLITE_CANTOPEN";
  if (error.name === "LibsqlError" && !/SQLITE_/.test(error.message)) return undefined;
  if (error.name === "LibsqlError") return /SQLITE_[A-Z]+/.exec(error.message)?.[0] ?? "SQLITE_ERROR";
  return undefined;
}
