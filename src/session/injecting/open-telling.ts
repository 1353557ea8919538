import { within } from "../../base/within.js";
import { emptyInjection, type Injection, type Moment } from "../../injection/injection.js";
import { cleanId } from "../../observer/spool/spool.js";
import { isFollowedBy, type SessionStates } from "../machine/machine.js";

/** Tells an agent what `choose` finds for a moment. Never throws: what went wrong is said in what it gives. */
export type Telling = (moment: Moment, choose: (moment: Moment) => Promise<Injection>) => Promise<Injection>;

/**
 * The steps of every injection: `tell`, choose and note, `told`. Of one agent they run one after the other, so that each knows
 * what the one before it has told. Whoever has waited for long goes ahead: what both tell is told by the one whose note stands
 * first.
 */
export function openTelling(states: SessionStates): Telling {
  const last = new Map<string, Promise<unknown>>();

  const inTurn: Telling = async (own, choose) => {
    const { sessionId, agentId } = own;
    const effects = states.advance({ kind: "tell", sessionId, agentId });
    const key = JSON.stringify([sessionId, cleanId(agentId)]);
    const before = last.get(key);
    const wait = effects.find((effect) => effect.do === "wait");
    const turn = (async () => {
      if (wait && before) await within(wait.maxMs, before, () => undefined);
      return isFollowedBy(effects, "choose") ? choose(own) : emptyInjection(own.point);
    })();
    const done = turn.catch(() => undefined);
    last.set(key, done);
    try {
      return await turn;
    } finally {
      states.advance({ kind: "told", sessionId, agentId });
      if (last.get(key) === done) last.delete(key);
    }
  };
  return async (moment, choose) => {
    try {
      const sessionId = cleanId(moment.sessionId);
      // What cannot be noted would be told again and again.
      return sessionId === undefined ? emptyInjection(moment.point) : await inTurn({ ...moment, sessionId }, choose);
    } catch (error) {
      return { ...emptyInjection(moment?.point), problem: error instanceof Error ? error.message : String(error) };
    }
  };
}
