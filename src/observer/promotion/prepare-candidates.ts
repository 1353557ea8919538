import { MemoryError } from "../../base/memory-error.js";
import type { MemoryInput } from "../../memory/memory.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import { hashOf } from "../../memory/record/record.js";
import { readProject } from "../../project/project.js";
import { asTainted } from "../../memory/remember/remember.js";
import { countSessions, findSession, readRevision } from "../cross-session/session-queries.js";
import { countFileSessions, countModuleSessions } from "../cross-session/statistics-queries.js";
import {
  countMemoriesMade,
  listKnownSubjects,
  listRefused,
  refusalMark,
  type KnownSubject,
} from "../cross-session/subject-queries.js";
import type { SessionSummary } from "./summarise-session.js";
import type { History } from "../signals/signal.js";
import { describeUntrustedSource } from "../untrusted-sources/describe-untrusted-source.js";
import { clearSubjects } from "./clear-sightings.js";
import { composeCandidates, type Candidate } from "./compose-candidates.js";
import { promotionLimits } from "./promotion-limits.js";
import { liftVerified } from "./lift-verified.js";
import { listNovel } from "./list-novel.js";
import type { PromotionPorts } from "./promotion-ports.js";
import { textsIn } from "./texts-in.js";
import { waitForQa } from "./wait-for-qa.js";
import { wordWithModel } from "./word-with-model.js";
import type { FinishedSession } from "./write-finished.js";

/** What a session may lead to, ready to be written. */
export interface PreparedCandidates {
  /** What the store looked like when it was asked. */
  revision: string;
  candidates: { candidate: Candidate; memory: PreparedMemory }[];
  /** The memories that earlier sessions made of what this one showed again, by `subjectKey`. */
  subjects: Map<string, KnownSubject>;
  known: number;
  left: number;
  maxEntries: number | null;
}

/** Composes, sifts and words what a session shows. Outside of any transaction: cleaning takes time, and a model more. */
export async function prepareCandidates(ports: PromotionPorts, finished: FinishedSession): Promise<PreparedCandidates> {
  const { context } = ports;
  const { record } = finished.summary;
  const { enabled, maxEntries } = await context.settings();
  const { revision, subjects: past, history, made } = await readPast(ports, finished);
  const subjects = await clearSubjects(context, finished.wording, past);
  const session = { sessionId: record.sessionId, at: record.endedAt };
  const composed = enabled ? composeCandidates(finished.seen, subjects, history, session) : [];
  const wanted = await withoutRefused(ports, composed);
  const novel = await listNovel(ports, wanted);
  // A session that goes on, or a long build, has had some already.
  const chosen = novel.slice(0, Math.max(0, promotionLimits[record.type] - made));
  const worded = await wordWithModel(ports, await liftVerified(finished.wording, chosen));

  const candidates: PreparedCandidates["candidates"] = [];
  for (const candidate of worded) {
    const memory = await prepare(ports, candidate, finished);
    if (memory) candidates.push({ candidate, memory });
  }
  return {
    revision,
    candidates,
    subjects,
    known: composed.length - novel.length,
    left: novel.length - chosen.length,
    maxEntries,
  };
}

interface Past {
  revision: string;
  subjects: Map<string, KnownSubject>;
  history: History;
  /** How many memories the session has led to already. */
  made: number;
}

