import { sessionTypes } from "../../config/config.js";
import type { Ignoring } from "../../project/ignore/ignore.js";
import { injectionPoints, type AgentEvent, type Call, type Note, type Outcome } from "../observer.js";
import { boundNote } from "./bound-note.js";
import { callOf, workplaceOf } from "./call-of.js";
import { calledFrom } from "./called-from.js";
import { type IgnoredNotes, openIgnoredNotes } from "./ignored-notes.js";
import { memoryMark } from "./memory-mark.js";
import { plainLine, plainText } from "../../base/input/input.js";
import { relatedPath, type PathBase } from "../tools/related-path.js";
import { resultOf } from "./result-of.js";
import { citedIn, sayingsOf } from "./sayings-of.js";

interface DigestOptions {
  /** The project's root, an absolute path. */
  root: string;
  /** Git's head when the session began. */
  commit?: string;
  /** The branch that is checked out, asked when a session begins and when it ends. */
  branch?: () => string | undefined;
  /** What must leave no trace: a call that touches it is noted as one of its tool, and nothing else. */
  ignoring?: Ignoring;
  /** Tells the time of events that do not. */
  now?: () => number;
}

/** Makes notes of events. Keeps in mind which calls were made, so that their results can be understood. */
export interface Digest {
  /** What is worth keeping of an event: a note or two, each of less than 8 KB. Never throws. */
  digest: (event: AgentEvent) => Note[];
}

// Far more than are ever under way at once; a result that comes later is read by its tool's name.
const maxCalls = 500;

/**
 * Makes notes of the events of one session.
 *
 * @example
 * const { digest } = openDigest({ root: "/project" });
 * digest({ kind: "call", sessionId: "s", callId: "1", tool: "Read", input: { file_path: "/project/a.ts" } });
 * // [{ kind: "call", at: 1793…, call: "1", tool: "Read", does: "read", files: ["a.ts"] }]
 */
export function openDigest(options: DigestOptions): Digest {
  const { root, ignoring } = options;
  const ignored = ignoring && openIgnoredNotes(ignoring, root);
  const state: State = { options, place: { root }, calls: new Map(), ...(ignored && { ignored }) };
  return {
    digest(event) {
      try {
        const note = noteOf(event, state);
        const late = event.kind === "result" ? lateCallOf(event, note, state) : undefined;
        const notes = [late, note].filter((one) => one !== undefined);
        const kept = ignored ? notes.map(ignored.strip).filter((one) => one !== undefined) : notes;
        return kept.map(boundNote);
      } catch {
        // An event that nobody can read is no reason to disturb the agent.
        return [];
      }
    },
  };
}

interface State {
  options: DigestOptions;
  place: PathBase;
  calls: Map<string, Call>;
  ignored?: IgnoredNotes;
}

