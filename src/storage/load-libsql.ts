import { createRequire } from "node:module";
import { MemoryError } from "../base/memory-error.js";

type Database = typeof import("libsql");

/**
 * Loads libSQL's driver for files, with its native part. By `require`: where that part is missing, Node 20 lets an `import`
 * fail twice, and nobody can catch the second time.
 */
export function loadLibsql(): Database {
  try {
    return createRequire(import.meta.url)("libsql") as Database;
  } catch (error) {
    throw explainLoading(error);
  }
}

/** Says what this machine lacks: the package with its native part, or something that this part needs. */
export function explainLoading(error: unknown, { platform = process.platform, arch = process.arch } = {}): MemoryError {
  const { code, message } = error as NodeJS.ErrnoException;
  const [reason = ""] = message.split("\n");
  const missing = code === "MODULE_NOT_FOUND" ? /'(@?libsql[^']*)'/.exec(reason)?.[1] : undefined;
  if (missing !== undefined) {
    return new MemoryError(
      "native-missing",
      `The database needs the package ${missing}, which is not installed.`,
      `Install Tacit again without --omit=optional, or add the package beside it: npm install ${missing}`,
      error,
    );
  }
  const hint =
    platform === "win32" && code === "ERR_DLOPEN_FAILED"
      ? `Install the Microsoft Visual C++ Redistributable: https://aka.ms/vs/17/release/vc_redist.${arch}.exe`
      : `Install Tacit again on this machine: libSQL has a build of its own for ${platform}-${arch}, or else none.`;
  return new MemoryError("native-missing", `The database (libSQL) cannot be loaded: ${reason}`, hint, error);
}
