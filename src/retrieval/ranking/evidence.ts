import { fitOfTime, type AskedTime } from "../query/asked-time.js";
import { isArchive, isTurn, type Candidate } from "../candidates/candidate.js";
import { pathWeights } from "../query/query-kind.js";
import type { Explanation, QueryKind } from "../retrieval.js";
import { strengthOf, sumOf, type WordShares } from "../keywords/score-words.js";
import type { NeighbouringTurns } from "../candidates/neighbouring-turns.js";

/** What speaks for a candidate. */
export interface Evidence {
  candidate: Candidate;
  /** 0 to 1, before anything is weighed but the question. */
  evidence: number;
  /** How much more or less there is of it for what stands around the memory. */
  lifts: Explanation["lifts"];
}

/** What recall reads out of a query. */
export interface ParsedQuery {
  kind: QueryKind;
  /** Whether embeddings are compared at all. */
  isSemantic: boolean;
  /** Whom it names of those who speak. */
  speaker?: string;
  /** The times that it names. */
  times: AskedTime[];
}

// How much the turns around count, and the session. On LoCoMo's half for tuning and on the other, everything between half
// and one and a half times these numbers stays within a point; without them R@10 by words is 62 instead of 77 (2026-11).
const wordsBefore = [0.7, 0.4];
const wordsAfter = [0.5, 0.3];
const meaningBeside = [0.2, 0.1];
// A word that is here and beside says little more than one that is here.
const repeated = 0.25;
const sessionShare = 0.3;
// That the archive of a turn means something similar. On LoCoMo with archives, R@5 is 72.8, 73.0, 73.4, 73.2 and R@10 80.7, 80.9,
// 81.0, 80.8 at 0, 0.03, 0.05, 0.1 (2026-11).
const archiveMeaning = 0.05;
// An archive has its words from its session. On LoCoMo, R@10 of its turns is 80.8, 80.8, 81.0, 81.0 with meaning and 77.4, 77.5,
// 77.6, 77.6 by words at 1.3, 1.2, 1.1, 1, and 80.8 and 76.5 without archives; at 1 what sums up an answer is often not among
// the first eight (2026-11).
const archiveWords = 1.1;
// What somebody else says about a person counts less than what the person says.
const otherSpeaker = 0.7;

/**
 * Weighs what words, meanings and code say for each candidate, with the turns around it in its session: a question is often
 * answered in the turn after the one that has its words. Each path counts in proportion to its best candidate, since neither
 * a share of words nor a cosine has a scale of its own.
 */
export function gatherEvidence(
  candidates: ReadonlyMap<number, Candidate>,
  beside: ReadonlyMap<number, NeighbouringTurns>,
  query: ParsedQuery,
): Evidence[] {
  const sessions = bestOfSessions(candidates);
  const found = [...candidates.values()].map((candidate) => {
    const neighbours = neighboursOf(candidate, beside, candidates);
    return {
      candidate,
      own: { words: wordsWithTurns(candidate, [], new Map()), meaning: nearness(candidate) },
      share: sumOf(candidate.shares),
      similarity: Math.max(0, candidate.similarity ?? 0),
      words: wordsWithTurns(candidate, neighbours, sessions),
      meaning: meaningWithTurns(candidate, neighbours, candidates),
      code: candidate.paths.code?.strength ?? 0,
    };
  });
  const best = {
    words: highest(found.map(({ words }) => words)),
    meaning: query.isSemantic ? highest(found.map(({ meaning }) => meaning)) : 0,
    code: highest(found.map(({ code }) => code)),
  };
  // That a file is in play has a scale of its own: a mere neighbour does not count in full because no better is there.
  const combine = proportionTo({ ...best, code: best.code > 0 ? 1 : 0 }, query.kind);
  const highestTogether = highest(found.map((one) => combine(one, one.candidate)));
  const strength = Math.max(
    strengthOf(highest(found.map(({ share }) => share))),
    highest(found.map(({ similarity }) => (query.isSemantic ? similarity : 0))),
    best.words === 0 && best.meaning === 0 ? codeAlone * best.code : 0,
  );
  return found.map(({ candidate, own, ...all }) => {
    if (candidate.paths.name) return { candidate, evidence: 1, lifts: { turns: 1, speaker: 1, time: 1, code: 1 } };
    const alone = combine({ ...own, code: all.code }, candidate);
    const together = combine(all, candidate);
    const speaker = isOther(candidate, query.speaker) ? otherSpeaker : 1;
    const time = fitOfTime(query.times, candidate.facts.createdAt);
    return {
      candidate,
      evidence: Math.min(1, (together / (highestTogether || 1)) * speaker * time * strength),
      lifts: {
        turns: alone === 0 ? (together > 0 ? maxLift : 1) : Math.min(maxLift, together / alone),
        speaker,
        time,
        code: 1,
      },
    };
  });
}

