// Files are as old as their dates say.
import { createRequire, syncBuiltinESMExports } from "node:module";

/**
 * No program can set when a file was last changed, only when it was last written: by the first, every file of a work tree that
 * is put to an earlier day was touched today, in the middle of the session that is replayed. From now on this process sees the
 * second in its place.
 */
export function believeDates() {
  const files = createRequire(import.meta.url)("node:fs/promises");
  const { lstat } = files;
  files.lstat = async (...args) => {
    const found = await lstat(...args);
    if (typeof found.ctimeMs === "number") [found.ctimeMs, found.ctime] = [found.mtimeMs, found.mtime];
    return found;
  };
  syncBuiltinESMExports();
}
