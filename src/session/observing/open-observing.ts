import type { MemoryContext } from "../../memory/change/change.js";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import { within } from "../../base/within.js";
import type { TranscriptImport } from "../../conversation/import-session-transcript.js";
import { openSourceTrust, type SourceTrust } from "../../observer/trust/trust.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import type { Memory } from "../../memory/memory.js";
import type { PurgeTarget } from "../../memory/retention/retention.js";
import { readProject } from "../../project/project.js";
import type { Models } from "../../retrieval/open-models.js";
import type { AgentEvent } from "../../observer/observer.js";
import type { Observer, ReadSession } from "../../observer/watch/watch.js";
import { cleanId, markMemoryFile, type NotedInjections, type SpoolPlace } from "../../observer/spool/spool.js";
import type { LearnedReport, PromotionPorts } from "../../observer/promotion/promotion.js";
import type { Scratchpad } from "../../observer/scratchpad/scratchpad.js";
import type { FinishSessionOptions, Observing } from "../session.js";

// Whoever asks waits so long for what ended sessions left behind, and none is begun after it; finishing one takes about a
// tenth of a second. The next who asks goes on.
const patienceMs = 300;

// After these an agent may have gone to another branch. Not after each: `context.folder` reads it once a second at most.
const headMoves: ReadonlySet<string> = new Set(["start", "prompt", "step", "result", "end"]);

