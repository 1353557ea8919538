import type { ProjectContext } from "../../project/project.js";
import { checkMemory, type Trees, type Verdict } from "./check-memory.js";
import {
  listPages,
  markOf,
  putVerdicts,
  type MemoriesToCheck,
  type KnownMemory,
  type NewVerdict,
} from "./ground-queries.js";
import { listClaims } from "./list-claims.js";
import { openTreeLookup } from "./tree-lookup.js";
import { openResolver, type ResolvedClaim } from "./resolve-claims.js";
import type { CodeView } from "./grounds.js";

export interface CheckOptions {
  movedTo?: Trees["movedTo"];
  /** A person has just found these true: what they rest on is what there is now. */
  anew?: boolean;
  /** Memories were just kept, and the index may not know yet what they name: they are looked at once more. */
  isFirst?: boolean;
}

/** A work tree, and the others of the project that are still there. */
export interface Views {
  here: CodeView;
  others?: readonly CodeView[];
}

export interface CheckReport {
  checked: number;
}

/**
 * Compares memories with the code of a work tree, and keeps what speaks against each, or no longer does. Of a memory that is
 * new or has another text it is noted what it rests on. Never changes a memory: neither history nor time of change tells of
 * it. Views remember what they have seen, so that each look opens its own.
 */
export async function checkMemories(
  context: ProjectContext,
  which: MemoriesToCheck,
  openViews: () => Views,
  options: CheckOptions = {},
): Promise<CheckReport> {
  const { checked, overtaken } = await checkOnce(context, which, openViews(), options);
  // Whoever was overtaken may know of a move that the other one did not.
  for (let keys = overtaken, tries = 1; keys.length > 0 && tries < maxTries; tries += 1) {
    ({ overtaken: keys } = await checkOnce(context, { keys }, openViews(), options));
  }
  return { checked };
}

// Each time somebody else was quicker, so that what is stored is theirs.
const maxTries = 4;

async function checkOnce(
  context: ProjectContext,
  which: MemoriesToCheck,
  { here, others = [] }: Views,
  { movedTo = () => undefined, anew = false, isFirst = false }: CheckOptions,
): Promise<CheckReport & { overtaken: number[] }> {
  const trees: Trees = { here: openTreeLookup(here), others: others.map(openTreeLookup), movedTo };
  const report = { checked: 0, overtaken: [] as number[] };
  for await (const page of listPages(context, which)) {
    report.checked += page.length;
    const resolve = await openResolver(here, page);
    await trees.here.lookForGone(page.flatMap(({ verdict }) => [...verdict.grounds]));
    const verdicts: NewVerdict[] = [];
    for (const memory of page) {
      const isKnown = !anew && memory.mark === markOf(memory);
      const before = isKnown ? memory.verdict : nothing;
      const places = resolve(memory);
      const verdict = await checkMemory(memory, before, places, trees);
      const isWaiting = isFirst && !isKnown && mayFindMore(memory, places);
      if (!isKnown || isWaiting !== memory.isWaiting || !isSame(verdict, memory.verdict)) {
        verdicts.push({ memory, verdict, isWaiting });
      }
    }
    if (verdicts.length === 0) continue;
    report.overtaken.push(...(await context.store.write((writer) => putVerdicts(writer, verdicts, context.now()))));
  }
  return report;
}

const nothing: Verdict = { grounds: new Map(), findings: [] };

/** Whether a text names something that is not there yet, as far as the index knows. */
function mayFindMore({ content, relatedFiles }: KnownMemory, places: readonly ResolvedClaim[]): boolean {
  const { names, files, scripts } = listClaims(content);
  const found = places.filter(({ by }) => by === "text").length;
  return names.length + files.length + scripts.length > found || relatedFiles.length > places.length - found;
}

function isSame(one: Verdict, other: Verdict): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ grounds, findings }: Verdict): string {
  const byNode = <T extends readonly [string, unknown]>(list: T[]) => list.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    byNode([...grounds]),
    byNode(findings.map(({ node, outcome, reason }) => [node, [outcome, reason]] as const)),
  ]);
}
