import type { UntrustedSource } from "../observer.js";
import { mainFirst } from "../scratchpad/main-first.js";
import { openScratchpad, type GrowingScratchpad } from "../scratchpad/open-scratchpad.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { listParts, listSpools, type SpoolInfo } from "../spool/list-spools.js";
import {
  untrustedSourceIn,
  untrustedFile,
  readUntrustedMark,
  unknownSource,
  untrustedUnnotedFile,
} from "../spool/untrusted-mark.js";
import { readSpool } from "../spool/read-spool.js";
import type { SpoolPlace } from "../spool/spool-place.js";

/** A session whose notes were all read. */
export interface ReadSession {
  /** Of the spool, so that it is taken in once. */
  spoolId: string;
  sessionId: string;
  root: string;
  /** One an agent, the main one first. */
  pads: readonly Scratchpad[];
  /** What came from outside without a note that says when: all of the session may rest on it. */
  outside?: UntrustedSource;
  /** True for notes that never went through a spool: their secrets are still in them. */
  isUncleaned?: boolean;
}

/** A session from one spool. `onStart` hears of the commit that it began at while the rest is still being read. */
export async function readSession(
  { folder, id, sessionId, root }: SpoolInfo,
  onStart?: (commit: string) => void,
): Promise<ReadSession> {
  return { spoolId: id, sessionId, root, ...(await readFolders([folder], onStart)) };
}

/** A session that goes on, from the spool that is written to; undefined where it has none. */
export async function findSpooledSession(place: SpoolPlace, sessionId: string): Promise<ReadSession | undefined> {
  const spools = (await listSpools(place.home, place)).filter((spool) => spool.sessionId === sessionId);
  const info = spools.find(({ claimedAt, hasFailed }) => claimedAt === undefined && !hasFailed);
  return info && readSession(info);
}

/** All that was noted of a session and is not taken in yet, also by those who are about to. */
export async function readSpooledParts(
  place: SpoolPlace,
  sessionId: string,
): Promise<Pick<ReadSession, "pads" | "outside">> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readFolders(await listParts(place, sessionId));
    } catch {
      // Claimed or removed while it was read. What cannot be read at all may have told of anything.
      if (attempt === 3) return { pads: [], outside: unknownSource };
    }
  }
}

async function readFolders(
  folders: readonly string[],
  onStart?: (commit: string) => void,
): Promise<Pick<ReadSession, "pads" | "outside">> {
  const pads = new Map<string | undefined, GrowingScratchpad>();
  let outside: UntrustedSource | undefined;
  for (const folder of folders) {
    let isNoted = false;
    for await (const { agentId, notes } of readSpool(folder)) {
      let pad = pads.get(agentId);
      if (!pad) {
        pads.set(agentId, (pad = openScratchpad(agentId)));
        const commit = agentId === undefined && notes[0]?.kind === "start" ? notes[0].commit : undefined;
        if (commit !== undefined) onStart?.(commit);
      }
      for (const note of notes) pad.addValidated(note);
      isNoted ||= notes.some((note) => untrustedSourceIn(note) !== undefined);
    }
    // A note says from when on; a mark without one says no more than that there was something.
    outside ??=
      readUntrustedMark(folder, untrustedUnnotedFile) ??
      (isNoted ? undefined : readUntrustedMark(folder, untrustedFile));
  }
  return { pads: mainFirst([...pads.values()]), ...(outside && { outside }) };
}
