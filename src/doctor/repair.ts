import { changeStore, type MemoryContext } from "../memory/change/change.js";
import { MemoryError } from "../base/memory-error.js";
import { hasDamage, quarantineDamage, type DamagedMemoryText } from "../memory/damage/damage.js";
import { rebuildIndexes } from "../memory/indexes/indexes.js";
import { repairVectors } from "../embedding/vectors/vectors.js";
import type { Check } from "./check.js";
import { countTexts, describeTexts } from "./describe-texts.js";

/** Quarantines damaged texts and rebuilds what is derived from rows. Undefined where there is no store. */
export async function repair(context: MemoryContext): Promise<Check | undefined> {
  const { store, now } = context;
  if (!store.exists) return undefined;
  // Looked for before, so that others do not wait for it. The disk of a server is the server's.
  const isDamaged = store.location.kind !== "remote" && (await hasDamage(store).catch(() => true));
  const rebuilt = changeStore(context, async (writer) => {
    const quarantined = isDamaged ? await quarantineDamage(writer, now()) : [];
    await rebuildIndexes(writer);
    await repairVectors(writer);
    return quarantined;
  });
  return rebuilt.then(toRepair, toFailedRepair);
}

/** What a repair did. */
function toRepair(quarantined: DamagedMemoryText[]): Check {
  const name = "repair";
  if (quarantined.length === 0) return { name, status: "ok", message: "the indexes were rebuilt" };
  return {
    name,
    status: "warning",
    message: `the indexes were rebuilt, and ${countTexts(quarantined)} quarantined: ${describeTexts(quarantined)}`,
    hint: "What is readable of them is kept. Their memories are flagged: `tacit list --status flagged` shows them, `tacit edit` or `tacit verify` brings one back.",
    damaged: quarantined,
  };
}

/** What to say of a store that could not be repaired. Whatever is not about damage is thrown on. */
function toFailedRepair(error: unknown): Check {
  if (error instanceof MemoryError && !["store-damaged", "store-failed"].includes(error.code)) throw error;
  return {
    name: "repair",
    status: "broken",
    message: `the damage goes deeper than texts and indexes, and nothing was changed: ${error instanceof Error ? error.message : String(error)}`,
    hint: "Keep a copy of the file. Go back to a back-up, or try to save what is readable with `tacit export` and import it into a new store.",
  };
}
