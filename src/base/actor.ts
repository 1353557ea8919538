/**
 * Who is behind a call into the API. The surface decides it once (the command line, a hook, an MCP server, a program), and
 * every room passes it on: what may be changed, and how far it is trusted, depends on it.
 */
export type Caller =
  /** Somebody at a terminal, or in a page that a person opened. */
  | { kind: "person" }
  /** An agent, in its session where that is known. A tool call of an agent is never a person. */
  | { kind: "agent"; sessionId?: string; name?: string }
  /** A program that holds the memory, and Tacit itself where it works unasked. */
  | { kind: "program" };

/** The same, and what brings words of others in on behalf of a caller. */
export type Actor = Caller | { kind: "import"; source: string; by: Caller } | { kind: "share"; by: Caller };

/** The caller behind an actor: who imported or shared. */
export function callerOf(actor: Actor): Caller {
  return "by" in actor ? actor.by : actor;
}
