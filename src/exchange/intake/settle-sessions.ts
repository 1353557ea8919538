import { identifyRecords } from "./identify-records.js";
import type { Intake } from "./begin-intake.js";
import type { PreparedRecord } from "./prepare-record.js";
import { listSessionsInUse, listSessionsOf } from "./session-queries.js";

/** The session in which a record has a place: of a turn, or of an archive that leads to turns. Undefined for anything else. */
export function placedIn({ record }: PreparedRecord): string | undefined {
  const { type, sessionId, data = {} } = record;
  const { sequence, first, last } = data;
  const hasPlace = type === "archive" ? [first, last].every(Number.isInteger) : Number.isInteger(sequence);
  return hasPlace && (type === "conversation" || type === "archive") ? sessionId : undefined;
}

/**
 * Where each conversation that arrives goes, if not to the session of its name: to where it went before, or, where that session
 * holds turns of another conversation, to one of its own. Two conversations never become one.
 */
export async function settleSessions(
  keeping: Intake,
  pages: AsyncIterable<PreparedRecord[]>,
): Promise<Map<string, string>> {
  const homes = new Map<string, string | undefined>();
  for await (const page of pages) {
    const placed = page.filter((prepared) => placedIn(prepared) !== undefined);
    if (placed.length > 0) await findHomes(keeping, placed, homes);
  }
  const strange = [...homes].flatMap(([session, home]) => (home === undefined ? [session] : []));
  const inUse = await listSessionsInUse(keeping, strange);
  const taken = new Set(homes.keys());
  const moved = new Map(
    [...homes].flatMap(([session, home]) => (home === undefined || home === session ? [] : [[session, home]])),
  );
  for (const session of strange) {
    if (!inUse.has(session)) continue;
    const free = await freeSession(keeping, session, taken);
    taken.add(free);
    moved.set(session, free);
  }
  return moved;
}

/** Puts a record where its conversation goes. */
export function settleSession(prepared: PreparedRecord, moved: ReadonlyMap<string, string>): void {
  const session = placedIn(prepared);
  const home = session === undefined ? undefined : moved.get(session);
  if (home === undefined) return;
  const { record } = prepared;
  record.sessionId = home;
  record.provenanceSessionIds = record.provenanceSessionIds.map((one) => (one === session ? home : one));
}

/** For each session the one in which the project has turns of the same ids; the session itself, if any of them is there. */
async function findHomes(
  keeping: Intake,
  placed: PreparedRecord[],
  homes: Map<string, string | undefined>,
): Promise<void> {
  const identities = await identifyRecords(keeping, placed);
  const keys = identities.flatMap(({ known }) => known?.key ?? []);
  const sessions = await listSessionsOf(keeping, keys);
  for (const [index, prepared] of placed.entries()) {
    const session = placedIn(prepared) as string;
    const home = sessions.get(identities[index]?.known?.key ?? 0);
    if (!homes.has(session) || (home !== undefined && homes.get(session) !== session)) homes.set(session, home);
  }
}

// As long as the id of a session may be.
const longestSession = 200;

async function freeSession(keeping: Intake, session: string, taken: ReadonlySet<string>): Promise<string> {
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`;
    // Not half of a surrogate pair at the cut.
    const beginning = session.slice(0, longestSession - ending.length).replace(/[\uD800-\uDBFF]$/, "");
    const candidate = beginning + ending;
    if (!taken.has(candidate) && (await listSessionsInUse(keeping, [candidate])).size === 0) return candidate;
  }
}
