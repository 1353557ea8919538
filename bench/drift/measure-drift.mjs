import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Plants drifts in a project, through the public API alone: remember, index, change the files, index, look. Gives every memory
 * with what became of it.
 */
export async function measureDrift(memory, root, cases) {
  for (const { before } of cases) writeFiles(root, before);
  await memory.index();
  const told = cases.flatMap(({ kind, name, affected, unaffected }) =>
    [...affected, ...unaffected].map((one) => ({ kind, name, ...one })),
  );
  const kept = await memory.rememberMany(told.map(({ text, files }) => ({ content: text, relatedFiles: files })));
  await memory.index();
  const early = await memory.review.stale();
  for (const { after } of cases) writeFiles(root, after);
  const begun = performance.now();
  await memory.index();
  const indexedMs = Math.round(performance.now() - begun);
  const memories = [];
  for (const [at, one] of told.entries()) {
    const { drift = [] } = (await memory.get(kept[at].id)) ?? {};
    const found = drift.some(({ outcome }) => outcome === "doubt") ? "doubt" : drift.length > 0 ? "moved" : undefined;
    memories.push({ ...one, id: kept[at].id, found, reasons: drift.map(({ reason }) => reason) });
  }
  return { memories, early: early.inDoubt.length + early.moved.length, indexedMs };
}

export function writeFiles(root, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (text === null) rmSync(join(root, path));
    else writeFileSync(join(root, path), text);
  }
}

/** By kind of drift: how many of the affected memories were found, how many as they should, and how many others. */
export function countByKind(memories) {
  const counts = new Map();
  for (const { kind, outcome, found } of memories) {
    const count = counts.get(kind) ?? { affected: 0, flagged: 0, asRight: 0, unaffected: 0, wrongly: 0 };
    counts.set(kind, count);
    if (outcome === undefined) {
      count.unaffected += 1;
      if (found !== undefined) count.wrongly += 1;
      continue;
    }
    count.affected += 1;
    if (found !== undefined) count.flagged += 1;
    if (found === outcome) count.asRight += 1;
  }
  return counts;
}
