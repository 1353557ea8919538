import { cutQuery, queryWords } from "../base/text/text.js";
import { checkFilter, filterConditions, type FilterSql, withRelativeFiles } from "../memory/read/read.js";
import { sureEnoughSql } from "../memory/record/record.js";
import { findProject, type Project, type ProjectContext, userProject } from "../project/project.js";
import type { EmbeddedQuery } from "../embedding/vectors/vectors.js";
import type { Reader } from "../storage/storage.js";
import { findAskedTimes } from "./query/asked-time.js";
import { isArchive } from "./candidates/candidate.js";
import { gatherEvidence, type Evidence, type ParsedQuery } from "./ranking/evidence.js";
import { checkQuery } from "./query/explain-query.js";
import {
  findNeighbouringTurns,
  findByCode,
  findByWords,
  type Candidates,
  type SearchScope,
} from "./candidates/find-candidates.js";
import { queryKindOf } from "./query/query-kind.js";
import { findNeighbourFiles, rank, type RankedCandidate, type Ranking } from "./ranking/rank.js";
import type { HeldBack, RecallOptions, RecallReport, RecallResult } from "./retrieval.js";
import type { CodeContext } from "./candidates/code-graph.js";
import type { RecallPorts, Search } from "./candidates/search.js";
import { asSpoken, findAskedSpeaker } from "./query/asked-speaker.js";
import { toResults } from "./results/to-results.js";
import type { NeighbouringTurns } from "./candidates/neighbouring-turns.js";
import { readStatistics, type WordStatistics } from "./keywords/word-statistics.js";

/**
 * Finds what is worth knowing about a query, best first: in the project, and in the project `user`, which holds what is
 * true everywhere. Never writes. Nothing found is an empty list; a model that fails is a note.
 */
export async function recall(
  context: ProjectContext,
  ports: RecallPorts,
  query: string,
  options: RecallOptions = {},
): Promise<RecallReport> {
  checkQuery(query);
  checkFilter("recall()", options);
  const { text, note: cutNote } = cutQuery(query);
  const search = await prepare(context, ports, text, options);
  const beginning = await context.store.read((reader) => searchByWords(reader, search));
  const { embedded, note } = await embedQuery(search, beginning);
  const first = await searchFurther(search, beginning, embedded);
  const imagined =
    embedded && (await (await import("./semantic/imagine-answer.js")).imagineAnswer(search, embedded, first.ranked));
  const { ranked, isLifted, codeChangedTop } = imagined ? await searchFurther(search, beginning, imagined) : first;
  const reranked = await rerank(search, ranked);
  const results = await toResults(search, reranked.ranked);
  return {
    results,
    mode: embedded ? "hybrid" : "words",
    kind: search.kind,
    notes: [
      cutNote,
      note,
      imagined && "A language model imagined an answer, and that was looked for too.",
      reranked.note,
    ].filter((one) => one !== undefined),
    // Nobody reads it who did not ask, and it takes as long as the search itself.
    heldBack: options.explain && options.explicit !== false ? await findHeldBack(search, results) : [],
    isLifted,
    codeChangedTop,
  };
}

async function prepare(
  context: ProjectContext,
  ports: RecallPorts,
  query: string,
  options: RecallOptions,
): Promise<Search> {
  // Who asks for what waits asks for what came from outside.
  const asksForWaiting = [options.status ?? []].flat().includes("waiting");
  const { limit = Infinity, includeTainted = asksForWaiting, recentFiles = [], ...others } = options;
  const { files: active } = await withRelativeFiles(context, { files: [...recentFiles] });
  return {
    context,
    // What goes by words asks no model.
    ports: options.mode === "words" ? { ...ports, embedding: undefined, reranker: undefined } : ports,
    query,
    options: { ...(await withRelativeFiles(context, others)), limit, includeTainted },
    kind: queryKindOf(query, options.recentTools),
    isInUser: "id" in context.project && context.project.id === userProject,
    code: await lookAtCode(ports, active),
    now: context.now(),
  };
}

async function lookAtCode(ports: RecallPorts, active: readonly string[]): Promise<CodeContext> {
  if (active.length === 0) return { active, neighbours: [], linked: [] };
  const graph = await import("./candidates/code-graph.js");
  return {
    active,
    neighbours: [...(await findNeighbourFiles(ports, active))],
    linked: await graph.listLinkedMemories(ports.codeGraph, active),
  };
}

/** What words and names bring, and what every later step needs. */
interface Beginning {
  scopes: SearchScope[];
  statistics: WordStatistics;
  candidates: Candidates;
  speaker?: string;
}

async function searchByWords(reader: Reader, search: Search): Promise<Beginning> {
  const { query, options } = search;
  const scopes = options.limit > 0 ? await findScopes(reader, search) : [];
  const { words } = queryWords(query);
  const statistics = atMost(maxWords, await readStatistics(reader, search.context.store, words), options.limit);
  const found: Candidates[] = [];
  for (const scope of scopes) found.push(await findByWords(reader, scope, query, statistics, options.limit));
  const candidates: Candidates = new Map(found.flatMap((some) => [...some]));
  const speaker = findAskedSpeaker(
    query,
    [...candidates.values()].map(({ facts }) => facts.speaker),
  );
  return { scopes, statistics, candidates, ...(speaker !== undefined && { speaker }) };
}

