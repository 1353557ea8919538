import type { AgentRecord, SpoolPlace } from "../../observer/spool/spool.js";
import type { DistrustCheck, MayHaveMerged } from "../../observer/trust/trust.js";
import type { ProjectContext } from "../../project/project.js";
import { checkOf } from "./open-asking.js";
import type { Watching } from "./open-watching.js";

/** The sessions of a store, in whatever folder they are: a command of any of them reaches all of it. */
export interface StoreSessions {
  /** What speaks against the words of each session that goes on in another folder, or for a project that was named. */
  checksElsewhere: () => Promise<DistrustCheck[]>;
  /** Whether a session went on after a moment that has read something untrusted, or of which nobody knows what it has read. */
  wasAnyTaintedSince: (since: Date | undefined) => Promise<boolean>;
  /** Whether an agent of this store may have merged something. */
  mayHaveMerged: MayHaveMerged;
}

/** A session as its notes say it. */
interface NotedSession extends AgentRecord {
  isOver: boolean;
  lastAt: number;
  /** Where its notes are. */
  folder?: string;
}

/** Reads what all of them have noted, so it is for what is asked seldom. */
export function openStoreSessions(context: ProjectContext, watching: Watching): StoreSessions {
  const { where } = watching;
  const listNoted = async (): Promise<NotedSession[]> => {
    const { agentsAbove, isOver, listSpools, openSpoolPlace } = await import("../../observer/spool/spool.js");
    const place = openSpoolPlace(where);
    if (!place) return [];
    await (await watching.opened())?.flush();
    const now = Date.now();
    const spools = (await listSpools(place.home)).filter(({ db }) => db === place.db);
    const noted = spools.map((spool): NotedSession => {
      const { sessionId, db, root, project, lastAt, hasFailed, folder } = spool;
      const session = { sessionId, home: place.home, db, root, ...(project !== undefined && { project }) };
      return { ...session, folder, at: lastAt, lastAt, isOver: hasFailed === true || isOver(spool, now) };
    });
    // Whoever started this process may have notes in a folder that its command does not name.
    const above = agentsAbove(place).flatMap(({ sessions }) => sessions);
    return [...noted, ...above.map((one) => ({ ...one, isOver: false, lastAt: now }))];
  };
  return {
    checksElsewhere: async () => {
      const isHere = ({ root, project }: SpoolPlace) => root === where.root && project === where.project;
      const elsewhere = (await listNoted()).filter((one) => !one.isOver && !isHere(one));
      return Promise.all(elsewhere.map((one) => checkOf(context, one)));
    },
    wasAnyTaintedSince: async (since = new Date(0)) => {
      const { findLastTaintedEnd } = await import("../../observer/cross-session/cross-session.js");
      const ended = context.store.exists ? await context.store.read(findLastTaintedEnd) : undefined;
      if (ended !== undefined && Date.parse(ended) >= since.getTime()) return true;
      const noted = (await listNoted()).filter(({ isOver, lastAt }) => !isOver || lastAt >= since.getTime());
      const checks = await Promise.all(noted.map((one) => checkOf(context, one).catch(() => unknown)));
      return checks.some((findReason) => findReason("") !== undefined);
    },
    mayHaveMerged: async ({ since, from, until }) => {
      const { wasMergeByAgent } = await import("../../observer/cross-session/cross-session.js");
      const times = { since: since.toISOString(), from: from.toISOString(), until: until.toISOString() };
      if (await context.store.read((reader) => wasMergeByAgent(reader, times))) return true;
      const { readSpan } = await import("../../observer/promotion/promotion.js");
      let isAnyRunning = false;
      for (const { folder, isOver } of await listNoted()) {
        const span = folder === undefined ? undefined : await readSpan(folder);
        // One that goes on may do it yet, as far as its notes say; of one without notes nothing is known.
        const began = span?.from ?? -Infinity;
        if (!isOver && began <= until.getTime()) isAnyRunning = true;
        if (!span || began > until.getTime()) continue;
        if (span.until >= from.getTime() || (span.asksForMerge && span.until >= since.getTime())) return true;
      }
      return isAnyRunning ? "unknown" : false;
    },
  };
}

const unknown: DistrustCheck = () => "Nobody knows what it has read.";
