import { within } from "../../base/within.js";
import { decayedConfidence } from "../../memory/record/record.js";
import { userProject } from "../../project/project.js";
import { withoutRepeatedQuery } from "./without-repeated-query.js";
import { isArchive } from "../candidates/candidate.js";
import { isConversation, storedBeforeTurns } from "./stored-before-turns.js";
import type { Evidence } from "./evidence.js";
import type { Weights } from "../retrieval.js";
import type { RecallPorts, Search } from "../candidates/search.js";
import { round, unweighed, weigh, weighed } from "./weigh.js";

/** A candidate with its score. */
export interface RankedCandidate extends Evidence {
  score: number;
  weights: Weights;
  /** What is left of its confidence. */
  confidence: number;
  /** What the reranker said, where one was asked. */
  reranked?: number;
}

export interface Ranking {
  ranked: RankedCandidate[];
  /** Whether the code around lifted anything. */
  isLifted: boolean;
  /** Whether that changed the first eight. */
  codeChangedTop: boolean;
}

// From the seed of the product: the code around the first ten lifts those from eleven to fifty.
const lifting = 10;
const lifted = 50;
const maxLift = 0.3;
const top = 8;
// What git knows of the files is worth a moment, not a wait; it goes on meanwhile, for the next query.
const churnWaitMs = 30;

/** The candidates, in any order, with what speaks for them: best first. */
export async function rank(search: Search, found: readonly Evidence[]): Promise<Ranking> {
  const fitting = found.filter(({ evidence }) => evidence > 0);
  const churn = await lookUpChurn(search, fitting);
  const today = new Date(search.now.toISOString().slice(0, 10));
  const scored = inOrder(fitting.map((one) => toRanked(search, one, churn, today)));
  const ranked = withoutRepeatedQuery(
    storedBeforeTurns(scored, search.options).toSorted(byScore),
    search.query,
    search.options,
  );
  const around = await findNeighbourFiles(search.ports, filesOf(ranked.slice(0, lifting)));
  if (around.size === 0) return { ranked, isLifted: false, codeChangedTop: false };
  const afterwards = ranked
    .map((one, index) => (index < lifting || index >= lifted ? one : liftByCode(one, around)))
    .toSorted(byScore);
  return {
    ranked: afterwards,
    isLifted: afterwards.some(({ lifts }) => lifts.code > 1),
    codeChangedTop: ranked.slice(0, top).some((one, index) => !isSame(one, afterwards[index])),
  };
}

/** The files around these, where a graph knows of any. */
export async function findNeighbourFiles(
  { codeGraph }: RecallPorts,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!codeGraph || files.length === 0) return new Set();
  return new Set(await (await import("../candidates/code-graph.js")).filesAround(codeGraph, files));
}

function toRanked(
  { options, now, isInUser }: Search,
  one: Evidence,
  churn: ReadonlyMap<string, number>,
  today: Date,
): RankedCandidate {
  const { candidate, evidence } = one;
  const { facts, project } = candidate;
  const { halfLifeDays, lastUsedAt } = facts;
  const weights = weigh(facts, {
    ...(options.phase !== undefined && { phase: options.phase }),
    isFromUser: project.id === userProject && !isInUser,
    churn: facts.relatedFiles.flatMap((file) => churn.get(file) ?? []),
    now,
    today,
  });
  return {
    ...one,
    weights,
    score: candidate.paths.name ? 1 : weighed(evidence, weights),
    confidence: decayedConfidence(facts.confidence, { halfLifeDays, pinned: false, lastUsedAt }, now),
  };
}

async function lookUpChurn({ ports }: Search, found: Evidence[]): Promise<ReadonlyMap<string, number>> {
  const files = filesOf(found.filter(({ candidate }) => candidate.project.id !== userProject));
  if (!ports.fileChanges || files.length === 0) return new Map();
  const known = ports.fileChanges().then((changes) => changes.churn(files));
  return within(churnWaitMs, known, () => new Map<string, number>());
}

function filesOf(found: Evidence[]): string[] {
  return [...new Set(found.flatMap(({ candidate }) => candidate.facts.relatedFiles))];
}

/** In proportion to how many of its files are near; strong evidence hardly moves, none stays none. */
function liftByCode(one: RankedCandidate, around: ReadonlySet<string>): RankedCandidate {
  const { relatedFiles } = one.candidate.facts;
  const near = relatedFiles.filter((file) => around.has(file)).length;
  if (near === 0) return one;
  const code = 1 + (maxLift * near) / relatedFiles.length;
  return { ...one, lifts: { ...one.lifts, code }, score: round(1 - (1 - one.score) ** code) };
}

function inOrder(ranked: RankedCandidate[]): RankedCandidate[] {
  return foldArchives(ranked).toSorted(byScore);
}

// Behind all of them nobody sees it. On LoCoMo with archives, R@5 by words is 69.8, 69.9, 69.9 behind one, two and three, and R@10
// the same, with 0.22, 0.21 and 0.19 archives among the first ten; with meaning it makes no difference (2026-11).
const turnsBefore = 2;

/** An archive is a copy of its turns: it stands behind the best of those that match by themselves, however much it repeats. */
function foldArchives(ranked: RankedCandidate[]): RankedCandidate[] {
  const scoresOf = new Map<number, number[]>();
  for (const { candidate, score } of ranked) {
    const { archive, paths } = candidate;
    if (archive === undefined || !(paths.words || paths.meaning)) continue;
    scoresOf.set(archive, [...(scoresOf.get(archive) ?? []), score].toSorted((a, b) => b - a).slice(0, turnsBefore));
  }
  if (scoresOf.size === 0) return ranked;
  return ranked.map((one) => {
    const most = scoresOf.get(one.candidate.key)?.at(-1);
    if (most === undefined || one.score <= most || one.candidate.paths.name) return one;
    const evidence = unweighed(most, one.weights);
    const turns = (one.lifts.turns * evidence) / one.evidence;
    return { ...one, score: most, evidence, lifts: { ...one.lifts, turns, code: 1 } };
  });
}

/** Among equals what is called like the query, then what was kept, then what sums up nothing, then the project's own, then the newest. */
function byScore(a: RankedCandidate, b: RankedCandidate): number {
  return (
    b.score - a.score ||
    Number(b.candidate.paths.name !== undefined) - Number(a.candidate.paths.name !== undefined) ||
    Number(isConversation(a)) - Number(isConversation(b)) ||
    Number(isArchive(a.candidate.facts)) - Number(isArchive(b.candidate.facts)) ||
    b.weights.place - a.weights.place ||
    b.candidate.key - a.candidate.key
  );
}

function isSame(one: RankedCandidate, other: RankedCandidate | undefined): boolean {
  return one.candidate.key === other?.candidate.key;
}
