import { agentsAbove, openSpoolPlace, type SpoolPlace } from "../observer/spool/spool.js";
import type { OpenOptions } from "./open-options.js";

// Finding out reads a folder, and an observer asks for the time with each event.
const knownMs = 1000;

/**
 * The clock of a memory: the system's, unless a program brings its own. What an agent has started gets the system's all the same:
 * by a clock that is set ahead, what was forgotten yesterday would be erased for good today.
 */
export function openClock(own: OpenOptions["now"], where: SpoolPlace): () => Date {
  const place = own && openSpoolPlace(where);
  let isBelowAgent = false;
  let askedAt = -Infinity;
  return () => {
    if (place && !isBelowAgent && performance.now() - askedAt > knownMs) {
      isBelowAgent = agentsAbove(place).length > 0;
      askedAt = performance.now();
    }
    return new Date(isBelowAgent ? Date.now() : (own?.() ?? Date.now()));
  };
}
