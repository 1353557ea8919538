import type { Marker } from "../conversation.js";
import type { Memory } from "../../memory/memory.js";

/** One line for an agent whose memory of a session was summed up: where what was said is kept word for word. */
export function archiveLine({ archiveName }: Marker, archive: Memory): string {
  // A name is made of what was said, and that may have come from outside.
  const isSafe = !archive.trustFlags.includes("tainted") && /^[\w.-]{1,100}$/.test(archiveName);
  const name = isSafe ? archiveName : archive.id.slice(-8);
  return `The conversation so far is archived as ${name}; tacit show ${name} --turns has it word for word.`;
}
