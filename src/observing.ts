import { readdirSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "./base/memory-error.js";
import { within } from "./base/within.js";
import type { Memory, MemoryInput } from "./memory/memory.js";
import { readProject, type ProjectStore } from "./memory/project-store.js";
import type { Models } from "./models.js";
import type { AgentEvent } from "./observer/events/event.js";
import type { Observer } from "./observer/observe.js";
import { cleanId } from "./observer/spool/clean-id.js";
import type { LearnedReport, PromotionPorts } from "./observer/promotion/promotion.js";
import type { SpoolPlace } from "./observer/spool/spool-place.js";
import type { Doubter } from "./observer/trust/open-doubter.js";
import type { FinishSessionOptions, Observing } from "./observing-types.js";

// Whoever asks waits so long for what an ended session left behind; finishing one takes about a tenth of a second.
const patienceMs = 300;

/** What else is asked of it inside the process. */
export interface OpenObserving extends Observing {
  /** Takes in what killed or ended sessions left behind, before somebody asks; not for long. */
  catchUp: () => Promise<void>;
  /**
   * For each text that is to be remembered why it is not to be trusted yet, undefined where nothing speaks against it. A
   * session that is watched here takes note of it, since what comes to light later may speak against it.
   */
  listDoubts: (told: readonly Pick<MemoryInput, "sessionId" | "content">[]) => Promise<(string | undefined)[]>;
  close: () => Promise<void>;
}

export interface ObservingPlace {
  home: string;
  root: string;
  db: string;
  project?: string;
}

/** Watches sessions and learns from them. Loads next to nothing before the first event. */
export function openObserving(
  from: ProjectStore,
  models: Models,
  where: ObservingPlace,
  /** What follows a write: vectors, links to the code. */
  afterwards: (memories: Memory[]) => Promise<void>,
): OpenObserving {
  let opening: Promise<Observer> | undefined;
  let opened: Observer | undefined;
  // Until the room is loaded, events wait here in their order.
  const early: AgentEvent[] = [];
  const finishing = new Map<string, Promise<LearnedReport | undefined>>();
  const promoting = new Map<string, Promise<unknown>>();
  const pending = new Set<Promise<unknown>>();
  let caughtUp: Promise<unknown> | undefined;

  const place = async (): Promise<SpoolPlace | undefined> =>
    (await import("./observer/spool/spool-place.js")).openSpoolPlace(where);
  const observer = () =>
    (opening ??= (async () => {
      const [{ Observer: Room }, spools] = await Promise.all([import("./observer/observe.js"), place()]);
      let { commit } = await from.folder();
      // Of a process that stays open the head moves on; the next session is to begin at the right one.
      const head = () => {
        void from.folder().then(
          (folder) => (commit = folder.commit),
          () => undefined,
        );
        return commit;
      };
      opened = new Room({ place: spools, root: where.root, now: from.now, commit: head });
      for (const event of early.splice(0)) take(opened, event);
      return opened;
    })());
  const ports = (isQuick: boolean): PromotionPorts => ({
    from,
    ...(!isQuick && {
      ...(models.ports.languageModel && { languageModel: models.ports.languageModel }),
      isKnown: async (texts) => (await import("./known-meaning.js")).listKnownMeanings(from, models, texts),
    }),
  });
  const usualType = async () => (await from.settings()).sessionType;
  const learned = async (reports: LearnedReport[], isQuick: boolean): Promise<LearnedReport[]> => {
    const memories = reports.flatMap((report) => [...report.learned, ...report.waiting]);
    if (memories.length > 0) await afterwards(memories);
    if (reports.some(({ isRepeated }) => !isRepeated)) await lookOver(isQuick).catch(ignoreMemoryError);
    return reports;
  };
  /** What many sessions tell together, where it is due. */
  const lookOver = async (isQuick: boolean, options?: { force?: boolean }) => {
    const report = await (await import("./observer/synthesis/synthesize.js")).synthesize(ports(isQuick), options);
    if (report.waiting.length > 0) await afterwards(report.waiting);
    return report;
  };

  const finishOne = async (sessionId: string, options: FinishSessionOptions): Promise<LearnedReport | undefined> => {
    const { isQuick = false, type = await usualType() } = options;
    const watching = await observer();
    await watching.flush();
    await promoting.get(sessionId);
    const spools = await place();
    if (spools) {
      watching.forget(sessionId);
      const { finishSpools } = await import("./observer/finish-spools.js");
      const reports = await finishSpools(ports(isQuick), spools, { type, only: sessionId });
      return (await learned(reports, isQuick)).at(-1);
    }
    const pads = watching.pads(sessionId);
    watching.forget(sessionId);
    if (pads.length === 0) return undefined;
    const { finishSession } = await import("./observer/promotion/finish-session.js");
    const session = { spoolId: crypto.randomUUID(), sessionId, root: where.root, pads, isUncleaned: true };
    return (await learned([await finishSession(ports(isQuick), session, { type })], isQuick))[0];
  };
  const finish = async (given: string, options: FinishSessionOptions = {}): Promise<LearnedReport | undefined> => {
    const sessionId = cleanId(given);
    if (sessionId === undefined) return undefined;
    const running = finishing.get(sessionId);
    if (running) return running;
    const work = finishOne(sessionId, options).finally(() => finishing.delete(sessionId));
    finishing.set(sessionId, work);
    return work;
  };
  const finishAll = async ({ isQuick = false }: Pick<FinishSessionOptions, "isQuick"> = {}) => {
    const spools = await place();
    if (!spools || !(await from.settings()).enabled) return [];
    const { finishSpools } = await import("./observer/finish-spools.js");
    return learned(await finishSpools(ports(isQuick), spools, { type: await usualType() }), isQuick);
  };
  const promoteOne = async (sessionId: string): Promise<LearnedReport | undefined> => {
    const watching = await observer();
    await watching.flush();
    const spools = await place();
    const { findSpooledSession } = await import("./observer/finish-spools.js");
    const pads = watching.pads(sessionId);
    // What the spool holds has been redacted, what is at hand has not.
    const session = spools
      ? await findSpooledSession(spools, sessionId)
      : pads.length > 0 && { spoolId: crypto.randomUUID(), sessionId, root: where.root, pads, isUncleaned: true };
    if (!session) return undefined;
    const { finishSession } = await import("./observer/promotion/finish-session.js");
    const report = await finishSession(ports(true), session, { type: await usualType(), isRunning: true });
    await afterwards([...report.learned, ...report.waiting]);
    return report;
  };
  /** One after the other, and none of a session that is being finished: that looks at all of it. */
  const promote = async (given: string): Promise<LearnedReport | undefined> => {
    const sessionId = cleanId(given);
    if (sessionId === undefined) return undefined;
    const before = promoting.get(sessionId);
    const work = (async () => {
      await before;
      return finishing.has(sessionId) ? undefined : promoteOne(sessionId);
    })();
    const done: Promise<unknown> = work
      .catch(() => undefined)
      .finally(() => {
        if (promoting.get(sessionId) === done) promoting.delete(sessionId);
      });
    promoting.set(sessionId, done);
    return work;
  };
  const padsOf = async (sessionId: string) => {
    const live = opening ? (await opening).pads(sessionId) : [];
    if (live.length > 0) return live;
    const spools = await place();
    const spooled =
      spools && (await (await import("./observer/finish-spools.js")).findSpooledSession(spools, sessionId));
    return spooled?.pads ?? [];
  };

  const take = (watching: Observer, event: AgentEvent): void => {
    try {
      watching.observe(event);
      if (event.kind === "end" && event.agentId === undefined) inBackground(finish(event.sessionId));
      if (event.kind === "unit" && event.state === "succeeded") inBackground(promoteIfLong(watching, event.sessionId));
    } catch {
      // An agent must not break because of its memory, whatever it hands over.
    }
  };
  const promoteIfLong = async (watching: Observer, sessionId: string): Promise<unknown> => {
    const { isLongBuild } = await import("./observer/promotion/long-build.js");
    return isLongBuild(watching.pads(sessionId)) ? promote(sessionId) : undefined;
  };
  const inBackground = (work: Promise<unknown>): void => {
    const quiet = work.catch(() => undefined).finally(() => pending.delete(quiet));
    pending.add(quiet);
  };
  const observe = (event: AgentEvent): void => {
    if (opened) return take(opened, event);
    early.push(event);
    inBackground(observer());
  };

  return {
    observe,
    finishSession: finish,
    finishSessions: finishAll,
    promoteSession: promote,
    replay: async (source, options = {}) => {
      const { replayTranscript } = await import("./replay-transcript.js");
      const { sessions, ...report } = await replayTranscript(ports(false), where.root, source, {
        type: await usualType(),
        ...options,
      });
      return { sessions: await learned(sessions, false), ...report };
    },
    transcripts: async () => {
      const { findTranscripts } = await import("./observer/adapters/find-transcripts.js");
      const { findSession } = await import("./observer/across/session-queries.js");
      const found = await findTranscripts(where.root);
      const isKnown = (sessionId: string) =>
        readProject(from, undefined, (reader, project) => findSession(reader, project, sessionId));
      const known = await Promise.all(found.map(({ sessionId }) => isKnown(sessionId)));
      return found.filter((_, index) => known[index] === undefined);
    },
    acute: async (sessionId) => {
      const { findAcute } = await import("./observer/scratchpad/acute.js");
      return (await padsOf(sessionId)).flatMap((pad) => findAcute(pad)).toSorted((a, b) => b.priority - a.priority);
    },
    sessions: async ({ limit = 20 } = {}) => {
      const { listSessions } = await import("./observer/across/session-queries.js");
      return readProject(from, [], (reader, project) => listSessions(reader, project, limit));
    },
    evidence: async (reference) => (await import("./observer/evidence.js")).listEvidenceOf(from, reference),
    acceptMemory: async (...args) => (await import("./observer/review.js")).acceptMemory(from, ...args),
    rejectMemory: async (...args) => (await import("./observer/review.js")).rejectMemory(from, ...args),
    synthesize: async (options) => lookOver(false, options),
    catchUp: async () => {
      caughtUp ??= hasSpools(where.home) ? finishAll({ isQuick: true }).catch(ignoreMemoryError) : Promise.resolve();
      await within(patienceMs, caughtUp, () => undefined);
    },
    listDoubts: async (told) => {
      if (!told.some(({ sessionId }) => sessionId !== undefined)) return [];
      const watching = await opening;
      const watched = new Set(watching?.sessions());
      for (const { sessionId, content } of told) {
        if (sessionId !== undefined && watched.has(sessionId))
          watching?.observe({ sessionId, kind: "remember", content });
      }
      await watching?.flush();
      const { openDoubter } = await import("./observer/trust/open-doubter.js");
      const doubters = new Map<string, Doubter>();
      for (const sessionId of new Set(told.flatMap((one) => one.sessionId ?? []))) {
        const session = { sessionId, root: where.root, pads: await padsOf(sessionId) };
        doubters.set(sessionId, await openDoubter(from, session));
      }
      return told.map(({ sessionId, content }) => doubters.get(sessionId ?? "")?.(content));
    },
    close: async () => {
      while (pending.size > 0) await Promise.all(pending);
      await Promise.allSettled([...finishing.values(), caughtUp]);
      await (await opening)?.close();
    },
  };
}

function hasSpools(home: string): boolean {
  try {
    return readdirSync(join(home, "sessions")).length > 0;
  } catch {
    return false;
  }
}

function ignoreMemoryError(error: unknown): undefined {
  if (!(error instanceof MemoryError)) throw error;
  return undefined;
}
