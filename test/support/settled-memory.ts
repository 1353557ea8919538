import type { Memory } from "../../src/memory/memory.js";

/** A memory without what moves with every change and every look, and without the links that Tacit finds by itself. */
export function settled(memory: (Memory & { merged?: boolean }) | undefined): unknown {
  if (!memory) return undefined;
  const { updatedAt: _at, lastAccessedAt: _used, accessCount: _count, currentConfidence: _left, ...stays } = memory;
  const { merged: _merged, relations, ...others } = stays;
  return { ...others, relations: relations.filter(({ automatic }) => !automatic) };
}