// A query of 1,000 words takes 18 ms and one of 20,000 almost a second; the rarest say what it is about.
const maxWords = 64;

/** The rarest of the words that are known at all, so many at most. Without a limit, every word counts. */
function atMost(count: number, statistics: WordStatistics, limit: number): WordStatistics {
  if (statistics.words.length <= count || !Number.isFinite(limit)) return statistics;
  const rarest = statistics.words.filter(({ rows }) => rows > 0).toSorted((a, b) => a.rows - b.rows);
  return { ...statistics, words: rarest.slice(0, count) };
}

async function findScopes(reader: Reader, { context, options, now }: Search): Promise<SearchScope[]> {
  const { includeUser = true } = options;
  const { project: own, pending } = await findProject(reader, context.project);
  if (pending) return [];
  const { project: user } = includeUser ? await findProject(reader, { id: userProject }) : {};
  const projects = user && user.number !== own?.number ? [own, user] : [own];
  const filterOf = (project: Project) => sureEnough(filterConditions(options, project, now), options.minConfidence);
  return projects.flatMap((project) => (project ? [{ project, filter: filterOf(project) }] : []));
}

/**
 * Leaves out what cannot be trusted as much as is asked for, which would take the places of what can. What is left of a
 * confidence is reckoned later, and counts then.
 */
function sureEnough(filter: FilterSql, minConfidence = 0): FilterSql {
  if (minConfidence === 0) return filter;
  return {
    conditions: [...filter.conditions, ...sureEnoughSql],
    args: { ...filter.args, minConfidence, maxHalfLives: Math.log2(1 / minConfidence) },
    isSelective: true,
  };
}

/** The query as a vector, or what to say where there is none. Outside of any reading: a model may take its time. */
async function embedQuery(
  { ports, query }: Search,
  { scopes, speaker }: Beginning,
): Promise<{ embedded?: EmbeddedQuery; note?: string }> {
  if (!ports.embedding || scopes.length === 0 || query.trim() === "") return {};
  const text = speaker === undefined ? query : asSpoken(query, speaker);
  const answer = await (await ports.embedding()).embedQuery(text);
  if ("vector" in answer) return { embedded: answer };
  if (answer.reason === "none") return {};
  const hint = answer.hint === undefined ? "" : ` ${answer.hint}`;
  return { note: `Searched by words only: ${answer.problem}${hint}` };
}

/** The ranking by everything there is: words and names, similar embeddings, the active code, and the turns around. */
async function searchFurther(
  search: Search,
  beginning: Beginning,
  embedded: EmbeddedQuery | undefined,
): Promise<Ranking> {
  return rank(search, await search.context.store.read((reader) => gather(reader, search, beginning, embedded)));
}

async function gather(
  reader: Reader,
  { ports, options, kind, code, isInUser, query, now }: Search,
  { scopes, statistics, candidates: byWords, speaker }: Beginning,
  embedded: EmbeddedQuery | undefined,
): Promise<Evidence[]> {
  const semantic = embedded && (await import("./semantic/semantic-search.js"));
  const embedding = await ports.embedding?.();
  const candidates: Candidates = new Map(
    [...byWords].map(([key, candidate]) => [key, { ...candidate, paths: { ...candidate.paths } }]),
  );
  const beside = new Map<number, NeighbouringTurns>();
  for (const scope of scopes) {
    if (embedded && embedding) {
      await semantic?.findByVector(reader, scope, candidates, statistics, options.limit, (most) =>
        embedding.listNearest(reader, scope.project, embedded, scope.filter, most),
      );
    }
    // The paths of what holds everywhere are not below this root.
    if (isInUser || scope.project.id !== userProject) {
      await findByCode(reader, scope, candidates, statistics, code);
    }
    for (const entry of await findNeighbouringTurns(
      reader,
      scope,
      candidates,
      statistics,
      embedded ? "hybrid" : "words",
    )) {
      beside.set(...entry);
    }
  }
  // Most questions find none.
  if ([...candidates.values()].some(({ facts }) => isArchive(facts))) {
    await (await import("./candidates/link-archives.js")).linkArchives(reader, candidates);
  }
  const parsed: ParsedQuery = {
    kind,
    isSemantic: embedded !== undefined,
    times: findAskedTimes(query, now),
    ...(speaker !== undefined && { speaker }),
  };
  if (embedded) await semantic?.compareVectors(reader, candidates, embedded);
  const evidence = gatherEvidence(candidates, beside, parsed);
  const isRefined = embedded && (await semantic?.refineSimilarity(reader, candidates, evidence, embedded));
  return isRefined ? gatherEvidence(candidates, beside, parsed) : evidence;
}

async function rerank(
  search: Search,
  ranked: RankedCandidate[],
): Promise<{ ranked: RankedCandidate[]; note?: string }> {
  return search.ports.reranker ? (await import("./ranking/rerank-top.js")).rerankTop(search, ranked) : { ranked };
}

async function findHeldBack({ context, query, options }: Search, shown: RecallResult[]): Promise<HeldBack[]> {
  const { listHeldBack, withoutFilter } = await import("./results/held-back.js");
  const { results } = await recall(context, {}, query, withoutFilter(options));
  return listHeldBack(results, shown, options);
}
