import type { InjectOptions, Injection, Moment } from "../injection/injection.js";
import type { SessionSummary } from "../injection/record/session-summary.js";
import type { SessionContextQuery } from "../injection/session-context.js";

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
