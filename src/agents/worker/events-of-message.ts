import type { AgentEvent, Deed } from "../../index.js";
import { carriedText, fieldsOf, type CarriedKind, wordsOf } from "./memory-messages.js";

/** A worker that is served: who it is, and what has to be kept in mind of it to understand its next message. */
export interface Served {
  readonly sessionId: string;
  /** Undefined: the session's main agent. */
  readonly agentId: string | undefined;
  /** Of its own within the group: ids of calls are joined for all agents of a session. */
  readonly number: number;
  /** Where the agent works, once it has said so. */
  directory?: string;
  stepsDone: number;
  callsMade: number;
  /** Ids of calls without one of their own that were not answered yet, by tool. */
  readonly open: Map<string, string[]>;
}

/**
 * The events that a worker's message tells of, as ones of its own session and agent, whatever it says; none for a message
 * that tells of nothing, or is not to be understood.
 */
export function eventsOf(message: Record<string, unknown>, served: Served): AgentEvent[] {
  const whose = { sessionId: served.sessionId, ...(served.agentId !== undefined && { agentId: served.agentId }) };
  const at = message["at"];
  const own = { ...whose, ...(typeof at === "number" && { at }) };
  switch (message["type"]) {
    case "memory:tool-call": {
      const tool = wordsOf(message["toolName"])?.slice(0, longestName);
      if (tool === undefined) return [];
      const does = wordsOf(message["does"]) as Deed | undefined;
      const called = { tool, input: argsOf(message["args"]), ...(does && { does }), ...ownOf(message) };
      return [
        { ...own, kind: "call", callId: openCall(message, tool, served), ...called, ...placeOf(message, served) },
      ];
    }
    case "memory:tool-result": {
      const tool = wordsOf(message["toolName"])?.slice(0, longestName) ?? "";
      const { isError, durationMs, args } = message;
      const told = {
        text: typedText(message["result"]),
        ...(tool !== "" && { tool }),
        ...ownOf(message),
        ...(args !== undefined && { input: argsOf(args) }),
        ...(isError === true && { isError }),
        ...(typeof durationMs === "number" && { durationMs }),
      };
      return [
        { ...own, kind: "result", callId: closeCall(message, tool, served), ...told, ...placeOf(message, served) },
      ];
    }
    case "memory:reasoning": {
      const text = typedText(message["text"]);
      return text === ""
        ? []
        : [{ ...own, kind: "reasoning", text, ...(message["thought"] === true && { thought: true }) }];
    }
    case "memory:step-complete":
      return [...carried(message, own, served), ...stepOf(message, own, served)];
    default:
      return [];
  }
}

type Whose = { sessionId: string; agentId?: string; at?: number };

// Longer names no tool has; of ids the observer looks at no more than 200.
const longestName = 200;
const longestId = 150;
const maxOpen = 500;
const maxCarried = 100;
const maxArgs = 100;

/** A worker that was given tools of ours says so: it runs the program's own code. */
function ownOf(message: Record<string, unknown>): { own?: true } {
  return message["own"] === true ? { own: true } : {};
}

function typedText(value: unknown): string {
  return typeof value === "string" ? carriedText(value) : "";
}

function argsOf(value: unknown): Record<string, unknown> {
  const entries = Object.entries(fieldsOf(value)).slice(0, maxArgs);
  return Object.fromEntries(entries.map(([name, one]) => [name, typeof one === "string" ? carriedText(one) : one]));
}

function placeOf(message: Record<string, unknown>, { directory }: Served): { directory?: string } {
  const given = wordsOf(message["directory"]) ?? directory;
  return given === undefined ? {} : { directory: given };
}

/** Two workers may number their calls alike. */
function ownId({ number }: Served, id: string): string {
  return `${number}:${id.slice(0, longestId)}`;
}

function openCall(message: Record<string, unknown>, tool: string, served: Served): string {
  served.callsMade += 1;
  const given = wordsOf(message["callId"]);
  if (given !== undefined) return ownId(served, given);
  const id = ownId(served, `call ${served.callsMade}`);
  const open = served.open.get(tool) ?? [];
  if (served.open.size < maxOpen || open.length > 0) served.open.set(tool, [...open, id].slice(-maxOpen));
  return id;
}

function closeCall(message: Record<string, unknown>, tool: string, served: Served): string {
  const given = wordsOf(message["callId"]);
  if (given !== undefined) return ownId(served, given);
  const [first, ...rest] = served.open.get(tool) ?? [];
  if (rest.length > 0) served.open.set(tool, rest);
  else served.open.delete(tool);
  return first ?? ownId(served, `result ${(served.callsMade += 1)}`);
}

function stepOf(message: Record<string, unknown>, own: Whose, served: Served): AgentEvent[] {
  const { stepNumber, inputTokens, outputTokens } = message;
  if (typeof stepNumber !== "number" || !(stepNumber > served.stepsDone)) return [];
  served.stepsDone = stepNumber;
  const tokens = {
    ...(typeof inputTokens === "number" && { inputTokens }),
    ...(typeof outputTokens === "number" && { outputTokens }),
  };
  return [{ ...own, kind: "step", ...tokens }];
}

/** What comes with a step and has no message of its own. Files that the main thread would have to read are left out. */
function carried(message: Record<string, unknown>, own: Whose, served: Served): AgentEvent[] {
  const happened = Array.isArray(message["happened"]) ? message["happened"].slice(0, maxCarried) : [];
  const events = happened.flatMap((one: unknown): AgentEvent[] => {
    const { sessionId: _session, agentId: _agent, transcript: _transcript, directory, ...event } = fieldsOf(one);
    if (!carriedKinds.has(event["kind"])) return [];
    // Each worker may stand elsewhere, unless the main thread has said where.
    if (event["kind"] === "start" && typeof directory === "string") served.directory ??= directory;
    return [{ ...event, ...own, ...timeOf(event["at"]) } as AgentEvent];
  });
  const prompt = typedText(message["prompt"]);
  return prompt === "" ? events : [...events, { ...own, kind: "prompt", text: prompt }];
}

function timeOf(at: unknown): { at?: number } {
  return typeof at === "number" ? { at } : {};
}

const carriedKinds: ReadonlySet<unknown> = new Set<CarriedKind>([
  "start",
  "unit",
  "subagent",
  "qa",
  "commit",
  "remember",
  "compacted",
]);
