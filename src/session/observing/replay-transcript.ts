import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import { findTree } from "../../conversation/import/import.js";
import {
  openTranscriptReport,
  readBeginning,
  readTranscript,
  type TranscriptReport,
} from "../../observer/transcripts/transcripts.js";
import type { AgentEvent, SessionType, UntrustedSource } from "../../observer/observer.js";
import { type LearnedReport, type PromotionPorts, replayEvents } from "../../observer/promotion/promotion.js";
import type { ReplayOptions, ReplayReport } from "../session.js";

// Often enough for a line of progress, seldom enough to cost nothing.
const eventsBetweenProgress = 500;

interface ReplayPlace {
  type: SessionType;
  running: ReadonlySet<string>;
  /** What all of it rests on, where whoever hands it over is not to be trusted. */
  outside?: UntrustedSource;
}

/**
 * Reads a transcript as far as it goes, in flat memory, and learns from each session in it that began in the project's
 * folder or in another work tree of it.
 */
export async function replayTranscript(
  ports: PromotionPorts,
  root: string,
  source: string | AsyncIterable<Uint8Array>,
  { signal, onProgress, type, running, outside }: ReplayOptions & ReplayPlace,
): Promise<ReplayReport> {
  const transcript = openTranscriptReport();
  const sessions: LearnedReport[] = [];
  const met = new Set<string>();
  const trees = new Map<string, string | undefined>();
  // The files of sub-agents are read before, and these may have been sent elsewhere.
  const beginning = typeof source === "string" ? await readBeginning(source) : undefined;
  const treeOf = openTrees(root, transcript, trees, beginning);
  const tell = () => onProgress?.({ bytes: transcript.bytes, events: transcript.events, sessions: sessions.length });
  let told = 0;
  const watched = async function* watched(): AsyncGenerator<AgentEvent, void, undefined> {
    tell();
    for await (const event of readTranscript(typeof source === "string" ? openFiles(source) : source, transcript)) {
      if (signal?.aborted) return;
      if (transcript.events - told >= eventsBetweenProgress) {
        told = transcript.events;
        tell();
      }
      if ((await treeOf(event)) === undefined) continue;
      if (running.has(event.sessionId)) met.add(event.sessionId);
      yield event;
    }
  };
  for await (const report of replayEvents(ports, watched(), {
    rootOf: (id) => trees.get(id) ?? root,
    type,
    running,
    outside,
  }))
    sessions.push(report);
  return {
    sessions,
    transcript,
    ...(met.size > 0 && { running: [...met] }),
    ...(signal?.aborted === true && { isStopped: true }),
  };
}

/**
 * Tells of an event in which work tree its session began; undefined for one of another project. Such sessions are
 * counted in the report.
 */
function openTrees(
  root: string,
  report: TranscriptReport,
  trees: Map<string, string | undefined>,
  beginning: string | undefined,
) {
  return async ({ sessionId, ...event }: AgentEvent): Promise<string | undefined> => {
    // What a session does elsewhere later on it does as a session of this project.
    if (trees.has(sessionId)) return trees.get(sessionId);
    const told = event.kind === "start" ? event.directory : undefined;
    const directory = event.agentId === undefined ? told : (beginning ?? told);
    const tree = directory === undefined ? root : await findTree(directory, root);
    trees.set(sessionId, tree);
    if (tree !== undefined) return tree;
    const reason = `of another project: ${directory}`;
    const known = report.skipped.find((one) => one.reason === reason);
    if (known) known.count += 1;
    else report.skipped.push({ reason, count: 1, firstLine: report.lines, unit: "session" });
    return undefined;
  };
}

/** A transcript, after those of the sub-agents that Claude Code has put beside it: they end before their session does. */
async function* openFiles(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const beside = join(path.replace(/\.jsonl$/, ""), "subagents");
  const names = (await readdir(beside).catch(() => [])).filter((name) => name.endsWith(".jsonl")).toSorted();
  for (const name of names) {
    yield* createReadStream(join(beside, name)) as AsyncIterable<Uint8Array>;
    // The last line may have been cut before its end.
    yield Buffer.from("\n");
  }
  yield* openFile(path);
}

async function* openFile(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new MemoryError(
      "import-refused",
      `${path} cannot be read: ${reasons[code] ?? code}.`,
      "Name a transcript of Claude Code (~/.claude/projects/…/*.jsonl), or - for standard input.",
      error,
    );
  }
}

const reasons: Record<string, string> = { ENOENT: "there is no such file", EISDIR: "it is a folder" };