// That a memory is about a file in play is a hint, not an answer.
const codeAlone = 0.5;

// For the explanation only: a turn that has nothing of its own is lifted without bounds.
const maxLift = 10;

interface PathValues {
  words: number;
  meaning: number;
  code: number;
}

/**
 * A path that found nothing for anybody counts for nobody, and meaning not for a memory that has no vector yet: it was just
 * remembered, and its words must do.
 */
function proportionTo(best: PathValues, kind: QueryKind): (values: PathValues, candidate: Candidate) => number {
  const weights = pathWeights[kind];
  const paths = (["words", "meaning", "code"] as const).filter((path) => best[path] > 0);
  return (values, { similarity }) => {
    let [sum, total] = [0, 0];
    for (const path of paths) {
      if (path === "meaning" && similarity === undefined) continue;
      sum += (weights[path] * values[path]) / best[path];
      total += weights[path];
    }
    return total === 0 ? 0 : sum / total;
  };
}

interface Neighbour {
  candidate: Candidate;
  words: number;
  meaning: number;
}

function neighboursOf(
  { key }: Candidate,
  beside: ReadonlyMap<number, NeighbouringTurns>,
  candidates: ReadonlyMap<number, Candidate>,
): Neighbour[] {
  const { before = [], after = [] } = beside.get(key) ?? {};
  const side = (keys: number[], weights: number[]) =>
    keys.flatMap((other, step) => {
      const candidate = candidates.get(other);
      return candidate ? [{ candidate, words: weights[step] ?? 0, meaning: meaningBeside[step] ?? 0 }] : [];
    });
  return [...side(before, wordsBefore), ...side(after, wordsAfter)];
}

/** Word by word: what the turns around have of the question's words stands in for what this one lacks. */
function wordsWithTurns(
  candidate: Candidate,
  neighbours: Neighbour[],
  sessions: ReadonlyMap<string, WordShares>,
): number {
  const { shares } = candidate;
  // What is no turn is a session of its own, or turns would come before it for being turns.
  if (!isTurn(candidate.facts)) return (isArchive(candidate.facts) ? archiveWords : 1 + sessionShare) * sumOf(shares);
  const session = sessions.get(sessionName(candidate));
  let sum = 0;
  shares.forEach((own, word) => {
    let around = 0;
    for (const { candidate: other, words } of neighbours) around = Math.max(around, words * (other.shares[word] ?? 0));
    sum += Math.max(own, around) + repeated * Math.min(own, around) + sessionShare * (session?.[word] ?? 0);
  });
  return sum;
}

function meaningWithTurns(
  candidate: Candidate,
  neighbours: Neighbour[],
  candidates: ReadonlyMap<number, Candidate>,
): number {
  const archive = candidate.archive === undefined ? undefined : candidates.get(candidate.archive);
  let sum = nearness(candidate) + (archive ? archiveMeaning * nearness(archive) : 0);
  for (const { candidate: other, meaning } of neighbours) sum += meaning * nearness(other);
  return sum;
}

function nearness({ refined, similarity = 0 }: Candidate): number {
  return Math.max(0, refined ?? similarity);
}

/** For each session the best that any of its turns, or an archive of it, has of each word. */
function bestOfSessions(candidates: ReadonlyMap<number, Candidate>): Map<string, WordShares> {
  const sessions = new Map<string, WordShares>();
  for (const candidate of candidates.values()) {
    const { shares } = candidate;
    if (!isTurn(candidate.facts) && !isArchive(candidate.facts)) continue;
    const name = sessionName(candidate);
    const best = sessions.get(name);
    if (best) shares.forEach((share, word) => (best[word] = Math.max(best[word] ?? 0, share)));
    else sessions.set(name, shares.slice());
  }
  return sessions;
}

/** A session is one within its project: the project `user` may have one of the same id. */
function sessionName({ project, facts }: Candidate): string {
  return `${project.number} ${facts.sessionId}`;
}

function isOther({ facts }: Candidate, speaker: string | undefined): boolean {
  return speaker !== undefined && facts.type === "conversation" && facts.speaker !== speaker;
}

function highest(values: number[]): number {
  return values.reduce((best, value) => Math.max(best, value), 0);
}
