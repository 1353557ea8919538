import { checkName, type FieldCleaner } from "../../memory/prepare/prepare.js";
import type { ReleasedNames, Relation, Review } from "../../memory/memory.js";

/** A name and aliases as they may be stored; what is the name is no alias. */
export async function cleanNames(cleaner: FieldCleaner, { name, aliases }: ReleasedNames): Promise<ReleasedNames> {
  const own = name === null ? null : checkName(await cleaner.label(name, "name"));
  const others = (await cleaner.labels(aliases, "alias")).map(checkName);
  return { name: own, aliases: [...new Set(others)].filter((alias) => alias !== own).toSorted() };
}

export async function cleanRelations(cleaner: FieldCleaner, relations: readonly Relation[] = []): Promise<Relation[]> {
  const cleaned: Relation[] = [];
  for (const relation of relations) cleaned.push(await cleaner.relation(relation));
  return cleaned;
}

export async function cleanReview(
  cleaner: FieldCleaner,
  { state, reason }: Review = { state: "none" },
): Promise<Review> {
  return { state, ...(reason !== undefined && { reason: await cleaner.text(reason, "reason") }) };
}
