import type { EvidenceItem } from "../observer.js";
import type { Action, SpokenSaying } from "../scratchpad/session-view.js";
import { code, shorten } from "./wording.js";

const most = 10;

/**
 * What a sighting rests on, in the form that people see: in the order of time, at most ten. Of more, the beginning and
 * the end stay, because these tell how it came about and what came of it.
 */
export function evidenceOf(actions: Iterable<Action>, sayings: Iterable<SpokenSaying> = []): EvidenceItem[] {
  const items = [
    ...[...actions].map((action) => ({ time: action.at, order: action.order, did: didOf(action), said: undefined })),
    ...[...sayings].map(({ at, order, text }) => ({ time: at, order, did: "said", said: shorten(text, 300) })),
  ].toSorted((a, b) => a.time - b.time || a.order - b.order);
  const kept = items.length > most ? [...items.slice(0, most / 2), ...items.slice(-most / 2)] : items;
  return kept.map(({ time, did, said }) => ({ at: timeOf(time), did, ...(said !== undefined && { said }) }));
}

/** What an action did, in the past tense: "ran `npm test`, which failed: TypeError: …". */
function didOf(action: Action): string {
  return hasFailed(action) ? `${deedOf(action)}, which failed${reasonOf(action)}` : deedOf(action);
}

function deedOf({ does, tool, files, search, command, url, found }: Action): string {
  if (search) {
    const where = search.where ? ` in ${search.where}` : "";
    const result = found === undefined ? "" : found === 0 ? ", found nothing" : `, found ${found}`;
    return `searched for ${code(search.pattern, 120)}${where}${result}`;
  }
  if (command) return `ran ${code(command.line, 160)}`;
  if (does === "fetch" && url) return `fetched ${shorten(url, 200)}`;
  const what = files?.slice(0, 3).join(", ");
  if (what && does === "read") return `read ${what}`;
  if (what && does === "edit") return `edited ${what}`;
  return what ? `used ${tool} on ${what}` : `used ${tool}`;
}

function reasonOf({ error }: Action): string {
  return error?.message ? `: ${error.message}` : "";
}

/** Whether an action is known to have gone wrong. Where a result says so itself, that decides. */
export function hasFailed({ failed, error, tests }: Action): boolean {
  return failed ?? (error !== undefined || (tests?.failed ?? 0) > 0);
}

/** Whether an action is known to have gone well: one whose result never came, or that went on behind it, is neither. */
export function hasPassed(action: Action): boolean {
  const hasAnswer = action.bytes !== undefined || action.endedAt !== undefined;
  return hasAnswer && action.pending !== true && !hasFailed(action);
}

/** A time as evidence carries it; one that no calendar holds is the beginning of 1970. */
export function timeOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}
