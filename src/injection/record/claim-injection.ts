import type { Deadline, Injection, InjectionPorts } from "../injection.js";

interface InjectionClaim {
  /** Undefined: nobody's, and nothing is noted. */
  sessionId: string | undefined;
  agentId?: string | undefined;
  deadline: Deadline;
}

/**
 * Notes what is being told; where another process told some of it meanwhile, it is put together again without that. `nothing`
 * is told where the deadline is over, whether a timer has fired yet or not, and where it cannot be noted: it would be told
 * again and again.
 */
export async function claimInjection(
  ports: Pick<InjectionPorts, "record">,
  { sessionId, agentId, deadline }: InjectionClaim,
  injection: Injection,
  without: (taken: ReadonlySet<string>) => Injection,
  nothing: Injection,
): Promise<Injection> {
  // Nobody waits any more, so it must not be noted as told.
  if (deadline.left() === 0) return { ...nothing, isLate: true };
  if (sessionId === undefined || injection.text === "") return injection;
  const taken = await ports.record({ sessionId, ...(agentId !== undefined && { agentId }) }, injection);
  if (taken === undefined) return nothing;
  return taken.size === 0 ? injection : without(taken);
}