function noteOf(event: AgentEvent, state: State): Note | undefined {
  if (typeof event !== "object" || event === null) return undefined;
  const { options } = state;
  const at = timeOf(event.at) ?? (options.now ?? Date.now)();
  switch (event.kind) {
    case "start":
      return { kind: "start", at, ...started(event, state) };
    case "prompt": {
      const text = plainText(event.text, 1000);
      return text === "" ? undefined : { kind: "prompt", at, text };
    }
    case "call": {
      const asked = {
        tool: textOf(event.tool),
        input: recordOf(event.input),
        does: deedsKnown.get(event.does),
        own: isYes(event.own),
      };
      const place = placeOf(event.directory, state);
      const call = callOf(asked, place);
      const id = idOf(event.callId);
      keepCall(state.calls, id, call);
      state.ignored?.judge(id, call, {
        input: asked.input,
        place: call.command ? workplaceOf(asked.input, place) : place,
      });
      return { kind: "call", at, call: id, ...call };
    }
    case "result": {
      const id = idOf(event.callId);
      const known = state.calls.get(id);
      const call = known ?? callOfResult(event, state);
      if (!known && call) {
        const input = recordOf(event.input);
        const from = calledFrom(placeOf(event.directory, state), input["command"]);
        const place = call.command ? workplaceOf(input, from) : from;
        state.ignored?.judge(id, call, { input, place });
      }
      const { isError, durationMs } = event;
      const text = textOf(event.text);
      const answer = { text, isError: typeof isError === "boolean" ? isError : undefined, durationMs };
      return { kind: "result", at, call: id, ...resultOf(answer, call, placeOf(event.directory, state)) };
    }
    case "reasoning": {
      const sayings = sayingsOf(textOf(event.text), isYes(event.thought));
      const cites = citedIn(textOf(event.text));
      if (sayings.length + cites.length === 0) return undefined;
      return { kind: "said", at, sayings, ...(cites.length > 0 && { cites }) };
    }
    case "step":
      return {
        kind: "step",
        at,
        ...given({ inputTokens: countOf(event.inputTokens), outputTokens: countOf(event.outputTokens) }),
      };
    case "unit":
      return unitNote(event, at);
    case "subagent":
      return {
        kind: "subagent",
        at,
        state: event.state === "ended" ? "ended" : "started",
        child: plainLine(event.childId, 200),
        ...given({ task: plainText(event.task, 500) || undefined }),
      };
    case "qa":
      return { kind: "qa", at, passed: isYes(event.passed), issues: issuesOf(event.issues, state.place) };
    case "commit":
      return {
        kind: "commit",
        at,
        sha: /^[0-9a-f]{4,64}$/i.exec(textOf(event.sha))?.[0] ?? "",
        message: plainText(event.message, 500),
        files: listOf(event.files)
          .slice(0, 200)
          .map((file) => relatedPath(file, { root: options.root }))
          .filter((file) => file !== undefined),
      };
    case "remember": {
      const content = textOf(event.content);
      if (content.trim() === "") return undefined;
      const memoryType = plainLine(event.memoryType, 60) || undefined;
      return { kind: "remember", at, mark: memoryMark(content), ...given({ memoryType }) };
    }
    case "injected":
      return injectedNote(event, at);
    case "compacted":
      return { kind: "compacted", at, ...given({ transcript: pathOf(event.transcript) }) };
    case "end":
      return {
        kind: "end",
        at,
        outcome: outcomes.has(event.outcome) ? (event.outcome as Outcome) : "unknown",
        ...given({
          reason: plainLine(event.reason, 200) || undefined,
          branch: branchOf(options),
          transcript: pathOf(event.transcript),
        }),
      };
    default:
      return undefined;
  }
}

/** Where it works is where its relative paths begin, until it goes elsewhere. */
function placeOf(where: unknown, { options: { root }, place }: State): PathBase {
  const directory = textOf(where);
  return isAbsolute.test(directory) ? { root, directory } : place;
}

const isAbsolute = /^(?:\/|[A-Za-z]:)/;

// Git itself takes none that is longer.
function branchOf({ branch }: DigestOptions): string | undefined {
  return plainLine(branch?.(), 250) || undefined;
}

type Start = Extract<AgentEvent, { kind: "start" }>;

function started(event: Start, state: State): Omit<Extract<Note, { kind: "start" }>, "kind" | "at"> {
  const { root, commit } = state.options;
  state.place = placeOf(event.directory, state);
  return {
    root,
    ...given({
      agent: plainLine(event.agent, 60) || undefined,
      type: sessionTypes.find((type) => type === event.type),
      commit,
      branch: branchOf(state.options),
      task: plainText(event.task, 500) || undefined,
      plannedSteps: countOf(event.plannedSteps),
      subtasks: countOf(event.subtasks),
      methodology: plainLine(event.methodology, 60) || undefined,
      transcript: pathOf(event.transcript),
    }),
  };
}

// Longer ones no system opens in the end; a path that was cut is another one.
const longestPath = 1000;

