import { shortId } from "./base/ids.js";
import { replay } from "./conversation/archive/replay.js";
import type { ProjectStore } from "./memory/project-store.js";

/**
 * One line for an agent whose memory of a session was summed up: where what was said is kept word for word. Undefined where no
 * archive of it is there.
 */
export async function archivedNote(from: ProjectStore, sessionId: string): Promise<string | undefined> {
  const { marker, archive } = await replay(from, sessionId);
  if (!marker || !archive) return undefined;
  // A name is made of what was said, and that may have come from outside.
  const isSafe = !archive.trustFlags.includes("tainted") && /^[\w.-]{1,100}$/.test(marker.archiveName);
  const name = isSafe ? marker.archiveName : shortId(archive.id);
  return `The conversation so far is archived as ${name}; tacit show ${name} --turns has it word for word.`;
}
