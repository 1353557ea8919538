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
  let count: CountTokens = estimateTokens;
  let counting: Promise<unknown> | undefined;
  const { location } = from.store;

  const inAHurry = (): ProjectStore => {
    if (location.kind !== "file") return from;
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
    observing.observe({
      sessionId,
      ...(agentId !== undefined && { agentId }),
      kind: "injected",
      point,
      ...(trigger && { trigger }),
      memories,
      ...(files.length > 0 && { files }),
      tokens,
    });
    return new Set();
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
    codeNote: async () => firstIndexNote(await code.state()),
  });

  return {
    portsFor,
    inject: async (moment, options) => {
      try {
        const { inject } = await import("./injection/inject.js");
        return await inject(portsFor(moment.point), moment, options);
      } catch (error) {
        const { nothingAt } = await import("./injection/inject.js");
        return nothingAt(moment?.point, [error instanceof Error ? error.message : String(error)]);
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
      await hurried?.close();
    },
  };
}

type Whose = Pick<Moment, "sessionId" | "agentId">;

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
