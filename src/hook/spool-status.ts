import { readdirSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "../base/files/files.js";
import { findRoot, type ObserveOptions } from "./observe-once.js";
import {
  agentsAbove,
  beganInCall,
  cleanId,
  finishAlone,
  hasSchedule,
  hasStarted,
  isScheduledPrompt,
  mayStartFinisher,
  openSpoolPlace,
  partsAmong,
  type SpoolPlace,
  spoolsFolder,
} from "../observer/spool/spool.js";

export { markHookProcess } from "../observer/spool/spool.js";

/** True where it is noted of a session how it began, and nobody has taken that in yet. */
export function isStartNoted(sessionId: string, options: ObserveOptions = {}): boolean {
  const [place, id] = [placeOf(options), cleanId(sessionId)];
  return place !== undefined && id !== undefined && hasStarted(place, id);
}

/** True where all that was noted of a session has been taken in. */
export function isImported(sessionId: string, options: ObserveOptions = {}): boolean {
  const [place, id] = [placeOf(options), cleanId(sessionId)];
  return !place || id === undefined || partsAmong(namesIn(spoolsFolder(place.home)), place, id).length === 0;
}

/** True for whoever is to start a process that finishes sessions: not where one was asked for a moment ago. */
export function isFinisherNeeded(options: ObserveOptions = {}): boolean {
  const place = placeOf(options);
  return place !== undefined && mayStartFinisher(place);
}

/**
 * Does the work by which the sessions of a place are finished, where no other process is at it; else has that one look once
 * more, and gives false at once.
 */
export async function finishOnce(work: () => Promise<unknown>, options: ObserveOptions = {}): Promise<boolean> {
  const place = placeOf(options);
  if (place) return finishAlone(place, work);
  await work();
  return true;
}

/** Whether a command of an agent, and no person, is behind this process: it began in a call of an agent that is watched here. */
export function isOfCall(options: ObserveOptions = {}): boolean {
  const place = placeOf(options);
  return place !== undefined && agentsAbove(place).some((one) => beganInCall(one));
}

/** Whether an agent may have scheduled what comes as a prompt, so that nobody has typed it. */
export function mayBeScheduled(prompt: string, options: ObserveOptions = {}): boolean {
  return isScheduledPrompt(options.home ?? homeFolder(), prompt) || hasSchedule(findRoot(options));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function placeOf(options: ObserveOptions): SpoolPlace | undefined {
  const { home = homeFolder(), db = join(home, "memory.db"), project } = options;
  return openSpoolPlace({ home, db, root: findRoot(options), ...(project !== undefined && { project }) });
}
