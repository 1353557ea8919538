import { type ProjectContext, readProject } from "../project/project.js";
import type { NotedInjections } from "../observer/spool/spool.js";
import type { InjectedSoFar } from "./injection.js";
import { injectedBefore, type InjectedAgent } from "./record/injection-queries.js";

/**
 * What an agent was told so far in a session: by what is noted of it now, and by what is known of it where it was learned
 * from already and then resumed.
 */
export async function injectedSoFar(
  context: ProjectContext,
  { injected, took, steps, isCompacted }: NotedInjections,
  agent: InjectedAgent,
): Promise<InjectedSoFar> {
  const before = await readProject(context, undefined, (reader, project) => injectedBefore(reader, project, agent));
  const ids = injected.flatMap(({ memories }) => memories.map(({ id }) => id));
  return {
    // What was summed up since may be told again.
    ids: new Set([...ids, ...(isCompacted ? [] : (before?.ids ?? []))]),
    // Each memory once: it is a cap on what is sent to an agent, not on how often that had to be sent again.
    tokens: [...new Map([...(before?.took ?? []), ...took]).values()].reduce((sum, tokens) => sum + tokens, 0),
    hasPrefetched: injected.some(({ files = 0 }) => files > 0) || (!isCompacted && before?.hasPrefetched === true),
    steps,
  };
}
