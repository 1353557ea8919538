import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listSpools } from "./list-spools.js";
import { spoolFolder, type SpoolPlace } from "./spool-place.js";

/** A session that goes on, was compacted, and whose conversation nobody has taken in since. */
export interface CompactedSession {
  sessionId: string;
  transcript: string;
  /** To be called when that is done. */
  done: () => void;
}

const name = "compacted";

/** Notes beside a session's notes that what was said so far is to be taken in. Nothing where it has no spool. */
export function markCompacted(place: SpoolPlace, sessionId: string, transcript: string): void {
  try {
    writeFileSync(join(spoolFolder(place, sessionId), name), transcript, { mode: 0o600 });
  } catch {
    // Its spool was claimed a moment ago: whoever finishes the session takes all of it in.
  }
}

/** Such sessions of a place. */
export async function listCompacted(place: SpoolPlace): Promise<CompactedSession[]> {
  const spools = await listSpools(place.home, place);
  return spools.flatMap(({ folder, sessionId, claimedAt, hasFailed }) => {
    const file = join(folder, name);
    const at = modifiedAt(file);
    if (at === undefined || claimedAt !== undefined || hasFailed) return [];
    const done = () => {
      // It may have been compacted once more since.
      if (modifiedAt(file) === at) rmSync(file, { force: true });
    };
    const transcript = readMark(file);
    return transcript === undefined ? [] : [{ sessionId, transcript, done }];
  });
}

/** Undefined where somebody has claimed the spool a moment ago: then it is theirs. */
function readMark(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function modifiedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
