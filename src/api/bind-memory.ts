import { resolve } from "node:path";
import { bindConcepts } from "../code-memory/concepts/bind-concepts.js";
import type { Code } from "../code-memory/code-memory.js";
import type { ConfigPlace } from "../config/read-config.js";
import { openConversations } from "../conversation/open-conversations.js";
import { openContradictionCheck } from "../conversation/contradictions/contradictions.js";
import { AccessCounter, finishQuietly, pruneIfDue } from "../memory/retention/retention.js";
import type { FolderIdentity } from "../project/folder/identify-folder.js";
import { countMemories, list, lookUp } from "../memory/read/read.js";
import type { Memory, MemoryChanges, MemoryInput, RememberedMemory } from "../memory/memory.js";
import { joinProject, listProjects, type ProjectContext } from "../project/project.js";
import type { Models } from "../retrieval/open-models.js";
import type { Methodologies } from "../methodology/methodology.js";
import { explainQuery } from "../retrieval/query/explain-query.js";
import { RecallCounter } from "../retrieval/recall-counter.js";
import { recallWithVectors } from "../retrieval/recall-with-vectors.js";
import type { RecallOptions, RecallReport } from "../retrieval/retrieval.js";
import { openSharing } from "../exchange/share/open-sharing.js";
import { describeLocation } from "../storage/connect.js";
import type { WatchedSessions } from "../session/noting/open-watched-sessions.js";
import { describeProject } from "./describe-project.js";
import { openSessions } from "./open-sessions.js";
import type { TacitMemory, TellingOptions } from "./tacit-memory.js";
import { openGrounding, verifyStale } from "../code-memory/drift/verify-stale.js";

// A list of everything that matched is not a use of everything; the first ones are what a reader sees.
const countedResults = 10;
// Often enough for something that is due once a day, in a process that was asleep at the time.
const upkeepMs = 3_600_000;

interface Parts {
  models: Models;
  code: Code;
  /** What is noted of sessions, and whose words may be trusted. */
  watched: WatchedSessions;
  /** What follows when sessions were learned from. */
  afterwards: (memories: Memory[]) => Promise<void>;
  ways: () => Promise<Methodologies>;
  /** Whether the program brought plug-ins. */
  hasOwnWays: boolean;
  /** The project's folder; undefined where only the project's name is known. */
  here: FolderIdentity | undefined;
  /** Where the memory was opened. */
  directory: string;
}

