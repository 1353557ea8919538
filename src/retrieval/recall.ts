import { queryWords } from "../base/words.js";
import { checkFilter } from "../memory/check-input.js";
import { sureEnoughSql } from "../memory/decay.js";
import { filterConditions, type FilterSql } from "../memory/memory-filter.js";
import type { ProjectContext } from "../project/project-context.js";
import { findProject, userProject, type Project } from "../project/projects.js";
import { withRelativeFiles } from "../memory/related-file.js";
import type { EmbeddedQuery } from "../embedding/list-nearest.js";
import type { Reader } from "../storage/storage.js";
import { findAskedTimes } from "./asked-time.js";
import { isArchive } from "./candidate.js";
import { gatherEvidence, type Evidence, type Question } from "./evidence.js";
import { checkQuery } from "./explain-query.js";
import { findBeside, findByCode, findByWords, type Candidates, type Place } from "./find-candidates.js";
import { kindOf } from "./query-kind.js";
import { lookAround, rank, type RankedCandidate, type Ranking } from "./rank.js";
import type { HeldBack, RecallOptions, RecallReport, RecallResult } from "./retrieval.js";
import type { RecallPorts, Search } from "./search.js";
import { asSpoken, findAsked } from "./speaker.js";
import { toResults } from "./to-results.js";
import type { Beside } from "./turns.js";
import { readStatistics, type WordStatistics } from "./word-statistics.js";

/**
 * Finds what is worth knowing about a question, best first: in the project, and in the project `user`, which holds what is
 * true everywhere. Never writes. Nothing found is an empty list; a model that fails is a note.
 */
