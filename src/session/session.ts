/**
 * session: the machine of a session, which says what follows from each thing that happens to it, and what a resident process
 * does by it: it notes what agents do, learns from it when they are over, and injects memories while they go on.
 *
 * It puts the observer, injection and the models together, in the order in which a session needs them, and holds them open
 * until it is closed. It refuses rules of its own: what is learned is the observer's to decide, what is injected is
 * injection's. A process that lives for one event is the hook's, which asks the same machine.
 */
import type { Caller } from "../base/actor.js";
import type { InjectOptions, Injection, Moment } from "../injection/injection.js";
import type { SessionSummary } from "../injection/report/report.js";
import type { SessionContextQuery } from "../injection/session-context.js";
import type { FoundTranscript, TranscriptReport } from "../observer/transcripts/transcripts.js";
import type { SessionRecord } from "../observer/cross-session/cross-session.js";
import type { AgentEvent, SessionType } from "../observer/observer.js";
import type { LearnedReport } from "../observer/promotion/promotion.js";
import type { Acute } from "../observer/scratchpad/scratchpad.js";
import type { SynthesisReport } from "../observer/synthesis/synthesis.js";

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
  replay(source: string | AsyncIterable<Uint8Array>, options?: ReplayOptions, by?: Caller): Promise<ReplayReport>;
  /**
   * The transcripts that Claude Code has kept of sessions in this work tree, without those that were learned from or are
   * being noted.
   */
  transcripts(): Promise<FoundTranscript[]>;
  /** What is already striking about a session that goes on, the most striking first. */
  acute(sessionId: string): Promise<Acute[]>;
  /** The sessions that were learned from, newest first. */
  sessions(options?: { limit?: number }): Promise<SessionRecord[]>;
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

/** What agents are told, and what became of it. */
export interface Injecting {
  /**
   * What an agent is to be told at a moment; nothing, with an empty text, most of the time. Nothing is told twice in a
   * session, and what is told is noted as told, so put the text into a user message. Never throws and keeps its deadline:
   * an agent that waits for its memory, or dies of it, is worse than one that knows less.
   *
   * @example
   * const { text } = await memory.inject({ point: "file-read", sessionId: "s1", files: ["src/http.ts"] });
   * if (text !== "") messages.push({ role: "user", content: text });
   */
  inject(moment: Moment, options?: InjectOptions): Promise<Injection>;
  /** What somebody who begins to work should know, for an agent that asks: what a start and a prompt would tell, told or not. */
  sessionContext(asked?: SessionContextQuery): Promise<Injection>;
  /** What a session was told, used, remembered and taught; undefined where nothing is known of it. */
  sessionSummary(sessionId: string): Promise<SessionSummary | undefined>;
}
