import { lstatSync, realpathSync, type Stats } from "node:fs";
import { MemoryError } from "../memory-error.js";

/** What is asked of the system; a test may answer otherwise. */
export interface FolderSystem {
  platform: string;
  uid: number | undefined;
  look: (path: string) => Stats | undefined;
  /** Where a link leads to. */
  follow: (path: string) => string;
}

/**
 * Throws `home-unsafe` where somebody else decides what is in a folder: everybody may write there, or it, or the link that stands in
 * its place, is another user's. Root may use anybody's: in a container a mounted folder has the owner that it has outside. Whoever can put a file there can say what an agent is told. It is not made safe here: nobody would notice that
 * it was not, and a folder such as /tmp is meant to be so. One that is not there is made for its owner alone.
 */
export function refuseUnsafeFolder(path: string, system: FolderSystem = thisSystem()): void {
  const { platform, uid, look, follow } = system;
  if (platform === "win32" || uid === undefined) return;
  const found = look(path);
  if (!found) return;
  if (found.uid !== uid && uid !== 0) {
    throw refusal(
      `${path} belongs to another user.`,
      "Run it as the user that it belongs to, or set TACIT_HOME to a folder of yours.",
    );
  }
  if (found.isSymbolicLink()) return refuseUnsafeFolder(follow(path), system);
  // A file in its place is told by whatever needs the folder.
  if (!found.isDirectory()) return;
  if ((found.mode & 0o002) !== 0) {
    throw refusal(
      `Everybody on this machine can write to ${path}.`,
      `Look at what is in it, then: chmod 700 ${path}. Or set TACIT_HOME to a folder for Tacit alone.`,
    );
  }
}

function thisSystem(): FolderSystem {
  return {
    platform: process.platform,
    uid: process.geteuid?.(),
    look: (path) => {
      try {
        return lstatSync(path, { throwIfNoEntry: false });
      } catch {
        // What cannot be looked at cannot be used either, and says so then.
        return undefined;
      }
    },
    follow: realFolder,
  };
}

/** One that leads nowhere is told by whatever needs the folder. */
function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return "";
  }
}

function refusal(message: string, hint: string): MemoryError {
  return new MemoryError("home-unsafe", message, hint);
}
