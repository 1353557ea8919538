import { agentsAbove, openSpoolPlace } from "../../observer/spool/spool.js";
import type { SessionPlace } from "./open-watching.js";

/**
 * Whether a command of an agent brings the model that it asks: as an option, or by a configuration in another folder than the one
 * in which its agent's sessions are noted. What such a model says, the command says.
 */
export function bringsModel(where: SessionPlace, hasOwn: boolean): boolean {
  const place = openSpoolPlace(where);
  const sessions = place ? agentsAbove(place).flatMap((one) => one.sessions) : [];
  return sessions.length > 0 && (hasOwn || !sessions.some(({ home }) => home === where.home));
}