function pathOf(path: unknown): string | undefined {
  const clean = plainText(path, longestPath);
  return clean !== "" && clean === path && isAbsolute.test(clean) ? clean : undefined;
}

function unitNote(event: Extract<AgentEvent, { kind: "unit" }>, at: number): Note {
  const unit = recordOf(event.unit);
  return {
    kind: "unit",
    at,
    unit: {
      methodology: plainLine(unit["methodology"], 60),
      hierarchy: listOf(unit["hierarchy"])
        .slice(0, 10)
        .map((name) => plainLine(name, 100)),
      label: plainLine(unit["label"], 200),
    },
    state: event.state === "succeeded" || event.state === "failed" ? event.state : "started",
    ...given({ plannedSteps: countOf(event.plannedSteps), summary: plainText(event.summary, 1000) || undefined }),
  };
}

function injectedNote(event: Extract<AgentEvent, { kind: "injected" }>, at: number): Note | undefined {
  const point = injectionPoints.find((name) => name === event.point);
  if (point === undefined) return undefined;
  const memories = listOf(event.memories).slice(0, 40).map(recordOf);
  const files = listOf(event.files).length;
  return {
    kind: "injected",
    at,
    point,
    ...given({ trigger: plainLine(event.trigger, 40) || undefined }),
    memories: memories.map(({ id, tokens }) => ({ id: plainLine(id, 40), tokens: countOf(tokens) ?? 0 })),
    ...(files > 0 && { files }),
    tokens: countOf(event.tokens) ?? 0,
  };
}

function issuesOf(issues: unknown, place: PathBase): Extract<Note, { kind: "qa" }>["issues"] {
  return listOf(issues)
    .slice(0, 20)
    .map((item) => {
      const issue = recordOf(item);
      return {
        title: plainLine(issue["title"], 500),
        ...given({
          description: plainText(issue["description"], 500) || undefined,
          file: relatedPath(issue["file"], place),
          fix: plainText(issue["fix"], 500) || undefined,
        }),
      };
    });
}

/** A process that sees only the result knows its call by what the event says of it. */
function callOfResult(event: Extract<AgentEvent, { kind: "result" }>, state: State): Call | undefined {
  const tool = textOf(event.tool);
  if (tool === "") return undefined;
  const input = recordOf(event.input);
  return callOf({ tool, input, own: isYes(event.own) }, calledFrom(placeOf(event.directory, state), input["command"]));
}

/** The call of a result that came to a process which has not seen it, such as a hook that runs after a tool alone. */
function lateCallOf(
  event: Extract<AgentEvent, { kind: "result" }>,
  note: Note | undefined,
  state: State,
): Note | undefined {
  const id = idOf(event.callId);
  if (note === undefined || event.input === undefined || state.calls.has(id)) return undefined;
  const call = callOfResult(event, state);
  if (call === undefined) return undefined;
  return { kind: "call", at: note.at - (countOf(event.durationMs) ?? 0), call: id, late: true, ...call };
}

function keepCall(calls: Map<string, Call>, id: string, call: Call): void {
  calls.delete(id);
  calls.set(id, call);
  if (calls.size <= maxCalls) return;
  const [oldest] = calls.keys();
  if (oldest !== undefined) calls.delete(oldest);
}

const deedsKnown = new Map<unknown, Call["does"]>(
  (["read", "edit", "search", "run", "fetch", "other"] as const).map((deed) => [deed, deed]),
);
const outcomes = new Set<unknown>(["success", "failure", "abandoned", "unknown"]);

function isYes(value: unknown): boolean {
  return value === true;
}

function idOf(value: unknown): string {
  return plainLine(typeof value === "number" ? String(value) : value, 200);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined;
}

function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= 8.64e15 ? value : undefined;
}

/** Only what is there, as the types of notes want it. */
function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept as { [K in keyof T]?: Exclude<T[K], undefined> };
}