/** Binds the rooms' functions into the public object. Nothing is decided here. */
export function bindMemory(
  context: ProjectContext,
  folder: FolderIdentity,
  place: ConfigPlace,
  { code, here, directory, ...own }: Parts,
): TacitMemory {
  const { models, watched, ways, hasOwnWays } = own;
  const { listDistrustReasons, listTaintReasons, judgeAgent, purging, problems } = watched;
  const { store } = context;
  const { embedding } = models;
  const recalls = new RecallCounter(store, context.project, context.now);
  const accesses = new AccessCounter(store, context.now);
  const sharing = openSharing(context);
  const judging = openContradictionCheck(context, models.ports.languageModel);
  let isPruned = false;
  let isChanged = false;
  /** Loads the verb that changes a memory with its first use: a process that only asks starts without it. */
  const changing = async <T>(verb: Promise<T>): Promise<T> => {
    isChanged = true;
    return verb;
  };
  const remarks = async () => {
    // What has no remote was made here, and nothing of it waits.
    const waiting =
      folder.remoteKey === undefined
        ? []
        : await (
            await import("../project/settings/effective-settings.js")
          )
            .listPendingLimits(store, context.project, folder, place)
            .catch(() => []);
    const wayNotes = hasOwnWays ? (await ways()).notes() : [];
    const limits = waiting.map((name) => `${name} in this project's file waits for: tacit project accept`);
    return [...limits, ...(await sharing.notices()), ...problems(), ...layer.problems(), ...wayNotes];
  };
  const { ground, confirmed, settled } = openGrounding(context, here);
  /** What was changed gets its vectors soon, in the background. */
  const changed = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    (await embedding()).schedule();
    return result;
  };
  /** The same, and it may name symbols of the code. */
  const kept = async <T extends Memory[]>(work: Promise<T>): Promise<T> => {
    const result = await changed(work);
    await code.link({ ids: result.filter(({ relatedFiles }) => relatedFiles.length > 0).map(({ id }) => id) });
    ground({ ids: result.map(({ id }) => id) });
    return result;
  };
  /** The same for one that named other symbols before. */
  const rewritten = async <T extends Memory>(work: Promise<T>): Promise<T> => {
    const result = await changed(work);
    await code.link({ ids: [result.id] });
    ground({ ids: [result.id] });
    return result;
  };
  /** The same for however many came from outside. */
  const takenIn = async <T>(work: () => Promise<T>): Promise<T> => {
    const since = context.now().toISOString();
    const result = await changed(work());
    await code.link({ since });
    ground({ since });
    return result;
  };
  /** The same texts, with why they are not to be trusted where the session that tells them has read from outside. */
  const rememberAll = async (
    inputs: MemoryInput[],
    { asAgent = false, ...options }: TellingOptions = {},
  ): Promise<RememberedMemory[]> => {
    const { remember, rememberAsAgent } = await changing(import("../memory/remember/remember.js"));
    const told = Array.isArray(inputs) ? inputs.map((input) => input ?? { content: "" }) : [];
    const judged = asAgent ? await judgeAgent(told) : { doubts: await listDistrustReasons(told) };
    const attached = await concepts.attach(inputs, { asAgent, doubts: judged.doubts });
    const done = await kept((asAgent ? rememberAsAgent : remember)(context, attached, { ...options, ...judged }));
    judging.judge(done);
    return done;
  };
  /** The same of one change, where it says in which session it is made. */
  const doubtOf = async (told: MemoryInput | MemoryChanges | undefined): Promise<string | undefined> => {
    const { sessionId, content = "" } = told ?? {};
    return typeof sessionId === "string" ? (await listDistrustReasons([{ sessionId, content }]))[0] : undefined;
  };
  /** The same of what an agent does. */
  const judgeChange = async (told: Pick<MemoryInput, "sessionId" | "content">) => {
    const { doubts = [], unverified } = await judgeAgent([told]);
    return { doubt: doubts[0], unverified };
  };
  /** A turn that is kept in several memories is one thing. */
  const otherParts = async (reference: string, which: { forgotten: boolean }): Promise<string[]> =>
    (await import("../conversation/turns/turns.js")).listOtherParts(context, reference, which);
  const wholeOf = async (reference: string) => [reference, ...(await otherParts(reference, { forgotten: false }))];
  const talking = openConversations({
    context,
    languageModel: models.ports.languageModel,
    listDistrustReasons,
    listTaintReasons,
    judgeAgent,
    place: { home: place.home, root: folder.root },
    remember: async (input) => (await rememberAll([{ type: "fact", ...input }]))[0] as RememberedMemory,
    afterwards: async (memories) => void (await kept(Promise.resolve(memories))),
  });
  const { memoryFiles: layer, close: closeConversing, ...conversing } = talking;
  const sessions = openSessions({ ...own, context, talking, codeState: code.state });
  /** What others left in the work tree, and what sessions left behind. */
  const takeUp = async (): Promise<void> => {
    await sharing.read();
    await layer.importEdits();
    await sessions.catchUp();
  };
  const report = async (question: string, options?: RecallOptions): Promise<RecallReport> => {
    await takeUp();
    const answer = await recallWithVectors(context, models.ports, embedding, question, options);
    accesses.count(answer.results.slice(0, countedResults).map(({ memory }) => memory.id));
    if (options?.explicit !== false) recalls.count(answer);
    return answer;
  };
  const listTakenUp: TacitMemory["list"] = async (query = {}) => {
    await takeUp();
    return list(context, query);
  };
  const concepts = bindConcepts({ context, here, takeUp, remember: async (input) => rememberAll([input]) });
  const rememberOne: TacitMemory["remember"] = async (input, options) =>
    (await rememberAll([input], options))[0] as RememberedMemory;
  const recall: TacitMemory["recall"] = async (question, options) => (await report(question, options)).results;
  const driving = sessions.drive({ remember: rememberOne, list: listTakenUp, recall });
  const { close: closeObserving, ...observing } = driving.observing;
  const { portsFor: _portsFor, close: closeInjecting, ...injecting } = driving.injecting;
  /** Where there is time to ask a model, as there is for what many sessions tell. */
  const describeWeekly = async (options: { isQuick?: boolean } = {}): Promise<void> => {
    if (options.isQuick !== true) await (await describing()).describeWeekly({ context, here, code, models });
  };
  /** The same for the map that the next session begins with; hardly anybody wants one. */
  const keepSessionMap = async ({ isQuick = false, isIndexed = false } = {}): Promise<void> => {
    if (isQuick || (await context.settings()).sessionMapTokens === 0) return;
    await (await mapping()).storeSessionMap({ context, here, code }, { isIndexed });
  };
  const upkeep = setInterval(() => void pruneIfDue(context), upkeepMs).unref();
  return {
    db: store.location.kind === "memory" ? ":memory:" : describeLocation(store.location),
    directory,
    project: () => describeProject(context, folder),
    projects: async () => store.read(listProjects),
    joinProject: async (id) => {
      await store.write(async (writer) => joinProject(writer, id, folder));
      return describeProject(context, folder);
    },
    ...observing,
    finishSession: async (sessionId, options) => {
      const learned = await observing.finishSession(sessionId, options);
      if (learned) await describeWeekly(options);
      if (learned) await keepSessionMap(options);
      return learned;
    },
    finishSessions: async (options) => {
      const reports = await observing.finishSessions(options);
      if (reports.length > 0) await describeWeekly(options);
      if (reports.length > 0) await keepSessionMap(options);
      return reports;
    },
    ...injecting,
    ...driving.building,
    ...conversing,
    remember: rememberOne,
    rememberMany: rememberAll,
    get: async (reference, options) => {
      await takeUp();
      const found = await lookUp(context, reference, options);
      if (found) accesses.count([found.id]);
      return found;
    },
    list: listTakenUp,
    pendingReview: async () => {
      await takeUp();
      return (await import("../memory/edit/edit.js")).pendingReview(context);
    },
    recall,
    recallReport: report,
    index: async (options) => {
      await settled();
      const indexed = await code.index(options);
      await keepSessionMap({ isIndexed: true });
      return indexed;
    },
    watch: code.watch,
    impact: code.impact,
    dependencies: code.dependencies,
    neighbours: code.neighbours,
    exportGraph: code.exportGraph,
    repositoryMap: async (options) => (await mapping()).drawRepositoryMap({ context, here, code }, options),
    recallCode: code.recall,
    embedCode: code.embed,
    codeNotes: code.notes,
    codeState: code.state,
    ...concepts.verbs,
    codeOverview: code.overview,
    modules: async () => (await import("../code-memory/modules/read-module.js")).listModules({ context, here, code }),
    module: async (...args) =>
      (await import("../code-memory/modules/read-module.js")).readModule({ context, here, code }, ...args),
    describeModules: async (options) => (await describing()).describeModules({ context, here, code, models }, options),
    explain: explainQuery,
    pack: async (...args) => (await import("../retrieval/packing/pack.js")).pack(...args),
    embedPending: async (options) => (await embedding()).embedPending(options),
    stats: async () => (await import("./read-stats.js")).readStats(context, await embedding()),
    acceptMemory: async (...args) => confirmed(rewritten(observing.acceptMemory(...args))),
    revise: async (reference, changes, options) => {
      const { revise } = await changing(import("../memory/edit/edit.js"));
      const { sessionId, content = "" } = changes ?? {};
      const judged = options?.asAgent
        ? await judgeChange({ content, ...(typeof sessionId === "string" && { sessionId }) })
        : { doubt: await doubtOf(changes) };
      return rewritten(revise(context, reference, changes, { ...options, ...judged }));
    },
    supersede: async (reference, input, options) => {
      const { supersede } = await changing(import("../memory/remember/remember.js"));
      return rewritten(supersede(context, reference, input, { ...options, doubt: await doubtOf(input) }));
    },
    rename: async (...args) => (await changing(import("../memory/edit/edit.js"))).rename(context, ...args),
    alias: async (...args) => (await changing(import("../memory/edit/edit.js"))).alias(context, ...args),
    unalias: async (name) => (await changing(import("../memory/edit/edit.js"))).unalias(context, name),
    relate: async (reference, stated) =>
      (await changing(import("../memory/edit/edit.js"))).relateMemory(
        context,
        reference,
        await concepts.toConcept(stated),
      ),
    unrelate: async (reference, stated) =>
      (await changing(import("../memory/edit/edit.js"))).unrelateMemory(
        context,
        reference,
        await concepts.toConcept(stated),
      ),
    history: async (reference) => (await import("../memory/history/history.js")).readHistory(context, reference),
    undo: async (...args) => {
      const undone = await changed((await changing(import("../memory/undo/undo.js"))).undo(context, ...args));
      ground({ ids: [undone.id] });
      return undone;
    },
    forget: async (reference) =>
      (
        await (await changing(import("../memory/retention/retention.js"))).forget(context, [await wholeOf(reference)])
      )[0] as Memory,
    forgetMany: async (references, { asAgent = false, sessionId } = {}) => {
      const wholes: string[][] = [];
      if (Array.isArray(references)) for (const reference of references) wholes.push(await wholeOf(reference));
      const judged = asAgent ? await judgeChange({ content: "", ...(sessionId !== undefined && { sessionId }) }) : {};
      return (await changing(import("../memory/retention/retention.js"))).forget(
        context,
        Array.isArray(references) ? wholes : references,
        judged,
      );
    },
    restore: async (reference) =>
      changed(
        (await changing(import("../memory/retention/retention.js"))).restore(
          context,
          reference,
          await otherParts(reference, { forgotten: true }),
        ),
      ),
    purge: async (what) =>
      purging(what, () =>
        layer.purging(what, async (target, also) => {
          const { purge } = await changing(import("../memory/retention/retention.js"));
          // What quotes a turn, or was learned from it, goes with it; the turns beside it stay.
          const others = await Promise.all(also.map((id) => purge(context, id)));
          const done = await purge(context, target);
          return { ...done, purged: done.purged + others.reduce((sum, { purged }) => sum + purged, 0) };
        }),
      ),
    pin: async (reference, pinned = true) =>
      (await changing(import("../memory/edit/edit.js"))).pin(context, reference, pinned),
    verify: async (reference) =>
      confirmed((await changing(import("../memory/edit/edit.js"))).verify(context, reference)),
    verifyStale: async (options) => {
      await settled();
      return verifyStale(context, here, code, options);
    },
    flag: async (...args) => (await changing(import("../memory/edit/edit.js"))).flag(context, ...args),
    prune: async (options) => {
      isPruned = true;
      return (await changing(import("../memory/retention/retention.js"))).prune(context, options);
    },
    config: async () => (await import("../config/read-config.js")).readConfig(place),
    configure: async (where, name, value) =>
      (await import("../config/write-setting.js")).writeSetting(place, where, name, value),
    import: async (source, options) =>
      takenIn(async () =>
        (await import("../exchange/import/import-memories.js")).importMemories(context, source, options),
      ),
    export: async (options) =>
      concepts.noteStated(
        await (await import("../exchange/export/export-memories.js")).exportMemories(context, options),
      ),
    importChroma: async (...args) =>
      takenIn(async () =>
        (await import("../exchange/chroma/import-from-chroma.js")).importFromChroma(context, ...args),
      ),
    exportChroma: async (...args) =>
      (await import("../exchange/chroma/export-chroma.js")).exportChroma(context, await embedding(), ...args),
    archive: async (output) =>
      concepts.noteStated(
        await (
          await import("../exchange/export/archive-project.js")
        ).archiveProject(context, output, (await import("../embedding/vectors/vectors.js")).copyVectors),
      ),
    share: async (options) => takenIn(() => sharing.share(options)),
    learnProject: async (options) => takenIn(async () => (await learning()).learnProject(context, here, options)),
    accept: async (accepted = true) => {
      await sharing.accept(accepted);
      await (await learning()).settleTrust(context, accepted);
    },
    notices: async () => {
      const { notice } = await describeProject(context, folder);
      return [...(notice === undefined ? [] : [notice]), ...(await remarks())];
    },
    backup: async (file) => {
      const { backUp } = await import("../storage/backup.js");
      const bytes = await backUp(store, file);
      return { file: resolve(file), memories: await store.read(async (reader) => countMemories(reader)), bytes };
    },
    diagnose: async () =>
      (await import("../doctor/doctor.js")).diagnose(context, place, remarks, await embedding(), code),
    repair: async () => {
      const { diagnose, repair } = await import("../doctor/doctor.js");
      const repaired = await repair(context);
      const diagnosis = await diagnose(context, place, remarks, await embedding(), code);
      if (repaired === undefined) return diagnosis;
      return { ok: diagnosis.ok && repaired.status !== "broken", checks: [...diagnosis.checks, repaired] };
    },
    close: async () => {
      clearInterval(upkeep);
      await settled();
      await closeConversing();
      await judging.close();
      if (store.isOpen && isChanged) await layer.syncIfPresent();
      await closeObserving();
      await closeInjecting();
      await models.close();
      await accesses.flush();
      await recalls.flush();
      // Whoever asked what pruning would do does not want it done behind their back.
      if (store.isOpen && !isPruned) await pruneIfDue(context);
      if (store.isOpen) await finishQuietly(context);
      await store.close();
    },
  };
}

const learning = () => import("../exchange/project-files/learn-project.js");
const mapping = () => import("../code-memory/map/draw-repository-map.js");
const describing = () => import("../code-memory/modules/describe-modules.js");
