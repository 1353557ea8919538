import { type Project, readProject } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { moduleOf } from "../scratchpad/module-of.js";
import type { Candidate } from "../promotion/compose-candidates.js";
import type { PromotionPorts } from "../promotion/promotion-ports.js";
import type { SignalName } from "../observer.js";
import { code, codes } from "../signals/wording.js";
import type { Occasion } from "./due.js";
import {
  listRecurringErrors,
  listTiedPairs,
  listUsedFiles,
  type RecurringError,
  type TiedPair,
} from "./synthesis-queries.js";

/** What is known of a module, or of the pairs of all of them, when it is looked over. */
export interface Overview {
  files: { path: string; sessions: number }[];
  pairs: TiedPair[];
  errors: RecurringError[];
}

const maxProposals = 5;
// Of the sessions that used one of two files, so many used both. As for what a single signal asks for.
const leastWeight = 0.6;
const leastSessions = 3;

export async function readOverview({ context }: PromotionPorts, { module }: Occasion): Promise<Overview> {
  const nothing: Overview = { files: [], pairs: [], errors: [] };
  return readProject(context, nothing, (reader, project) =>
    module === "*" ? readPairs(reader, project) : readModule(reader, project, module),
  );
}

async function readModule(reader: Reader, project: Project, module: string): Promise<Overview> {
  return {
    files: await listUsedFiles(reader, project, module),
    pairs: await listTiedPairs(reader, project, { module, leastSessions, leastWeight, limit: 10 }),
    errors: await listRecurringErrors(reader, project, module),
  };
}

/** Of each two modules the strongest pair of files. */
async function readPairs(reader: Reader, project: Project): Promise<Overview> {
  const all = await listTiedPairs(reader, project, { leastSessions, leastWeight, limit: 200 });
  const strongest = new Map<string, TiedPair>();
  for (const pair of all) {
    const modules = [moduleOf(pair.a), moduleOf(pair.b)].toSorted();
    const key = modules.join("\n");
    if (modules[0] !== modules[1] && !strongest.has(key)) strongest.set(key, pair);
  }
  return { files: [], pairs: [...strongest.values()].slice(0, 10), errors: [] };
}

/** A memory that many sessions speak for. */
export interface Proposal extends Candidate {
  /** What signals call the same thing: where one of them has made a memory of it, or a person refused it, it is no news. */
  alsoSeenAs: { signal: SignalName; subject: string }[];
}

/** At most five memories that the figures speak for, worded without a model. */
export function propose({ module, sessions }: Occasion, { files, pairs, errors }: Overview): Proposal[] {
  const always = files.filter((file) => file.sessions >= 0.8 * sessions).slice(0, 5);
  const drafts = [
    ...pairs.filter(({ edited }) => edited >= leastSessions).map(tied),
    ...errors.filter(({ resolvedHow }) => resolvedHow !== undefined).map(recurring),
    ...(module !== "*" && always.length >= 2 ? [readFirst(module, sessions, always)] : []),
  ];
  return drafts.slice(0, maxProposals).map((draft) => ({
    ...draft,
    signal: "synthesis",
    source: "observer_inferred",
    value: 0.6,
    sessionIds: [],
  }));
}

type Drafted = Pick<
  Proposal,
  "type" | "subject" | "content" | "data" | "relatedFiles" | "relatedModules" | "confidence" | "alsoSeenAs"
>;

function tied({ a, b, sessions, edited, aFirst }: TiedPair): Drafted {
  const [first, second] = aFirst * 2 >= sessions ? [a, b] : [b, a];
  const often = edited === sessions ? "all of them" : String(edited);
  return {
    type: "causal_dependency",
    subject: `together: ${a} + ${b}`,
    content: `${code(first)} and ${code(second)} change together: of ${sessions} sessions that had both, ${often} edited both.`,
    data: { changed: first, affected: second, sessionCount: sessions },
    relatedFiles: [first, second],
    relatedModules: [...new Set([moduleOf(first), moduleOf(second)])],
    confidence: 0.6,
    alsoSeenAs: [
      { signal: "co-access", subject: `${a} + ${b}` },
      { signal: "config-touch", subject: `${moduleOf(a)} + ${b}` },
      { signal: "config-touch", subject: `${moduleOf(b)} + ${a}` },
    ],
  };
}

function recurring({ fingerprint, message, sessions, resolvedHow = "", file }: RecurringError): Drafted {
  return {
    type: "error_pattern",
    subject: `error: ${fingerprint}`,
    content: `${code(message)} came back in ${sessions} sessions. What resolved it last: ${resolvedHow}.`,
    data: { error: message, sessionCount: sessions, resolvedHow },
    relatedFiles: file === undefined ? [] : [file],
    confidence: 0.6,
    alsoSeenAs: [{ signal: "error-retry", subject: fingerprint }],
  };
}

function readFirst(module: string, sessions: number, files: Overview["files"]): Drafted {
  const paths = files.map(({ path }) => path);
  return {
    type: "prefetch_pattern",
    subject: `reads: ${module}`,
    content: `Work on ${code(module)} needs ${codes(paths)}: nearly every session there uses them.`,
    data: { alwaysReadFiles: paths, frequentlyReadFiles: [], moduleTrigger: module, sessionCount: sessions },
    relatedFiles: paths,
    relatedModules: [module],
    confidence: 0.6,
    alsoSeenAs: [{ signal: "file-access", subject: module }],
  };
}
