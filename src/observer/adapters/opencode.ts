import type { AgentEvent, SessionType } from "../observer.js";
import { forgetOlderHalf } from "./forget-older-half.js";
import { countOf, inputOf, listOf, recordOf, sumOf, textOf } from "./loose-value.js";
import { seenCommits } from "./seen-commits.js";
import { answerFailed, answerText } from "./tool-answer.js";

/**
 * What a plugin that stays open keeps between events. With it a child session becomes an agent of its parent, and what
 * both a hook and the bus tell comes once. Bounded.
 */
export interface OpencodeSeen {
  /** From a child session to the one above it. */
  parents: Map<string, string>;
  told: Set<string>;
  /** The tools that the plugin itself has given to opencode, which are Tacit's own. */
  own?: ReadonlySet<string>;
}

/**
 * What a plugin of opencode sees, as events: `{ hook, input, output }` of the hooks `tool.execute.before`,
 * `tool.execute.after` and `chat.message`, and what its `event` hook gets from the bus, `{ type, properties }`. Unknown
 * ones give none. Never throws.
 *
 * A tool that fails is told by the bus only, so send both. A tool with a server's name before its own is named `mcp__…`,
 * because what it answers is from outside. opencode says when a session is deleted, never that it is over. What it writes to
 * sum up a session is left out. With `type` sessions start as ones of that kind.
 */
export function fromOpencode(
  event: unknown,
  seen: OpencodeSeen = { parents: new Map(), told: new Set() },
  { type: kind }: { type?: SessionType } = {},
): AgentEvent[] {
  const { hook, type, input, output, properties } = recordOf(event);
  if (typeof hook === "string") return fromPluginHook(hook, recordOf(input), recordOf(output), seen);
  return typeof type === "string" ? fromBus(type, recordOf(properties), seen, kind) : [];
}

function fromPluginHook(
  hook: string,
  input: Record<string, unknown>,
  output: Record<string, unknown>,
  seen: OpencodeSeen,
): AgentEvent[] {
  const whose = whoseOf(input["sessionID"], seen);
  if (whose === undefined) return [];
  switch (hook) {
    case "chat.message": {
      const typed = listOf(output["parts"]).map(recordOf).filter(isTyped);
      const text = typed.map((part) => part["text"]).join("\n");
      return text === "" ? [] : [{ ...whose, kind: "prompt", text }];
    }
    case "tool.execute.before":
      return callEvents(input, inputOf(output["args"] ?? input["args"]), whose, seen);
    case "tool.execute.after": {
      const answer = output["output"] ?? output["content"] ?? output["result"];
      const isError = answerFailed(answer) || answerFailed(output["metadata"]) || output["isError"] === true;
      return resultEvents(input, inputOf(input["args"]), { answer, isError }, whose, seen);
    }
    default:
      return [];
  }
}

/** What a person wrote, not what opencode put beside it. */
function isTyped(part: Record<string, unknown>): boolean {
  return part["type"] === "text" && part["synthetic"] !== true && textOf(part["text"]) !== undefined;
}

function fromBus(
  type: string,
  properties: Record<string, unknown>,
  seen: OpencodeSeen,
  kind: SessionType | undefined,
): AgentEvent[] {
  const info = recordOf(properties["info"]);
  switch (type) {
    case "session.created":
      return createdEvents(info, seen, kind);
    case "session.idle":
      return endEvents(textOf(properties["sessionID"]), seen, "idle");
    case "session.deleted":
      return endEvents(textOf(info["id"]) ?? textOf(properties["sessionID"]), seen, "deleted");
    case "session.compacted": {
      const whose = whoseOf(properties["sessionID"], seen);
      return whose === undefined ? [] : [{ ...whose, kind: "compacted" }];
    }
    case "message.updated":
      // What sums up a session is no word of its agent; the bus tells of the message before it tells of its parts.
      if (info["summary"] === true && info["role"] === "assistant") isNews(seen, "summary", info["id"]);
      return [];
    case "message.part.updated":
      return partEvents(recordOf(properties["part"]), seen);
    default:
      return [];
  }
}

function createdEvents(info: Record<string, unknown>, seen: OpencodeSeen, type: SessionType | undefined): AgentEvent[] {
  const id = textOf(info["id"]);
  const parentId = textOf(info["parentID"]);
  if (id === undefined) return [];
  const when = at(recordOf(info["time"])["created"]);
  if (parentId === undefined) {
    const directory = textOf(info["directory"]);
    const more = { ...(directory !== undefined && { directory }), ...(type !== undefined && { type }) };
    return [{ sessionId: id, ...when, kind: "start", agent: "opencode", ...more }];
  }
  const task = textOf(info["title"]);
  const above = whoseOf(parentId, seen) ?? { sessionId: parentId };
  if (seen.parents.size >= maxSeen) forgetOlderHalf(seen.parents);
  seen.parents.set(id, parentId);
  return [{ ...above, ...when, kind: "subagent", state: "started", childId: id, ...(task !== undefined && { task }) }];
}

/** A session that is idle waits for its person; a child that is idle is done. */
function endEvents(id: string | undefined, seen: OpencodeSeen, how: "idle" | "deleted"): AgentEvent[] {
  if (id === undefined) return [];
  const parentId = seen.parents.get(id);
  if (parentId === undefined) {
    return how === "idle" ? [] : [{ sessionId: id, kind: "end", outcome: "unknown", reason: how }];
  }
  if (!isNews(seen, "ended", id)) return [];
  return [{ ...(whoseOf(parentId, seen) ?? { sessionId: parentId }), kind: "subagent", state: "ended", childId: id }];
}

