import { firstIndexNote } from "../../injection/first-index-note.js";
import type { InjectionPorts, Moment } from "../../injection/injection.js";
import type { AgentEvent } from "../../observer/observer.js";
import { cleanId, injectedByOthers, type NotedInjections, uniqueTime } from "../../observer/spool/spool.js";
import type { ProjectContext } from "../../project/project.js";
import type { RecallPorts } from "../../retrieval/candidates/search.js";
import { injectedEvent } from "./injected-event.js";

/** What injection asks that depends on the process: one that stays, or one of a single event. */
export interface InjectionSources {
  /** Over a store that waits no longer than a deadline allows. */
  context: ProjectContext;
  recall: RecallPorts;
  /** What is noted of what an agent was told. */
  noted: (sessionId: string, agentId: string | undefined) => Promise<NotedInjections>;
  note: (event: AgentEvent) => Promise<unknown>;
  countTokens: InjectionPorts["countTokens"];
  /** How far the code is indexed; undefined where it never was. */
  codeState: () => Promise<{ isComplete: boolean } | undefined>;
}

/** What injection asks, for whatever process. Loads what a moment needs when that is asked for. */
export function injectionPorts(sources: InjectionSources, moment?: Moment): InjectionPorts {
  const { context, recall, noted, note, countTokens, codeState } = sources;
  const isCompacted = moment?.point === "session-start" && moment.continues === "compacted";
  return {
    context,
    recall,
    soFar: async (session, agent) => {
      const { injectedSoFar } = await import("../../injection/injected-so-far.js");
      const [sessionId = "", agentId] = [cleanId(session), cleanId(agent)];
      return injectedSoFar(context, await noted(sessionId, agentId), { sessionId, agentId });
    },
    record: async (whose, injection) => {
      // Two may be told at the same time, in calls that an agent made at once.
      const at = uniqueTime(context.now().getTime());
      await note(injectedEvent(whose, injection, at));
      return injectedByOthers(await noted(whose.sessionId, cleanId(whose.agentId)), at);
    },
    countTokens,
    lastSession: async () => (await import("../../injection/report/report.js")).lastSessionNote(context),
    codeNote: async () => {
      const archived = isCompacted ? await findArchive(context, moment.sessionId) : undefined;
      const notes = [archived, firstIndexNote(await codeState())];
      return notes.filter((text) => text !== undefined).join("\n") || undefined;
    },
    codeMap: async () => (await import("../../codegraph/session-map/session-map.js")).readSessionMap(context),
  };
}

/** What was said is not in the agent's mind any more: it is told where it is kept. */
async function findArchive(context: ProjectContext, sessionId: string): Promise<string | undefined> {
  return (await import("../../conversation/archive/archive.js")).archivedNote(context, sessionId);
}
