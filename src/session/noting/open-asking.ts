import type { Caller } from "../../base/actor.js";
import {
  agentsAbove,
  beganInCall,
  isHookProcess,
  openSpoolPlace,
  ownSessions,
  type AgentAbove,
  type AgentRecord,
} from "../../observer/spool/spool.js";
import type { DistrustCheck } from "../../observer/trust/trust.js";
import { identifyFolder } from "../../project/folder/identify-folder.js";
import type { ProjectContext, ProjectHint } from "../../project/project.js";
import type { SessionPlace } from "./open-watching.js";

/** Who asks, by the processes that this one comes from. */
export interface Asking {
  /** Who is behind a call, whoever was named: what an agent has started, directly or not, speaks for that agent. */
  callerFor: (given: Caller) => Caller;
  /** For each text why the sessions of those agents speak against it; undefined where no agent has started this process. */
  listReasonsAbove: (texts: readonly { content: string }[]) => Promise<(string | undefined)[] | undefined>;
  /** Whether a session is one of this process, or of an agent that started it; undefined where the system does not tell. */
  isProven: (sessionId: string) => boolean | undefined;
}

/** Asked anew each time: after /clear an agent's process has another session, and a server stays. */
export function openAsking(context: ProjectContext, where: SessionPlace): Asking {
  const place = openSpoolPlace(where);
  const above = (): AgentAbove[] => (place ? agentsAbove(place) : []);
  const isOwn = (sessionId: string) =>
    place !== undefined && ownSessions(place).some((session) => session.sessionId === sessionId);
  return {
    callerFor: (given) => {
      const agents = above();
      if (agents.length === 0 || isHook(agents)) return given;
      const ids = agents.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId));
      const { sessionId, name } = given.kind === "agent" ? given : {};
      if (sessionId !== undefined && (ids.includes(sessionId) || isOwn(sessionId))) return given;
      const [newest] = ids;
      return {
        kind: "agent",
        ...(newest !== undefined && { sessionId: newest }),
        ...(name !== undefined && { name }),
      };
    },
    listReasonsAbove: async (texts) => {
      const agents = above();
      if (agents.length === 0) return undefined;
      const checks = await Promise.all(agents.flatMap(({ sessions }) => sessions).map((one) => checkOf(context, one)));
      return texts.map(({ content }) => {
        return checks.map((findReason) => findReason(content)).find((reason) => reason !== undefined);
      });
    },
    isProven: (sessionId) => {
      if (process.platform !== "linux") return undefined;
      return isOwn(sessionId) || above().some(({ sessions }) => sessions.some((one) => one.sessionId === sessionId));
    },
  };
}

/** The process of a hook tells what a person typed: it alone is started by the agent and not by one of its commands. */
function isHook(agents: readonly AgentAbove[]): boolean {
  return isHookProcess() && !agents.some((one) => beganInCall(one));
}

/**
 * What a session has read is noted where it works, wherever its commands go. What others committed there goes with it as well:
 * into another project nothing of it is taken over, and where it works no word of it. There it may change what is known.
 */
export async function checkOf(context: ProjectContext, session: AgentRecord): Promise<DistrustCheck> {
  const { sessionId, root, project } = session;
  const [{ readSpooledParts }, { findForeignReason, openDistrustCheck, unwatchedReason }, folder] = await Promise.all([
    import("../../observer/watch/watch.js"),
    import("../../observer/trust/trust.js"),
    identifyFolder(root),
  ]);
  if (session.isUnwatched) return () => unwatchedReason;
  const hint = project === undefined ? { folder } : { id: project };
  const there: ProjectContext = { ...context, project: hint, folder: async () => folder };
  const parts = { sessionId, root, ...(await readSpooledParts(session, sessionId)) };
  const findReason = await openDistrustCheck(there, parts);
  const isHere = isSame(hint, context.project) && (await context.folder()).root === folder.root;
  const reason = await findForeignReason(there, { ...parts, isHere });
  return (content) => findReason(content) ?? (isHere && content === "" ? undefined : reason);
}

function isSame(one: ProjectHint, other: ProjectHint): boolean {
  if ("id" in one || "id" in other) return "id" in one && "id" in other && one.id === other.id;
  return one.folder.root === other.folder.root;
}
