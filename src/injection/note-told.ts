import type { Deadline, Injection, InjectionPorts } from "./injection.js";

interface Telling {
  /** Undefined: nobody's, and nothing is noted. */
  sessionId: string | undefined;
  agentId?: string | undefined;
  deadline: Deadline;
}

/**
 * Notes what is being told; where another process told some of it meanwhile, it is put together again without that. Where it
 * cannot be noted, `unnoted` is told instead.
 */
export async function noteTold(
  ports: InjectionPorts,
  { sessionId, agentId, deadline }: Telling,
  injection: Injection,
  without: (taken: ReadonlySet<string>) => Injection,
  unnoted: Injection = injection,
): Promise<Injection> {
  if (sessionId === undefined || injection.text === "") return injection;
  // Nobody waits any more: it must not be noted as told. Nor may it be told, should no timer have fired yet.
  if (deadline.left() === 0) return { ...unnoted, isLate: true };
  const taken = await ports.record({ sessionId, ...(agentId !== undefined && { agentId }) }, injection);
  if (taken === undefined) return unnoted;
  return taken.size === 0 ? injection : without(taken);
}
