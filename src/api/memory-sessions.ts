import { callerOf } from "../base/actor.js";
import type { Injection } from "../injection/injection.js";
import type { SessionSummary } from "../injection/report/report.js";
import type { SessionContextQuery } from "../injection/session-context.js";
import type { SessionRecord } from "../observer/cross-session/cross-session.js";
import type { LearnedReport } from "../observer/promotion/promotion.js";
import type { Acute } from "../observer/scratchpad/scratchpad.js";
import type { SynthesisReport } from "../observer/synthesis/synthesis.js";
import type { FoundTranscript } from "../observer/transcripts/transcripts.js";
import type { ReplayOptions, ReplayReport } from "../session/session.js";
import type { Parts } from "./parts.js";

/** Sessions of agents: what is known of them, and what is learned from them. */
export interface MemorySessions {
  /** The sessions that were learned from, newest first. */
  list(options?: { limit?: number }): Promise<SessionRecord[]>;
  /** What a session got injected, used, remembered and taught; undefined where nothing is known of it. */
  summary(sessionId: string): Promise<SessionSummary | undefined>;
  /** What somebody who begins to work should know, for an agent that asks: what a start and a prompt would inject. */
  context(asked?: SessionContextQuery): Promise<Injection>;
  /** What is already striking about a session that goes on, the most striking first. */
  acute(sessionId: string): Promise<Acute[]>;
  /** Between two subtasks of a long build: makes memories of what it has shown so far. */
  promote(sessionId: string): Promise<LearnedReport | undefined>;
  /** Learns from the transcript of sessions that are over. Those that are known already are left out. */
  replay(source: string | AsyncIterable<Uint8Array>, options?: ReplayOptions): Promise<ReplayReport>;
  /**
   * The transcripts that Claude Code has kept of sessions in this work tree, without those that were learned from or are
   * being noted.
   */
  transcripts(): Promise<FoundTranscript[]>;
  /** Looks over many sessions for what no single one shows, where it is due. All of it is pending review. */
  synthesize(options?: { force?: boolean }): Promise<SynthesisReport>;
}

/** @internal */
export function bindSessions({ context, observing, injecting }: Parts): MemorySessions {
  return {
    list: (...args) => observing.sessions(...args),
    summary: (...args) => injecting.sessionSummary(...args),
    context: (...args) => injecting.sessionContext(...args),
    acute: (...args) => observing.acute(...args),
    promote: (...args) => observing.promoteSession(...args),
    replay: (source, options) => observing.replay(source, options, callerOf(context.actor)),
    transcripts: () => observing.transcripts(),
    synthesize: (...args) => observing.synthesize(...args),
  };
}
