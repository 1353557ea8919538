// Files are as old as their dates say.
import { createRequire, syncBuiltinESMExports } from "node:module";

/**
 * No program can set when a file was last changed, only when it was last written: by the first, every file of a work tree that
 * is put to an earlier day was touched today, in the middle of the session that is replayed. From now on this process sees the
 * second in its place.
 */
export function believeDates() {
  const require = createRequire(import.meta.url);
  const [files, later] = [require("node:fs"), require("node:fs/promises")];
  const [{ lstatSync }, { lstat }] = [files, later];
  const dated = (found) => {
    if (typeof found?.ctimeMs === "number") [found.ctimeMs, found.ctime] = [found.mtimeMs, found.mtime];
    return found;
  };
  files.lstatSync = (...args) => dated(lstatSync(...args));
  later.lstat = async (...args) => dated(await lstat(...args));
  syncBuiltinESMExports();
}
