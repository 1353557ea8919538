import { type CountTokens, estimateTokens } from "../../base/tokens/tokens.js";
import { within } from "../../base/within.js";
import { firstIndexNote } from "../../injection/first-index-note.js";
import { injectedEvent } from "./injected-event.js";
import type { Injecting } from "../session.js";
import { emptyInjection, type InjectionPorts, type Moment } from "../../injection/injection.js";
import type { ProjectContext } from "../../project/project.js";
import type { Models } from "../../retrieval/open-models.js";
import type { OpenObserving } from "../observing/open-observing.js";
import { cleanId } from "../../observer/spool/spool.js";
import type { RecallPorts } from "../../retrieval/candidates/search.js";
import { Store } from "../../storage/storage.js";

export interface OpenInjecting extends Injecting {
  /** What the rooms for builds ask. */
  portsFor: (point: Moment["point"]) => InjectionPorts;
  close: () => Promise<void>;
}

// SQLite lets no timer fire while it waits for a lock, so the store itself must not wait longer than the shortest deadline.
const patienceMs = 30;
// A model that is not at hand by then is done without: words answer in the rest of the time.
const meaningMs = 1200;

// As long as an agent that reads a file may wait for what it is told: one that hangs is not to hold up the next.
const turnMs = 100;

/** Tells agents what they should know. Loads next to nothing before it is asked. */
export function openInjecting(
  context: ProjectContext,
  models: Models,
  /** How far the code is indexed; undefined where it never was. */
  codeState: () => Promise<{ isComplete: boolean } | undefined>,
  observing: Pick<OpenObserving, "observe" | "noted" | "underWay">,
): OpenInjecting {
  let hurried: Store | undefined;
  let isClosed = false;
  const inTurn = openTurns();
  let count: CountTokens = estimateTokens;
  let counting: Promise<unknown> | undefined;
  const { location } = context.store;

  const inAHurry = (): ProjectContext => {
    // One that was closed says so by itself.
    if (location.kind !== "file" || isClosed) return context;
    hurried ??= new Store({ db: location.path, timeoutMs: patienceMs });
    return { ...context, store: hurried };
  };
  /** Loading the counter takes longer than most deadlines: until it is there, tokens are estimated. */
  const countTokens = async (): Promise<CountTokens> => {
    counting ??= import("../../base/tokens/tokens.js")
      .then(({ loadTokenCounter }) => loadTokenCounter())
      .then((counter) => (count = counter))
      .catch(() => undefined);
    return count;
  };
  const record: InjectionPorts["record"] = async (whose, injection) => {
    const { uniqueTime, injectedByOthers } = await import("../../observer/spool/spool.js");
    const at = uniqueTime(context.now().getTime());
    observing.observe(injectedEvent(whose, injection, at));
    return injectedByOthers(await observing.noted(whose.sessionId, whose.agentId), at);
  };
  const portsFor = (point: Moment["point"]): InjectionPorts => ({
    context: inAHurry(),
    recall: point === "prompt" ? withMeaningInTime(models.ports) : graphOnly(models.ports),
    soFar: async (session, agent) => {
      const { injectedSoFar } = await import("../../injection/injected-so-far.js");
      const [sessionId = "", agentId] = [cleanId(session), cleanId(agent)];
      return injectedSoFar(inAHurry(), await observing.noted(sessionId, agentId), { sessionId, agentId });
    },
    record,
    countTokens,
    lastSession: async () => (await import("../../injection/report/report.js")).lastSessionNote(inAHurry()),
    codeNote: async () => firstIndexNote(await codeState()),
    codeMap: async () => (await import("../../codegraph/session-map/session-map.js")).readSessionMap(inAHurry()),
  });

  return {
    portsFor,
    inject: async (moment, options) => {
      const { inject } = await import("../../injection/inject.js");
      try {
        const sessionId = cleanId(moment.sessionId);
        // What cannot be noted would be told again and again.
        if (sessionId === undefined) return emptyInjection(moment.point);
        const whole = { ...moment, sessionId };
        const isCompacted = moment.point === "session-start" && moment.continues === "compacted";
        const ports = isCompacted ? withArchive(portsFor(moment.point), sessionId) : portsFor(moment.point);
        return await inTurn(whole, () => inject(ports, whole, options));
      } catch (error) {
        return { ...emptyInjection(moment?.point), problem: error instanceof Error ? error.message : String(error) };
      }
    },
    sessionContext: async (asked) => {
      const { sessionContext } = await import("../../injection/session-context.js");
      // Where nobody watches the session, nothing is told unasked either, and a note would pass for a session of its own.
      const isWatched = async (id: string) => (await observing.underWay()).has(cleanId(id) ?? "");
      const ports: InjectionPorts = {
        ...portsFor("prompt"),
        context,
        record: async (whose, told) => ((await isWatched(whose.sessionId)) ? record(whose, told) : new Set()),
      };
      return sessionContext(ports, asked);
    },
    sessionSummary: async (sessionId) => {
      const [{ readProject }, { sessionSummary }] = await Promise.all([
        import("../../project/project.js"),
        import("../../injection/report/report.js"),
      ]);
      const noted = await observing.noted(sessionId, undefined);
      return readProject(context, undefined, (reader, project) => sessionSummary(reader, project, sessionId, noted));
    },
    close: async () => {
      isClosed = true;
      await hurried?.close();
    },
  };
}

/** What was said is not in the agent's mind any more: it is told where it is kept. */
function withArchive(ports: InjectionPorts, sessionId: string): InjectionPorts {
  return {
    ...ports,
    codeNote: async () => {
      const { archivedNote } = await import("../../conversation/archive/archive.js");
      const notes = [await archivedNote(ports.context, sessionId), await ports.codeNote()];
      return notes.filter((note) => note !== undefined).join("\n") || undefined;
    },
  };
}

type Whose = Pick<Moment, "sessionId" | "agentId">;

/**
 * Lets injections for one agent run one after the other, so that each knows what the one before it has told. Whoever has
 * waited for long goes ahead: what both tell is told by the one whose note stands first.
 */
function openTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>({ sessionId, agentId = "" }: Whose, work: () => Promise<T>): Promise<T> => {
    const key = `${sessionId}\0${agentId}`;
    const before = last.get(key);
    const turn = (async () => {
      if (before) await within(turnMs, before, () => undefined);
      return work();
    })();
    const done = turn.catch(() => undefined);
    last.set(key, done);
    try {
      return await turn;
    } finally {
      if (last.get(key) === done) last.delete(key);
    }
  };
}

function graphOnly({ codeGraph }: RecallPorts): RecallPorts {
  return codeGraph ? { codeGraph } : {};
}

/** Nobody asked, so no language model and no reranker is; and a model that takes long to load is left to load. */
function withMeaningInTime({ embedding, codeGraph, fileChanges }: RecallPorts): RecallPorts {
  return {
    ...(codeGraph && { codeGraph }),
    ...(fileChanges && { fileChanges }),
    ...(embedding && {
      embedding: async () => {
        const opened = await embedding();
        return {
          embedQuery: async (text) =>
            within(meaningMs, opened.embedQuery(text), () => ({
              reason: "none",
              problem: "There was no time for it.",
            })),
          listNearest: opened.listNearest.bind(opened),
        };
      },
    }),
  };
}
