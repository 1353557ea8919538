import { closeContradicted, listPossiblyContradicted } from "../../memory/contradictions/contradictions.js";
import type { MemoryContext } from "../../memory/change/change.js";
import { findMemory, type KeyedMemory } from "../../memory/read/read.js";
import type { LanguageModel } from "../../language-model/language-model.js";
import { readProject } from "../../project/project.js";
import { judgeContradictions } from "./judge-contradictions.js";

/** Has a model judge whether a memory contradicts older ones, and closes those that it does. False where it gave no answer. */
export async function checkMemory(context: MemoryContext, model: LanguageModel, id: string): Promise<boolean> {
  const found = await readProject(context, undefined, async (reader, project) => {
    const newer = await findMemory(reader, project, id, context.now());
    if (newer?.memory.status !== "active") return undefined;
    const olds = await listPossiblyContradicted(reader, project, { ...newer.record, key: newer.key }, context.now());
    const before = olds.filter((old) => isBefore(old, newer)).map(({ record }) => record);
    return { content: newer.record.content, olds: before.map(({ id: old, content }) => ({ id: old, content })) };
  });
  if (!found || found.olds.length === 0) return true;
  const judged = await judgeContradictions(model, found.content, found.olds);
  if (judged) await closeContradicted(context, id, judged);
  return judged !== undefined;
}

/** What was stated since is newer, and is looked at for itself. */
function isBefore(old: KeyedMemory, newer: KeyedMemory): boolean {
  const [then, now] = [old.record.updatedAt, newer.record.updatedAt];
  return then < now || (then === now && old.key < newer.key);
}
