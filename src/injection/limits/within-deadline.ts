import { within } from "../../base/within.js";
import type { Deadline, Injection, InjectionPorts } from "../injection.js";

/**
 * What `work` puts together, or `nothing` where the deadline is over first; it says then that it is late. What is being noted as
 * told is waited for, which takes some milliseconds: noted and not told, it would not come again in the session.
 */
export async function withinDeadline<T extends Injection>(
  ports: InjectionPorts,
  deadline: Deadline,
  nothing: T,
  work: (ports: InjectionPorts) => Promise<T>,
): Promise<T> {
  let isNoting = false;
  const record: InjectionPorts["record"] = async (...told) => {
    isNoting = true;
    return ports.record(...told);
  };
  const working = work({ ...ports, record });
  return await within(deadline.left(), working, () => (isNoting ? working : { ...nothing, isLate: true }));
}

export function openDeadline(ms: number): Deadline {
  const end = performance.now() + ms;
  return { left: () => Math.max(0, end - performance.now()) };
}
