import type { AgentEvent } from "../../src/index.js";

type Told<K extends AgentEvent["kind"]> = Omit<
  Extract<AgentEvent, { kind: K }>,
  "kind" | "sessionId" | "at" | "agentId"
>;

/** A session of a program's own agent, told step by step as the events that it hands over; every verb returns it. */
export interface ToldSession {
  readonly id: string;
  readonly events: readonly AgentEvent[];
  starts(more?: Told<"start">): ToldSession;
  prompts(text: string): ToldSession;
  reads(file: string, text?: string): ToldSession;
  edits(file: string, before: string, after: string): ToldSession;
  writes(file: string, text: string): ToldSession;
  runs(command: string, text?: string, failed?: boolean): ToldSession;
  uses(tool: string, input: Record<string, unknown>, text?: string, failed?: boolean): ToldSession;
  says(text: string): ToldSession;
  steps(inputTokens: number, outputTokens: number): ToldSession;
  unit(name: string, state: "started" | "succeeded" | "failed", summary?: string): ToldSession;
  qa(passed: boolean, issues?: Told<"qa">["issues"]): ToldSession;
  commits(sha: string, message: string, files?: string[]): ToldSession;
  remembers(content: string): ToldSession;
  /** It is told these memories, by their ids. */
  isTold(ids: readonly string[], more?: Partial<Told<"injected">>): ToldSession;
  /** What follows is done by this sub-agent, until `back()`. */
  sub(agentId: string): ToldSession;
  back(): ToldSession;
  ends(outcome?: Told<"end">["outcome"]): ToldSession;
}

/** Events are a second apart, from this time on; with a clock, each happens when it is told. */
export function toldSession(id: string, at: number | (() => number) = Date.parse("2026-11-02T09:00:00Z")): ToldSession {
  const events: AgentEvent[] = [];
  let agentId: string | undefined;
  let calls = 0;
  let told = 0;
  const now = (): number => (typeof at === "function" ? at() : at + 1000 * (told += 1));
  const tell = (event: Record<string, unknown>, who = agentId): ToldSession => {
    events.push({
      sessionId: id,
      at: now(),
      ...(who !== undefined && { agentId: who }),
      ...event,
    } as AgentEvent);
    return session;
  };
  const use = (tool: string, input: Record<string, unknown>, text = "", isError = false): ToldSession => {
    const callId = `${id}-${(calls += 1)}`;
    tell({ kind: "call", callId, tool, input });
    return tell({ kind: "result", callId, tool, text, ...(isError && { isError }) });
  };
  const session: ToldSession = {
    id,
    events,
    starts: (more = {}) => tell({ kind: "start", agent: "builder", ...more }),
    prompts: (text) => tell({ kind: "prompt", text }),
    reads: (file, text = "export {};") => use("Read", { file_path: file }, text),
    edits: (file, before, after) =>
      use("Edit", { file_path: file, old_string: before, new_string: after }, `The file ${file} has been updated.`),
    writes: (file, text) => use("Write", { file_path: file, content: text }, `File created successfully at: ${file}`),
    runs: (command, text = "", failed = false) =>
      use("Bash", { command }, failed ? `Exit code 1\n${text}` : text, failed),
    uses: use,
    says: (text) => tell({ kind: "reasoning", text }),
    steps: (inputTokens, outputTokens) => tell({ kind: "step", inputTokens, outputTokens }),
    unit: (name, state, summary) =>
      tell({
        kind: "unit",
        unit: { methodology: "native", hierarchy: ["shop", name], label: name },
        state,
        ...(summary !== undefined && { summary }),
      }),
    qa: (passed, issues = []) => tell({ kind: "qa", passed, issues }),
    commits: (sha, message, files = []) => tell({ kind: "commit", sha, message, files }),
    isTold: (ids, more = {}) =>
      tell({
        kind: "injected",
        point: "file-read",
        memories: ids.map((one) => ({ id: one, why: "It is about this file.", tokens: 40 })),
        tokens: 40 * ids.length + 20,
        ...more,
      }),
    remembers: (content) => tell({ kind: "remember", content }),
    sub(child) {
      tell({ kind: "subagent", state: "started", childId: child }, undefined);
      agentId = child;
      return session;
    },
    back() {
      const childId = agentId;
      agentId = undefined;
      return tell({ kind: "subagent", state: "ended", childId });
    },
    ends: (outcome = "success") => tell({ kind: "end", outcome }),
  };
  return session;
}