async function readPast({ context }: PromotionPorts, { summary, seen }: FinishedSession): Promise<Past> {
  const nothing: Past = {
    revision: "0 0 0",
    subjects: new Map(),
    made: 0,
    history: historyOf({ sessions: 0, files: new Map(), modules: new Map() }, summary),
  };
  return readProject(context, nothing, async (reader, project) => {
    const before = await findSession(reader, project, summary.record.sessionId);
    const subjects = await listKnownSubjects(reader, project, seen, summary.record.sessionId);
    const named = [...subjects.values()].flatMap(({ sightings }) => sightings.flatMap(({ data }) => textsIn(data)));
    const paths = new Set([...summary.files.map(({ path }) => path), ...named]);
    const past = {
      sessions: await countSessions(reader, project),
      files: await countFileSessions(reader, project, [...paths]),
      modules: await countModuleSessions(reader, project),
    };
    return {
      revision: await readRevision(reader, project),
      subjects,
      made: await countMemoriesMade(reader, project, summary.record.sessionId),
      // A further part of a session that was counted adds none.
      history: historyOf(past, before && before.record.outcome !== "running" ? undefined : summary, before ? 1 : 0),
    };
  });
}

/** What is known of the project once this session is counted. */
function historyOf(
  past: { sessions: number; files: Map<string, number>; modules: Map<string, number> },
  coming: SessionSummary | undefined,
  alreadyThere = 0,
): History {
  const files = new Set(coming?.files.map(({ path }) => path));
  const modules = new Set(coming?.modules);
  return {
    sessions: past.sessions + (coming ? 1 - alreadyThere : 0),
    sessionsOfFile: (path) => (past.files.get(path) ?? 0) + (files.has(path) ? 1 : 0),
    sessionsOfModule: (module) => (past.modules.get(module) ?? 0) + (modules.has(module) ? 1 : 0),
  };
}

/** Without what a person never wants to hear of again, by what it is about or by its very text. */
async function withoutRefused({ context }: PromotionPorts, candidates: Candidate[]): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const marks = new Map(candidates.map((candidate) => [candidate, refusalMarks(candidate)]));
  const refused = await readProject(context, new Set<string>(), (reader, project) =>
    listRefused(reader, project, [...marks.values()].flat()),
  );
  return candidates.filter((candidate) => !marks.get(candidate)?.some((mark) => refused.has(mark)));
}

function refusalMarks({ signal, subject, content }: Candidate): string[] {
  return [refusalMark(signal, subject), refusalMark(hashOf(content))];
}

/** The memory as it will be kept; undefined where hygiene or its schema refuses it, which must not cost the others. */
async function prepare(
  { context }: PromotionPorts,
  candidate: Candidate,
  { summary, isRunning, branch }: FinishedSession,
): Promise<PreparedMemory | undefined> {
  try {
    const [memory] = await prepareMemories(context, [inputOf(candidate, summary)]);
    if (!memory) return undefined;
    // Of the session, not of the folder as it is now.
    const whole = { ...memory, branch: branch ?? null, provenanceSessionIds: [...new Set(candidate.sessionIds)] };
    if (candidate.pendingReason !== undefined) return waitForPerson(whole, candidate);
    if (candidate.outside) return asTainted(whole, describeUntrustedSource(candidate.outside));
    return isRunning ? waitForQa(whole) : whole;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return undefined;
  }
}

/** What waits wherever it comes from is trusted as little as it should be already: its signal knows where that is. */
function waitForPerson(memory: PreparedMemory, { pendingReason = "", outside, confidence }: Candidate): PreparedMemory {
  const reason = outside ? `${pendingReason} ${describeUntrustedSource(outside)}` : pendingReason;
  if (outside) return { ...asTainted(memory, reason), confidence };
  return { ...memory, review: { state: "pending", reason } };
}

function inputOf(candidate: Candidate, { record }: SessionSummary): MemoryInput {
  const { type, content, data, relatedFiles, relatedModules, tags, confidence, source, commit, workUnit, scope } =
    candidate;
  return {
    type,
    content,
    relatedFiles,
    confidence,
    source,
    sessionId: record.sessionId,
    createdAt: record.endedAt,
    ...(data && { data }),
    ...(relatedModules && { relatedModules }),
    ...(tags && { tags }),
    ...(commit !== undefined && { commit }),
    ...(workUnit && { workUnit }),
    ...(scope && { scope }),
    ...(record.agent !== undefined && { agent: record.agent }),
  };
}
