import type { ProjectContext } from "../../project/project.js";
import type { PurgeTarget } from "../../memory/retention/retention.js";
import type { Scratchpad } from "../../observer/scratchpad/scratchpad.js";
import { cleanId, type NotedInjections } from "../../observer/spool/spool.js";
import type { ReadSession } from "../../observer/watch/watch.js";
import type { Watching } from "./open-watching.js";

/** What is noted of sessions that were not learned from yet, here and by other processes. */
export interface SessionNotes {
  /** All that is known of a session. Other processes may have noted of it too, so what is at hand is not all. */
  notedOf: (sessionId: string) => Promise<Pick<ReadSession, "pads" | "outside">>;
  /** What is noted of a running session about what one of its agents was told. */
  noted: (sessionId: string, agentId: string | undefined) => Promise<NotedInjections>;
  /** Ids of the sessions in this work tree that go on and that somebody watches, in whatever process. */
  underWay: () => Promise<ReadonlySet<string>>;
  /** Ids of the sessions of which there are notes, whoever watches them. */
  listNoted: () => Promise<ReadonlySet<string>>;
  /** Purges, and with a project or all of them what was noted of its sessions. */
  purging: <T>(target: PurgeTarget, purge: () => Promise<T>) => Promise<T>;
  /** What went wrong with noting, for a person. */
  problems: () => string[];
}

export function openSessionNotes(context: ProjectContext, watching: Watching): SessionNotes {
  const { place, opened, refusal } = watching;
  return {
    notedOf: async (given) => {
      const sessionId = cleanId(given) ?? "";
      const observer = await opened();
      await observer?.flush(sessionId);
      const live = observer?.pads(sessionId) ?? [];
      const spools = await place();
      if (!spools) return { pads: live };
      const noted = await (await import("../../observer/watch/watch.js")).readSpooledParts(spools, sessionId);
      return refusal() ? { ...noted, pads: [...noted.pads, ...live] } : noted;
    },
    noted: async (given, agent) => {
      const sessionId = cleanId(given) ?? "";
      const agentId = cleanId(agent);
      const observer = await opened();
      await observer?.flush(sessionId);
      const spools = await place();
      const { injectedIn, readInjected } = await import("../../observer/spool/spool.js");
      if (spools && !refusal()) return readInjected(spools, sessionId, agentId);
      return injectedIn(observer?.pads(sessionId) ?? [], agentId);
    },
    underWay: async () => {
      const [{ listRunningSessions }, spools, observer] = await Promise.all([
        import("../../observer/spool/spool.js"),
        place(),
        opened(),
      ]);
      const here = (observer?.sessions() ?? []).filter((id) => observer?.pads(id).some(isSeen));
      return new Set([...(spools ? await listRunningSessions(spools, Date.now()) : []), ...here]);
    },
    listNoted: async () => {
      const spools = await place();
      const { listSpools } = await import("../../observer/spool/spool.js");
      const noted = spools ? await listSpools(spools.home, spools) : [];
      const ids = noted.filter(({ hasFailed }) => !hasFailed).map(({ sessionId }) => sessionId);
      return new Set([...ids, ...watching.sessions()]);
    },
    purging: async (target, purge) => {
      // What is no target at all is refused by purge itself.
      const { all, project } = Object(target) as { all?: unknown; project?: unknown };
      const whose = all === true ? "all" : project === true ? "project" : undefined;
      const spools = await place();
      if (!spools || whose === undefined) return purge();
      const observer = await opened();
      await observer?.flush();
      const { purgeWithSpools } = await import("../../observer/spool/spool.js");
      const purged = await purgeWithSpools(context, spools, whose, purge);
      for (const sessionId of observer?.sessions() ?? []) {
        observer?.forget(sessionId);
        watching.states.forget(sessionId);
      }
      return purged;
    },
    problems: () => {
      const said = refusal();
      return said ? [`Sessions are not noted, since the disk refuses it: ${said.code ?? said.message}.`] : [];
    },
  };
}

/** Whether anything was seen of what an agent did, beside what Tacit itself noted. */
function isSeen({ start, analytics, prompts, sayings }: Scratchpad): boolean {
  return start?.agent !== undefined || analytics.toolCalls + prompts.length + sayings.length > 0;
}
