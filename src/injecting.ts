import { estimateTokens } from "./base/estimate-tokens.js";
import type { CountTokens } from "./base/count-tokens.js";
import { within } from "./base/within.js";
import type { Code } from "./code-types.js";
import { firstIndexNote } from "./first-index-note.js";
import type { Injecting } from "./injecting-types.js";
import type { Injection, InjectionPorts, Moment } from "./injection/injection.js";
import type { ProjectStore } from "./memory/project-store.js";
import type { Models } from "./models.js";
import type { OpenObserving } from "./observing.js";
import { cleanId } from "./observer/spool/clean-id.js";
import type { RecallPorts } from "./retrieval/search.js";
import { Store } from "./storage/storage.js";

export interface OpenInjecting extends Injecting {
  /** What the rooms for builds ask. */
  portsFor: (point: Moment["point"]) => InjectionPorts;
  close: () => Promise<void>;
}

// SQLite lets no timer fire while it waits for a lock, so the store itself must not wait longer than the shortest deadline.
const patienceMs = 30;
// A model that is not at hand by then is done without: words answer in the rest of the time.
const meaningMs = 1200;

/** Tells agents what they should know. Loads next to nothing before it is asked. */
export function openInjecting(
  from: ProjectStore,
  models: Models,
  code: Code,
  observing: Pick<OpenObserving, "observe" | "noted">,
): OpenInjecting {
  let hurried: Store | undefined;
  let isClosed = false;
  const underWay = openUnderWay();
  let count: CountTokens = estimateTokens;
  let counting: Promise<unknown> | undefined;
  const { location } = from.store;

  const inAHurry = (): ProjectStore => {
    // One that was closed says so by itself.
    if (location.kind !== "file" || isClosed) return from;
    hurried ??= new Store({ db: location.path, timeoutMs: patienceMs });
    return { ...from, store: hurried };
  };
  /** Loading the counter takes longer than most deadlines: until it is there, tokens are estimated. */
  const countTokens = async (): Promise<CountTokens> => {
    counting ??= import("./base/count-tokens.js")
      .then(({ loadTokenCounter }) => loadTokenCounter())
      .then((counter) => (count = counter))
      .catch(() => undefined);
    return count;
  };
  const record = async (moment: Whose, injection: Injection): Promise<ReadonlySet<string>> => {
    const { point, trigger, memories, files, tokens } = injection;
    const { sessionId, agentId } = moment;
    const taken = underWay.take(moment, memories);
    const isTaken = ({ id }: { id: string }) => taken.has(id);
    observing.observe({
      sessionId,
      ...(agentId !== undefined && { agentId }),
      kind: "injected",
      point,
      ...(trigger && { trigger }),
      memories: memories.filter((memory) => !isTaken(memory)),
      ...(files.length > 0 && { files }),
      tokens: memories.filter(isTaken).reduce((left, memory) => left - memory.tokens, tokens),
    });
    return taken;
  };
  const portsFor = (point: Moment["point"]): InjectionPorts => ({
    from: inAHurry(),
    recall: point === "prompt" ? withMeaningInTime(models.ports) : graphOnly(models.ports),
    soFar: async (sessionId, agentId) => {
      const { injectedSoFar } = await import("./injection/so-far.js");
      return injectedSoFar(inAHurry(), await observing.noted(sessionId, agentId), sessionId);
    },
    record,
    countTokens,
    lastSession: async () => (await import("./injection/record/last-session-note.js")).lastSessionNote(inAHurry()),
    codeNote: async () => firstIndexNote(await code.state()),
  });

  return {
    portsFor,
    inject: async (moment, options) => {
      const { inject, nothingAt } = await import("./injection/inject.js");
      try {
        const sessionId = cleanId(moment.sessionId);
        // What cannot be noted would be told again and again.
        if (sessionId === undefined) return nothingAt(moment.point);
        const whole = { ...moment, sessionId };
        return await underWay.run(whole, () => inject(portsFor(moment.point), whole, options));
      } catch (error) {
        return { ...nothingAt(moment?.point), problem: error instanceof Error ? error.message : String(error) };
      }
    },
    sessionContext: async (asked) => {
      const { sessionContext } = await import("./injection/session-context.js");
      return sessionContext({ ...portsFor("prompt"), from }, asked);
    },
    sessionSummary: async (sessionId) => {
      const [{ readProject }, { sessionSummary }] = await Promise.all([
        import("./memory/project-store.js"),
        import("./injection/record/session-summary.js"),
      ]);
      const noted = await observing.noted(sessionId, undefined);
      return readProject(from, undefined, (reader, project) => sessionSummary(reader, project, sessionId, noted));
    },
    close: async () => {
      isClosed = true;
      await hurried?.close();
    },
  };
}

type Whose = Pick<Moment, "sessionId" | "agentId">;

/**
 * What injections tell that run at the same time in this process: each has read what was told before, and knows nothing of
 * the others.
 */
function openUnderWay() {
  const agents = new Map<string, { running: number; ids: Set<string> }>();
  const keyOf = ({ sessionId, agentId = "" }: Whose) => `${sessionId}\0${agentId}`;
  return {
    async run<T>(whose: Whose, work: () => Promise<T>): Promise<T> {
      const key = keyOf(whose);
      const agent = agents.get(key) ?? { running: 0, ids: new Set() };
      agents.set(key, agent);
      agent.running += 1;
      try {
        return await work();
      } finally {
        agent.running -= 1;
        if (agent.running === 0) agents.delete(key);
      }
    },
    /** The ids among these that another one tells; the rest is taken. */
    take(whose: Whose, memories: Injection["memories"]): ReadonlySet<string> {
      const ids = agents.get(keyOf(whose))?.ids ?? new Set<string>();
      const taken = new Set(memories.map(({ id }) => id).filter((id) => ids.has(id)));
      for (const { id } of memories) ids.add(id);
      return taken;
    },
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
