/** What a tool answered: its text, and whether it failed. */
export interface Answered {
  text?: string;
  failed?: boolean;
  /** How long it took, in milliseconds; 1,000 where absent. */
  tookMs?: number;
}

export interface SessionOptions {
  id: string;
  /** The work tree; files are given relative to it. */
  root: string;
  /** When it begins, in milliseconds since 1970. */
  at: number;
  /** What the user asks for. */
  prompt?: string;
}

/** A session of Claude Code, told step by step; every verb returns the session. */
export interface AgentSession {
  readonly id: string;
  prompts(text: string): AgentSession;
  says(text: string, usage?: { inputTokens?: number; outputTokens?: number }): AgentSession;
  reads(file: string, answer?: Answered): AgentSession;
  /** Replaces a text of a file; a failing one answers as Claude Code does. */
  edits(file: string, before: string, after: string, answer?: Answered): AgentSession;
  writes(file: string, text: string, answer?: Answered): AgentSession;
  searches(pattern: string, found: string[] | string, options?: { path?: string; glob?: string }): AgentSession;
  globs(pattern: string, found: string[], options?: { path?: string }): AgentSession;
  runs(command: string, answer?: Answered): AgentSession;
  fetches(url: string, answer?: Answered): AgentSession;
  /** Any other tool, such as `mcp__linear__get_issue`. */
  uses(tool: string, input: Record<string, unknown>, answer?: Answered): AgentSession;
  /** Lets time pass. */
  waits(ms: number): AgentSession;
  /** What follows is done by a sub-agent of this id, until `back()`. */
  sub(agentId: string): AgentSession;
  back(): AgentSession;
  /** The transcript that Claude Code would have written, one line an entry. */
  lines(): string[];
  /** The same as a stream of bytes. */
  stream(): AsyncGenerator<Uint8Array, void, undefined>;
  /** What a hook would have been given, in order, from SessionStart to SessionEnd. */
  hooks(options?: { end?: boolean }): Record<string, unknown>[];
}

export function agentSession(options: SessionOptions): AgentSession;