/** What else is asked of it inside the process. */
export interface OpenObserving extends Observing, SourceTrust {
  /** Takes in what killed or ended sessions left behind, before somebody asks; not for long. */
  catchUp: () => Promise<void>;
  /** Ids of the sessions in this work tree that go on and that somebody watches, in whatever process. */
  underWay: () => Promise<ReadonlySet<string>>;
  /** What is noted of a running session about what one of its agents was told. */
  noted: (sessionId: string, agentId: string | undefined) => Promise<NotedInjections>;
  /** Purges, and with a project or all of them what was noted of its sessions. */
  purging: <T>(target: PurgeTarget, purge: () => Promise<T>) => Promise<T>;
  /** What went wrong with noting, for a person. */
  problems: () => string[];
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
  context: MemoryContext,
  models: Models,
  where: ObservingPlace,
  /** What follows a write: vectors, links to the code. */
  afterwards: (memories: Memory[]) => Promise<void>,
  /** What follows a piece of work that has ended. */
  unitEnded: (event: Extract<AgentEvent, { kind: "unit" }>) => Promise<void>,
  /** What is done with what was said. */
  said: TranscriptImport,
): OpenObserving {
  let opening: Promise<Observer> | undefined;
  let opened: Observer | undefined;
  // Until the room is loaded, events wait here in their order.
  const early: AgentEvent[] = [];
  const finishing = new Map<string, Promise<LearnedReport | undefined>>();
  const promoting = new Map<string, Promise<unknown>>();
  const pending = new Set<Promise<unknown>>();
  let caughtUp: Promise<unknown> | undefined;
  let isClosing = false;
  // What the disk said when it refused a note.
  let refusal: NodeJS.ErrnoException | undefined;
  let isOn = false;
  let head: Pick<FolderIdentity, "commit" | "branch"> = {};

  const askWhetherOn = async (): Promise<boolean> => {
    // Settings that cannot be read may say no.
    isOn = (await context.settings().catch(() => undefined))?.enabled ?? false;
    return isOn;
  };
  /** Of a process that stays open the head moves on; no event waits for it, so it is read before it is asked for. */
  const readHead = (): void => {
    void context.folder().then(
      (folder) => (head = folder),
      () => undefined,
    );
  };
  const place = async (): Promise<SpoolPlace | undefined> =>
    (await import("../../observer/spool/spool.js")).openSpoolPlace(where);
  const observer = () =>
    (opening ??= (async () => {
      const loading = [import("../../observer/watch/watch.js"), place(), askWhetherOn()] as const;
      const [{ Observer: Room }, spools] = await Promise.all(loading);
      head = await context.folder();
      const onProblem = (error: unknown) => {
        if (error instanceof Error && "syscall" in error) refusal ??= error as NodeJS.ErrnoException;
      };
      const [commit, branch] = [() => head.commit, () => head.branch];
      opened = new Room({ place: spools, root: where.root, now: context.now, commit, branch, onProblem });
      for (const event of early.splice(0)) take(opened, event);
      return opened;
    })());
  const recording = () => import("../../injection/record/record.js");
  const ports = (isQuick: boolean): PromotionPorts => ({
    context,
    alsoWrite: async (...args) => (await recording()).recordInjections(...args),
    ...(!isQuick && {
      ...(models.ports.languageModel && { languageModel: models.ports.languageModel }),
      isKnown: async (texts) =>
        (await import("./list-semantic-duplicates.js")).listSemanticDuplicates(context, models, texts),
    }),
  });
  const usualType = async () => (await context.settings()).sessionType;
  const learned = async (reports: LearnedReport[], isQuick: boolean): Promise<LearnedReport[]> => {
    const memories = reports.flatMap((report) => [...report.learned, ...report.waiting]);
    if (memories.length > 0) await afterwards(memories);
    const isDue = reports.some(({ isRepeated }) => !isRepeated) && !(isQuick && (await hasModel()));
    if (isDue) await lookOver(isQuick).catch(ignoreMemoryError);
    return reports;
  };
  /** Then looking over many sessions is left to one that has time to ask it: once done, it is not due again for long. */
  const hasModel = async () => (await models.ports.languageModel?.().catch(() => undefined)) !== undefined;
  /** What many sessions tell together, where it is due. */
  const lookOver = async (isQuick: boolean, options?: { force?: boolean }) => {
    const report = await (await import("../../observer/synthesis/synthesis.js")).synthesize(ports(isQuick), options);
    if (report.waiting.length > 0) await afterwards(report.waiting);
    return report;
  };

  const finishOne = async (sessionId: string, options: FinishSessionOptions): Promise<LearnedReport | undefined> => {
    const { isQuick = false } = options;
    // Where no event was handed over there is nobody watching, and nothing of that to be loaded.
    const [settings, watching, spools, { finishSpools }] = await Promise.all([
      context.settings(),
      opening,
      place(),
      import("../../observer/promotion/promotion.js"),
      // Before the write that needs it begins: others wait while it lasts.
      recording(),
    ]);
    if (!settings.enabled) return undefined;
    const { type = settings.sessionType } = options;
    await watching?.flush();
    await promoting.get(sessionId);
    const pads = watching?.pads(sessionId) ?? [];
    watching?.forget(sessionId);
    if (spools) {
      const { alsoTakeIn } = said.finishing({ isQuick });
      const reports = await finishSpools(ports(isQuick), spools, {
        type,
        only: sessionId,
        ...(alsoTakeIn && { alsoTakeIn }),
      });
      // Where the disk took nothing of it, what is at hand is all there is; else somebody else may have finished it.
      const isLost = refusal && reports.length === 0 && !(await isNoted(spools, sessionId));
      if (!isLost) return (await learned(reports, isQuick)).at(-1);
    }
    if (pads.length === 0) return undefined;
    const { finishSession } = await import("../../observer/promotion/promotion.js");
    const session = { spoolId: crypto.randomUUID(), sessionId, root: where.root, pads, isUncleaned: true };
    const report = await finishSession(ports(isQuick), session, { type });
    await said.finishing({ isQuick }).alsoTakeIn?.(session);
    return (await learned([report], isQuick))[0];
  };
  const isNoted = async (spools: SpoolPlace, sessionId: string) =>
    (await (await import("../../observer/spool/spool.js")).listParts(spools, sessionId)).length > 0;
  const finish = async (given: string, options: FinishSessionOptions = {}): Promise<LearnedReport | undefined> => {
    const sessionId = cleanId(given);
    if (sessionId === undefined) return undefined;
    const running = finishing.get(sessionId);
    if (running) return running;
    const work = finishOne(sessionId, options).finally(() => finishing.delete(sessionId));
    finishing.set(sessionId, work);
    return work;
  };
  const finishAll = async (
    { isQuick = false }: Pick<FinishSessionOptions, "isQuick"> = {},
    options: { mayGoOn?: () => boolean } = {},
  ) => {
    const spools = await place();
    if (!spools || !(await context.settings()).enabled) return [];
    const [{ finishSpools }] = await Promise.all([import("../../observer/promotion/promotion.js"), recording()]);
    const wanted = { type: await usualType(), ...said.finishing({ isQuick }), ...options };
    const reports = await learned(await finishSpools(ports(isQuick), spools, wanted), isQuick);
    // Who has little time leaves it to those who are started for it.
    if (!options.mayGoOn) await said.importCompacted(spools, { isQuick });
    return reports;
  };
  /** Whatever goes wrong: somebody asked for something else. */
  const finishLeft = async (): Promise<void> => {
    const until = performance.now() + patienceMs;
    let isCutShort = false;
    const mayGoOn = () => !(isCutShort = isClosing || performance.now() > until);
    await finishAll({ isQuick: true }, { mayGoOn }).catch(() => undefined);
    if (isCutShort) caughtUp = undefined;
  };
  const promoteOne = async (sessionId: string): Promise<LearnedReport | undefined> => {
    if (!(await context.settings()).enabled) return undefined;
    const watching = await observer();
    await watching.flush();
    const spools = await place();
    const { findSpooledSession } = await import("../../observer/watch/watch.js");
    const pads = watching.pads(sessionId);
    // What the spool holds has been redacted, what is at hand has not.
    const session = spools
      ? await findSpooledSession(spools, sessionId)
      : pads.length > 0 && { spoolId: crypto.randomUUID(), sessionId, root: where.root, pads, isUncleaned: true };
    if (!session) return undefined;
    const { finishSession } = await import("../../observer/promotion/promotion.js");
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
  /** All that is known of a session. Other processes may have noted of it too, so what is at hand is not all. */
  const notedOf = async (given: string): Promise<Pick<ReadSession, "pads" | "outside">> => {
    const sessionId = cleanId(given) ?? "";
    const watching = await opening;
    await watching?.flush();
    const live = watching?.pads(sessionId) ?? [];
    const spools = await place();
    if (!spools) return { pads: live };
    const noted = await (await import("../../observer/watch/watch.js")).readSpooledParts(spools, sessionId);
    return refusal ? { ...noted, pads: [...noted.pads, ...live] } : noted;
  };
  const listRunning = async (): Promise<Set<string>> => {
    const spools = await place();
    const { listSpools } = await import("../../observer/spool/spool.js");
    const noted = spools ? await listSpools(spools.home, spools) : [];
    const ids = noted.filter(({ hasFailed }) => !hasFailed).map(({ sessionId }) => sessionId);
    return new Set([...ids, ...(opened?.sessions() ?? [])]);
  };

  const underWay = async (): Promise<Set<string>> => {
    const [{ listRunningSessions }, spools, watching] = await Promise.all([
      import("../../observer/spool/spool.js"),
      place(),
      opening,
    ]);
    const here = (watching?.sessions() ?? []).filter((id) => watching?.pads(id).some(isSeen));
    return new Set([...(spools ? await listRunningSessions(spools, Date.now()) : []), ...here]);
  };

  const doubting = openSourceTrust(context, {
    root: where.root,
    watching: async () => {
      const observing = await opening;
      return isOn ? observing : undefined;
    },
    notedOf,
    underWay,
  });

  const take = (watching: Observer, event: AgentEvent): void => {
    try {
      if (event.kind === "start" || event.kind === "prompt") void askWhetherOn();
      if (headMoves.has(event.kind)) readHead();
      if (!isOn) return;
      watching.observe(event);
      markMemoryFile(where.home, event);
      if (event.kind === "end" && event.agentId === undefined) inBackground(finish(event.sessionId));
      if (event.kind === "unit") inBackground(unitEnded(event));
      if (event.kind === "compacted" && event.transcript && event.agentId === undefined) {
        const { sessionId, transcript } = event;
        inBackground(said.importSession({ sessionId, transcript, reason: "compacted" }));
      }
      if (event.kind === "unit" && event.state === "succeeded") inBackground(promoteIfLong(watching, event.sessionId));
    } catch {
      // An agent must not break because of its memory, whatever it hands over.
    }
  };
  const promoteIfLong = async (watching: Observer, sessionId: string): Promise<unknown> => {
    const { isLongBuild } = await import("../../observer/promotion/promotion.js");
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
    finishSessions: (options) => finishAll(options),
    promoteSession: promote,
    replay: async (source, options = {}) => {
      const { replayTranscript } = await import("./replay-transcript.js");
      const { sessions, ...report } = await replayTranscript(ports(false), where.root, source, {
        type: await usualType(),
        ...options,
        running: await listRunning(),
      });
      return { sessions: await learned(sessions, false), ...report };
    },
    transcripts: async () => {
      const { findTranscripts } = await import("../../observer/transcripts/transcripts.js");
      const { findSession } = await import("../../observer/cross-session/cross-session.js");
      const found = await findTranscripts(where.root);
      const isKnown = (sessionId: string) =>
        readProject(context, undefined, (reader, project) => findSession(reader, project, sessionId));
      const known = await Promise.all(found.map(({ sessionId }) => isKnown(sessionId)));
      const running = await listRunning();
      return found.filter(({ sessionId }, index) => known[index] === undefined && !running.has(sessionId));
    },
    acute: async (sessionId) => {
      const { findAcute } = await import("../../observer/scratchpad/scratchpad.js");
      return (await notedOf(sessionId)).pads
        .flatMap((pad) => findAcute(pad))
        .toSorted((a, b) => b.priority - a.priority);
    },
    sessions: async ({ limit = 20 } = {}) => {
      const { listSessions } = await import("../../observer/cross-session/cross-session.js");
      return readProject(context, [], (reader, project) => listSessions(reader, project, limit));
    },
    evidence: async (reference) =>
      (await import("../../observer/review/review.js")).listMemoryEvidence(context, reference),
    acceptMemory: async (...args) => (await import("../../observer/review/review.js")).acceptMemory(context, ...args),
    rejectMemory: async (...args) => (await import("../../observer/review/review.js")).rejectMemory(context, ...args),
    synthesize: async (options) => lookOver(false, options),
    catchUp: async () => {
      if (isClosing) return;
      caughtUp ??= hasSpools(where.home) ? finishLeft() : Promise.resolve();
      await within(patienceMs, caughtUp, () => undefined);
    },
    ...doubting,
    underWay,
    noted: async (given, agent) => {
      const sessionId = cleanId(given) ?? "";
      const agentId = cleanId(agent);
      const watching = await opening;
      await watching?.flush();
      const spools = await place();
      const { injectedIn, readInjected } = await import("../../observer/spool/spool.js");
      if (spools && !refusal) return readInjected(spools, sessionId, agentId);
      return injectedIn(watching?.pads(sessionId) ?? [], agentId);
    },
    purging: async (target, purge) => {
      // What is no target at all is refused by purge itself.
      const { all, project } = Object(target) as { all?: unknown; project?: unknown };
      const whose = all === true ? "all" : project === true ? "project" : undefined;
      const spools = await place();
      if (!spools || whose === undefined) return purge();
      const watching = await opening;
      await watching?.flush();
      const { purgeWithSpools } = await import("../../observer/spool/spool.js");
      const purged = await purgeWithSpools(context, spools, whose, purge);
      for (const sessionId of watching?.sessions() ?? []) watching?.forget(sessionId);
      return purged;
    },
    problems: () =>
      refusal ? [`Sessions are not noted, since the disk refuses it: ${refusal.code ?? refusal.message}.`] : [],
    close: async () => {
      isClosing = true;
      while (pending.size > 0) await Promise.all(pending);
      await Promise.allSettled([...finishing.values(), caughtUp]);
      await (await opening)?.close();
    },
  };
}

/** Whether anything was seen of what an agent did, beside what Tacit itself noted. */
function isSeen({ start, analytics, prompts, sayings }: Scratchpad): boolean {
  return start?.agent !== undefined || analytics.toolCalls + prompts.length + sayings.length > 0;
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
