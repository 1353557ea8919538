import type { Memory } from "../../memory/memory.js";

/** What is known of the files that memories are about; one of which nothing is known is in neither. */
export interface FileCircumstances {
  /** In how many commits since the memory's own each file changed. */
  changes: ReadonlyMap<string, number>;
  modifiedAt: ReadonlyMap<string, Date | "gone">;
}

/** How far the world has moved on since a memory was written. */
export interface Staleness {
  /** 0.5 to 1: what its `currentConfidence` is to be multiplied with. */
  factor: number;
  /** Sentences for a person: what speaks for a second look. */
  marks: string[];
}

// Chosen, not measured: no corpus has both memories and the history of their files. Together they take half at most, so that
// a memory in doubt still comes before one that answers half as well.
const maxTaken = 0.5;
const takenByChanges = 0.3;
const commitsForHalf = 5;
const daysForReview = 30;
const dayMs = 86_400_000;

/**
 * Tells how stale a memory is, in five layers:
 *
 * 1. That it was flagged, superseded or let go takes half of its confidence; files that were there and are gone take up to
 *    half, in proportion to all of its files.
 * 2. Being unused past its half-life takes nothing here, since `currentConfidence` has lost that already. It is marked.
 * 3. Files that changed since its commit take up to 0.3: in proportion to all of its files, and half of it at five commits.
 * 4. Files written more than 30 days after it take nothing, and are marked where git knows nothing of them: a fresh clone
 *    has just written every file.
 * 5. What it says of a symbol or a file, and what the code says otherwise now, takes half; what only moved takes nothing. Both
 *    are marked.
 *
 * @example
 * staleness(memory, { changes: new Map([["src/a.ts", 5]]), modifiedAt: new Map() })
 * // { factor: 0.85, marks: ["src/a.ts changed in 5 commits since this was written"] }
 */
export function estimateStaleness(memory: Memory, circumstances: FileCircumstances): Staleness {
  const layers = [
    byStatus(memory),
    byDrift(memory),
    byGoneFiles(memory, circumstances),
    byDisuse(memory),
    byChanges(memory, circumstances),
    byModification(memory, circumstances),
  ].filter((layer) => layer !== undefined);
  const taken = layers.reduce((sum, layer) => sum + layer.taken, 0);
  return { factor: 1 - Math.min(maxTaken, taken), marks: layers.map(({ mark }) => mark) };
}

interface Layer {
  taken: number;
  mark: string;
}

function byStatus({ status, review }: Memory): Layer | undefined {
  if (status === "active") return undefined;
  const reason = review.reason === undefined ? "" : `: ${review.reason}`;
  return { taken: maxTaken, mark: `this is ${status}${reason}` };
}

function byDrift({ drift = [] }: Memory): Layer | undefined {
  const [first, ...others] = drift.toSorted((a, b) => (a.outcome < b.outcome ? -1 : 1));
  if (!first) return undefined;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return {
    taken: first.outcome === "doubt" ? maxTaken : 0,
    mark: `${first.outcome === "doubt" ? "in doubt" : "moved"}: ${first.reason}${more}`,
  };
}

/** Files that were there: git has seen them go since. What never was in the work tree may be still to come. */
function byGoneFiles({ relatedFiles }: Memory, { changes, modifiedAt }: FileCircumstances): Layer | undefined {
  const isGone = (name: string) => modifiedAt.get(name) === "gone" && (changes.get(name) ?? 0) > 0;
  const [file, ...others] = relatedFiles.filter(isGone);
  if (file === undefined) return undefined;
  return {
    taken: (maxTaken * (1 + others.length)) / relatedFiles.length,
    mark: `${file} is not in the work tree${alsoOf(others, "are not")}`,
  };
}

function byDisuse({ confidence, currentConfidence, halfLifeDays }: Memory): Layer | undefined {
  if (halfLifeDays === undefined || confidence === 0 || currentConfidence > confidence / 2) return undefined;
  return { taken: 0, mark: `this was not used for its half-life of ${halfLifeDays} days` };
}

function byChanges({ relatedFiles }: Memory, { changes, modifiedAt }: FileCircumstances): Layer | undefined {
  const changed = relatedFiles
    .map((file) => ({ file, commits: changes.get(file) ?? 0 }))
    .filter(({ file, commits }) => commits > 0 && modifiedAt.get(file) !== "gone")
    .toSorted((a, b) => b.commits - a.commits);
  const [most, ...others] = changed;
  if (!most) return undefined;
  const extent = changed.reduce((sum, { commits }) => sum + commits / (commits + commitsForHalf), 0);
  const times = most.commits === 1 ? "1 commit" : `${most.commits} commits`;
  return {
    taken: (takenByChanges * extent) / relatedFiles.length,
    mark: `${most.file} changed in ${times} since this was written${alsoOf(others, "changed")}`,
  };
}

function byModification(memory: Memory, { changes, modifiedAt }: FileCircumstances): Layer | undefined {
  const writtenAt = Math.max(Date.parse(memory.createdAt), Date.parse(memory.updatedAt));
  const [newer, ...others] = memory.relatedFiles.flatMap((file) => {
    const time = modifiedAt.get(file);
    if (time === undefined || time === "gone" || changes.has(file)) return [];
    const days = Math.floor((time.getTime() - writtenAt) / dayMs);
    return days > daysForReview ? [{ file, days }] : [];
  });
  if (!newer) return undefined;
  const { file, days } = newer;
  return { taken: 0, mark: `${file} was modified ${days} days after this${alsoOf(others, "were")}: worth a look` };
}

function alsoOf(others: readonly unknown[], did: string): string {
  return others.length === 0 ? "" : `, and ${others.length} more of its files ${did}`;
}

const halvesSlowestInDays = 365;
const halvesFastestInDays = 30;
const commitsForTwiceAsFast = 4;

/**
 * How recent the last use of a memory is, from 1 for now towards 0. It halves in a year where its files never change, twice
 * as fast where each of them changes four times in 90 days, and in 30 days at the fastest. `churnOfFiles` are the commits of
 * each of its files in the last 90 days; none where there are no files, or nothing is known of them.
 *
 * The numbers are chosen, not measured. It says nothing about whether a memory answers a question: whoever weighs it must
 * keep it below what does.
 *
 * @example
 * recencyFactor("2026-11-15T08:00:00.000Z", [0, 8], new Date("2027-05-16T20:00:00.000Z")) // 0.5
 */
export function recencyFactor(lastUsedAt: string, churnOfFiles: readonly number[], now: Date): number {
  const days = Math.max(0, now.getTime() - Date.parse(lastUsedAt)) / dayMs;
  const churn = churnOfFiles.reduce((sum, commits) => sum + commits, 0) / Math.max(1, churnOfFiles.length);
  const halvesInDays = Math.max(halvesFastestInDays, halvesSlowestInDays / (1 + churn / commitsForTwiceAsFast));
  return 0.5 ** (days / halvesInDays);
}
