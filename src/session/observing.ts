import type { SessionRecord } from "../observer/cross-session/session-queries.js";
import type { AgentEvent, SessionType } from "../observer/events/event.js";
import type { Evidence } from "../observer/evidence.js";
import type { LearnedReport } from "../observer/promotion/promotion.js";
import type { Acute } from "../observer/scratchpad/acute.js";
import type { SynthesisReport } from "../observer/synthesis/synthesis.js";
import type { FoundTranscript } from "../observer/adapters/find-transcripts.js";
import type { TranscriptReport } from "../observer/adapters/claude-code-transcript.js";
import type { Memory } from "../memory/memory.js";

/** What agents do, and what is made of it. */
export interface Observing {
  /**
   * Takes one event of a session. Never throws, and writes nothing to the database; an `end` finishes the session in the
   * background. Where memory is switched off it does nothing.
   *
   * The first event loads what the others need, some 50 ms; a process that calls `process.exit()` before that loses its
   * events. Await `close()` first.
   */
  observe(event: AgentEvent): void;
  /** Ends a session and learns from it; undefined where nothing was seen of it. */
  finishSession(sessionId: string, options?: FinishSessionOptions): Promise<LearnedReport | undefined>;
  /** Learns from every session of this work tree that is over, also where its process was killed. */
  finishSessions(options?: Pick<FinishSessionOptions, "isQuick">): Promise<LearnedReport[]>;
  /** Between two subtasks of a long build: makes memories of what it has shown so far. */
  promoteSession(sessionId: string): Promise<LearnedReport | undefined>;
  /** Learns from the transcript of sessions that are over. Those that are known already are left out. */
  replay(source: string | AsyncIterable<Uint8Array>, options?: ReplayOptions): Promise<ReplayReport>;
  /**
   * The transcripts that Claude Code has kept of sessions in this work tree, without those that were learned from or are
   * being noted.
   */
  transcripts(): Promise<FoundTranscript[]>;
  /** What is already striking about a session that goes on, the most striking first. */
  acute(sessionId: string): Promise<Acute[]>;
  /** The sessions that were learned from, newest first. */
  sessions(options?: { limit?: number }): Promise<SessionRecord[]>;
  /** What was seen that led to a memory; empty for one that somebody stated. */
  evidence(reference: string): Promise<Evidence[]>;
  /** Lets a memory speak that waited for a person, as it is or with another text. */
  acceptMemory(reference: string, changes?: { content?: string }): Promise<Memory>;
  /** Refuses a memory that waited. It is forgotten, and only new evidence can bring it back; with `forever` nothing can. */
  rejectMemory(reference: string, options?: { forever?: boolean }): Promise<Memory>;
  /** Looks over many sessions for what no single one tells, where it is due. All of it waits for a person. */
  synthesize(options?: { force?: boolean }): Promise<SynthesisReport>;
}

export interface FinishSessionOptions {
  /** What kind of session it was, where its events did not say. */
  type?: SessionType;
  /** Asks no model, neither for words nor for meaning: for a process that somebody waits for. */
  isQuick?: boolean;
}

export interface ReplayOptions {
  type?: SessionType;
  signal?: AbortSignal;
  onProgress?: (progress: { bytes: number; events: number; sessions: number }) => void;
}

export interface ReplayReport {
  sessions: LearnedReport[];
  transcript: TranscriptReport;
  /** Ids of the sessions that were left out, since their notes are learned from when they are over. */
  running?: string[];
  isStopped?: boolean;
}