function partEvents(part: Record<string, unknown>, seen: OpencodeSeen): AgentEvent[] {
  const whose = whoseOf(part["sessionID"], seen);
  if (whose === undefined || seen.told.has(`summary ${String(part["messageID"])}`)) return [];
  switch (part["type"]) {
    case "text":
    case "reasoning": {
      // Parts are told again with every word; only the finished one counts. What a person wrote has no end.
      const { end } = recordOf(part["time"]);
      const text = textOf(part["text"]);
      if (text === undefined || countOf(end) === undefined || part["synthetic"] === true) return [];
      if (!isNews(seen, "part", part["id"])) return [];
      const isThought = part["type"] === "reasoning";
      return [{ ...whose, ...at(end), kind: "reasoning", text, ...(isThought && { thought: true }) }];
    }
    case "step-finish":
      return isNews(seen, "part", part["id"]) ? [stepOf(recordOf(part["tokens"]), whose)] : [];
    case "tool":
      return toolEvents(part, recordOf(part["state"]), whose, seen);
    default:
      return [];
  }
}

function toolEvents(
  part: Record<string, unknown>,
  state: Record<string, unknown>,
  whose: Whose,
  seen: OpencodeSeen,
): AgentEvent[] {
  if (state["status"] !== "completed" && state["status"] !== "error") return [];
  const { start, end } = recordOf(state["time"]);
  const input = inputOf(state["input"]);
  const hasFailed = state["status"] === "error";
  const answer = hasFailed ? (state["error"] ?? state["output"]) : state["output"];
  const isError = hasFailed || answerFailed(answer) || answerFailed(state["metadata"]);
  return [
    ...callEvents(part, input, { ...whose, ...at(start) }, seen),
    ...resultEvents(part, input, { answer, isError }, { ...whose, ...at(end) }, seen),
  ];
}

function callEvents(
  { callID, tool }: Record<string, unknown>,
  input: Record<string, unknown>,
  whose: Whose,
  seen: OpencodeSeen,
): AgentEvent[] {
  const callId = textOf(callID);
  if (callId === undefined || !isNews(seen, "call", callId)) return [];
  return [{ ...whose, kind: "call", callId, tool: toolName(tool), input, ...ownOf(tool, seen) }];
}

function resultEvents(
  { callID, tool }: Record<string, unknown>,
  input: Record<string, unknown>,
  { answer, isError }: { answer: unknown; isError: boolean },
  whose: Whose,
  seen: OpencodeSeen,
): AgentEvent[] {
  const callId = textOf(callID);
  if (callId === undefined || !isNews(seen, "result", callId)) return [];
  const text = answerText(answer);
  const commits = isError ? [] : seenCommits(input, text);
  return [
    {
      ...whose,
      kind: "result",
      callId,
      tool: toolName(tool),
      ...ownOf(tool, seen),
      ...(Object.keys(input).length > 0 && { input }),
      text,
      ...(isError && { isError }),
    },
    ...commits.map((commit): AgentEvent => ({ ...whose, kind: "commit", ...commit })),
  ];
}

const ownTools = new Set(["apply_patch", "plan_enter", "plan_exit"]);

/** opencode names a server's tool `server_tool`; of its own only these have such a sign. */
function toolName(tool: unknown): string {
  const name = textOf(tool) ?? "unknown";
  const sign = name.indexOf("_");
  if (sign < 1 || ownTools.has(name) || name.startsWith("mcp__")) return name;
  return `mcp__${name.slice(0, sign)}__${name.slice(sign + 1)}`;
}

function ownOf(tool: unknown, { own }: OpencodeSeen): { own?: true } {
  return typeof tool === "string" && own?.has(tool) ? { own: true } : {};
}

function stepOf(tokens: Record<string, unknown>, whose: Whose): AgentEvent {
  const cache = recordOf(tokens["cache"]);
  const inputTokens = sumOf(tokens["input"], cache["read"], cache["write"]);
  const outputTokens = sumOf(tokens["output"], tokens["reasoning"]);
  return {
    ...whose,
    kind: "step",
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}

interface Whose {
  sessionId: string;
  agentId?: string;
  at?: number;
}

/** Whose doings those of a session of opencode are: a child's are its topmost parent's, as one of its agents. */
export function opencodeSession(id: unknown, seen: OpencodeSeen): { sessionId: string; agentId?: string } | undefined {
  return whoseOf(id, seen);
}

function whoseOf(id: unknown, { parents }: OpencodeSeen): Whose | undefined {
  const own = textOf(id);
  if (own === undefined) return undefined;
  let top = own;
  // As deep as agents start agents; a circle would never end.
  for (let depth = 0; depth < 10; depth += 1) top = parents.get(top) ?? top;
  return top === own ? { sessionId: own } : { sessionId: top, agentId: own };
}

function at(time: unknown): { at?: number } {
  const ms = countOf(time);
  return ms === undefined ? {} : { at: ms };
}

const maxSeen = 10_000;

function isNews({ told }: OpencodeSeen, kind: string, id: unknown): boolean {
  if (typeof id !== "string") return true;
  const what = `${kind} ${id}`;
  if (told.has(what)) return false;
  if (told.size >= maxSeen) forgetOlderHalf(told);
  told.add(what);
  return true;
}
