import type { MemoryRecord, TrustFlag } from "../../memory/memory.js";
import { taintedFields } from "../../memory/remember/remember.js";
import type { ArrivalRules } from "./intake.js";

/** What of a record's claims is a claim of trust. */
type Claims = Pick<MemoryRecord, "userVerified" | "pinned" | "source" | "trustFlags" | "review" | "confidence">;
type Settled = Claims & Pick<MemoryRecord, "type" | "name" | "aliases" | "relations" | "sessionId" | "commit">;

/**
 * Takes from a record what it says of itself that only a person can say: that it was verified, that it is pinned, that the user taught it.
 * What an agent brings is the agent's word, as far as the agent is trusted. True where something was taken away.
 */
export function settleClaims(record: Settled, rules: ArrivalRules & { isOfPeople: boolean }): boolean {
  const { keepsClaims, isByAgent, isOfPeople, doubt, unverified } = rules;
  if (keepsClaims) return false;
  const isTaught = record.source === "user_taught" && !isOfPeople;
  const claims = record.userVerified || record.pinned || isTaught;
  record.userVerified = false;
  record.pinned = false;
  if (isTaught || isByAgent) record.source = "agent_explicit";
  // What waits is released with its session's work. Turns are found by their session.
  if (isByAgent && record.type !== "conversation" && record.type !== "archive") {
    delete record.sessionId;
    delete record.commit;
  }
  if (doubt !== undefined) {
    Object.assign(record, taintedFields(record, doubt), { aliases: [], relations: [] });
    delete record.name;
  } else if (unverified !== undefined) {
    record.trustFlags = [...new Set<TrustFlag>([...record.trustFlags, "unverified"])].toSorted();
    record.review = { state: "pending", reason: unverified };
  }
  return claims;
}
