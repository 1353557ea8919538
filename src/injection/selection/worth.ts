import { memoryType } from "../../memory/type-registry/type-registry.js";
import type { Memory, Phase } from "../../memory/memory.js";
import { userProject } from "../../project/project.js";

/** Types that are told to nobody who did not ask for them: raw talk, and figures for Tacit's own use. */
export const notInjectedTypes = ["conversation", "archive", "context_cost", "prefetch_pattern"];

// Chosen, not measured: age, use, origin and place decide between memories that are equally sure and of like types.
const byAge = 0.3;
const halvedAfterDays = 90;
const byUse = 0.05;
const maxByUse = 0.25;
const taught = 1.2;
const elsewhere = 0.9;
const pinned = 10;

/** How much a memory is worth telling where no question is asked; pinned ones come before all others. */
export function worthOf(memory: Memory, { phase, now }: { phase?: Phase | undefined; now: Date }): number {
  const { type, currentConfidence, accessCount, createdAt, source, userVerified, project } = memory;
  const weight = phase === undefined ? 1 : (memoryType(type).weights[phase] ?? 1);
  const days = Math.max(0, now.getTime() - Date.parse(createdAt)) / 86_400_000;
  const recency = 1 - byAge * (1 - 0.5 ** (days / halvedAfterDays));
  const use = 1 + Math.min(maxByUse, byUse * Math.log2(1 + accessCount));
  const trust = userVerified || source === "user_taught" ? taught : 1;
  const place = project === userProject ? elsewhere : 1;
  return (memory.pinned ? pinned : 0) + weight * currentConfidence * recency * use * trust * place;
}