export async function recall(
  context: ProjectContext,
  ports: RecallPorts,
  question: string,
  options: RecallOptions = {},
): Promise<RecallReport> {
  checkQuery(question);
  checkFilter("recall()", options);
  const search = await prepare(context, ports, question, options);
  const beginning = await context.store.read((reader) => searchByWords(reader, search));
  const { query, note } = await askForMeaning(search, beginning);
  const first = await searchFurther(search, beginning, query);
  const imagined = query && (await (await import("./imagine-answer.js")).imagineAnswer(search, query, first.ranked));
  const { ranked, isLifted, codeChangedTop } = imagined ? await searchFurther(search, beginning, imagined) : first;
  const reranked = await rerank(search, ranked);
  const results = await toResults(search, reranked.ranked);
  return {
    results,
    mode: query ? "hybrid" : "words",
    kind: search.kind,
    notes: [
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
  question: string,
  options: RecallOptions,
): Promise<Search> {
  // Who asks for what waits asks for what came from outside.
  const asksForWaiting = [options.status ?? []].flat().includes("waiting");
  const { limit = Infinity, includeTainted = asksForWaiting, recentFiles = [], ...others } = options;
  const { files: inPlay } = await withRelativeFiles(context, { files: [...recentFiles] });
  return {
    context,
    // What goes by words asks no model.
    ports: options.mode === "words" ? { ...ports, embedding: undefined, reranker: undefined } : ports,
    question,
    options: { ...(await withRelativeFiles(context, others)), limit, includeTainted },
    kind: kindOf(question, options.recentTools),
    isInUser: "id" in context.project && context.project.id === userProject,
    files: await lookAtCode(ports, inPlay),
    now: context.now(),
  };
}

async function lookAtCode(ports: RecallPorts, inPlay: readonly string[]): Promise<Search["files"]> {
  if (inPlay.length === 0) return { inPlay, around: [], hanging: [] };
  const { hangingAround } = await import("./code-graph.js");
  return {
    inPlay,
    around: [...(await lookAround(ports, inPlay))],
    hanging: await hangingAround(ports.codeGraph, inPlay),
  };
}

/** What words and names bring, and what every later step needs. */
interface Beginning {
  places: Place[];
  statistics: WordStatistics;
  candidates: Candidates;
  asked?: string;
}

async function searchByWords(reader: Reader, search: Search): Promise<Beginning> {
  const { question, options } = search;
  const places = options.limit > 0 ? await findPlaces(reader, search) : [];
  const { words } = queryWords(question);
  const statistics = atMost(maxWords, await readStatistics(reader, search.context.store, words), options.limit);
  const found: Candidates[] = [];
  for (const place of places) found.push(await findByWords(reader, place, question, statistics, options.limit));
  const candidates: Candidates = new Map(found.flatMap((some) => [...some]));
  const asked = findAsked(
    question,
    [...candidates.values()].map(({ facts }) => facts.speaker),
  );
  return { places, statistics, candidates, ...(asked !== undefined && { asked }) };
}

// A question of 1,000 words takes 18 ms and one of 20,000 almost a second; the rarest say what it is about.
const maxWords = 64;

/** The rarest of the words that are known at all, so many at most. Without a limit, every word counts. */
function atMost(count: number, statistics: WordStatistics, limit: number): WordStatistics {
  if (statistics.words.length <= count || !Number.isFinite(limit)) return statistics;
  const rarest = statistics.words.filter(({ rows }) => rows > 0).toSorted((a, b) => a.rows - b.rows);
  return { ...statistics, words: rarest.slice(0, count) };
}

async function findPlaces(reader: Reader, { context, options, now }: Search): Promise<Place[]> {
  const { includeUser = true } = options;
  const { project: own } = await findProject(reader, context.project);
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

/** The question as a vector, or what to say where there is none. Outside of any reading: a model may take its time. */
async function askForMeaning(
  { ports, question }: Search,
  { places, asked }: Beginning,
): Promise<{ query?: EmbeddedQuery; note?: string }> {
  if (!ports.embedding || places.length === 0 || question.trim() === "") return {};
  const text = asked === undefined ? question : asSpoken(question, asked);
  const answer = await (await ports.embedding()).embedQuery(text);
  if ("vector" in answer) return { query: answer };
  if (answer.reason === "none") return {};
  const hint = answer.hint === undefined ? "" : ` ${answer.hint}`;
  return { note: `Searched by words only: ${answer.problem}${hint}` };
}

/** The ranking by everything there is: words and names, meaning, the code in play, and the turns around. */
async function searchFurther(search: Search, beginning: Beginning, query: EmbeddedQuery | undefined): Promise<Ranking> {
  return rank(search, await search.context.store.read((reader) => gather(reader, search, beginning, query)));
}

async function gather(
  reader: Reader,
  { ports, options, kind, files, isInUser, question: text, now }: Search,
  { places, statistics, candidates: byWords, asked }: Beginning,
  query: EmbeddedQuery | undefined,
): Promise<Evidence[]> {
  const meaning = query && (await import("./meaning.js"));
  const embedding = await ports.embedding?.();
  const candidates: Candidates = new Map(
    [...byWords].map(([key, candidate]) => [key, { ...candidate, paths: { ...candidate.paths } }]),
  );
  const beside = new Map<number, Beside>();
  for (const place of places) {
    if (query && embedding) {
      await meaning?.findByMeaning(reader, place, candidates, statistics, options.limit, (most) =>
        embedding.listNearest(reader, place.project, query, place.filter, most),
      );
    }
    // The paths of what holds everywhere are not below this root.
    if (isInUser || place.project.id !== userProject) {
      await findByCode(reader, place, candidates, statistics, files);
    }
    for (const entry of await findBeside(reader, place, candidates, statistics, query ? "hybrid" : "words")) {
      beside.set(...entry);
    }
  }
  // Most questions find none.
  if ([...candidates.values()].some(({ facts }) => isArchive(facts))) {
    await (await import("./archives.js")).noteArchives(reader, candidates);
  }
  const question: Question = {
    kind,
    hasMeaning: query !== undefined,
    times: findAskedTimes(text, now),
    ...(asked !== undefined && { asked }),
  };
  if (query) await meaning?.compareMeanings(reader, candidates, query);
  const evidence = gatherEvidence(candidates, beside, question);
  const isRefined = query && (await meaning?.refineMeaning(reader, candidates, evidence, query));
  return isRefined ? gatherEvidence(candidates, beside, question) : evidence;
}

async function rerank(
  search: Search,
  ranked: RankedCandidate[],
): Promise<{ ranked: RankedCandidate[]; note?: string }> {
  return search.ports.reranker ? (await import("./rerank-top.js")).rerankTop(search, ranked) : { ranked };
}

async function findHeldBack({ context, question, options }: Search, shown: RecallResult[]): Promise<HeldBack[]> {
  const { listHeldBack, withoutFilter } = await import("./held-back.js");
  const { results } = await recall(context, {}, question, withoutFilter(options));
  return listHeldBack(results, shown, options);
}
