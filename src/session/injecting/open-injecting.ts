import { type CountTokens, estimateTokens } from "../../base/tokens/tokens.js";
import { within } from "../../base/within.js";
import type { InjectionPorts, Moment } from "../../injection/injection.js";
import { cleanId } from "../../observer/spool/spool.js";
import type { ProjectContext } from "../../project/project.js";
import type { RecallPorts } from "../../retrieval/candidates/search.js";
import type { Models } from "../../retrieval/open-models.js";
import { Store } from "../../storage/storage.js";
import type { WatchedSessions } from "../noting/open-watched-sessions.js";
import type { Injecting, Observing } from "../session.js";
import { injectionPorts } from "./injection-ports.js";
import { openTelling } from "./open-telling.js";

export interface OpenInjecting extends Injecting {
  /** What the rooms for builds ask. */
  portsFor: (point: Moment["point"]) => InjectionPorts;
  close: () => Promise<void>;
}

export interface InjectingParts {
  context: ProjectContext;
  models: Models;
  /** How far the code is indexed; undefined where it never was. */
  codeState: () => Promise<{ isComplete: boolean } | undefined>;
  watched: WatchedSessions;
  observe: Observing["observe"];
}

// SQLite lets no timer fire while it waits for a lock, so the store itself must not wait longer than the shortest deadline.
const patienceMs = 30;
// A model that is not at hand by then is done without: words answer in the rest of the time.
const meaningMs = 1200;

/** Tells agents what they should know. Loads next to nothing before it is asked. */
export function openInjecting({ context, models, codeState, watched, observe }: InjectingParts): OpenInjecting {
  const tell = openTelling(watched.watching.states);
  const hurried = openHurried(context);
  const countTokens = openTokenCounter();
  const portsFor = (point: Moment["point"], moment?: Moment): InjectionPorts => {
    const sources = {
      context: hurried.context(),
      recall: point === "prompt" ? withMeaningInTime(models.ports) : graphOnly(models.ports),
      noted: watched.noted,
      note: async (event: Parameters<typeof observe>[0]) => observe(event),
      countTokens,
      codeState,
    };
    return injectionPorts(sources, moment);
  };

  return {
    portsFor: (point) => portsFor(point),
    inject: async (moment, options) => {
      const { inject } = await import("../../injection/inject.js");
      return tell(moment, async (own) => inject(portsFor(own.point, own), own, options));
    },
    sessionContext: async (asked) => {
      const { sessionContext } = await import("../../injection/session-context.js");
      const ports = portsFor("prompt");
      // Where nobody watches the session, nothing is told unasked either, and a note would pass for a session of its own.
      const isWatched = async (id: string) => (await watched.underWay()).has(cleanId(id) ?? "");
      const record: InjectionPorts["record"] = async (whose, told) =>
        (await isWatched(whose.sessionId)) ? ports.record(whose, told) : new Set();
      return sessionContext({ ...ports, context, record }, asked);
    },
    sessionSummary: async (sessionId) => {
      const [{ readProject }, { sessionSummary }] = await Promise.all([
        import("../../project/project.js"),
        import("../../injection/report/report.js"),
      ]);
      const noted = await watched.noted(sessionId, undefined);
      return readProject(context, undefined, (reader, project) => sessionSummary(reader, project, sessionId, noted));
    },
    close: hurried.close,
  };
}

/** The same project over a store of its own, for whoever has an agent waiting. */
function openHurried(context: ProjectContext): { context: () => ProjectContext; close: () => Promise<void> } {
  const { location } = context.store;
  let store: Store | undefined;
  let isClosed = false;
  return {
    context: () => {
      // One that was closed says so by itself.
      if (location.kind !== "file" || isClosed) return context;
      store ??= new Store({ db: location.path, timeoutMs: patienceMs });
      return { ...context, store };
    },
    close: async () => {
      isClosed = true;
      await store?.close();
    },
  };
}

/** Loading the counter takes longer than most deadlines: until it is there, tokens are estimated. */
function openTokenCounter(): () => Promise<CountTokens> {
  let count: CountTokens = estimateTokens;
  let counting: Promise<unknown> | undefined;
  return async () => {
    counting ??= import("../../base/tokens/tokens.js")
      .then(({ loadTokenCounter }) => loadTokenCounter())
      .then((counter) => (count = counter))
      .catch(() => undefined);
    return count;
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
