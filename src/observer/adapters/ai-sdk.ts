import type { AgentEvent, SessionType } from "../observer.js";
import { deedOf, isOwnWork } from "../tools/tool-deeds.js";
import { inputOf, listOf, recordOf, sumOf, textOf } from "./loose-value.js";
import { seenCommits } from "./seen-commits.js";
import { answerFailed, answerText } from "./tool-answer.js";

/**
 * A step of the AI SDK (5, 6, 7) as `onStepFinish` gets it, as events in the order of its content; the last one is the
 * step. A tool that came at run time, as those of an MCP server do, is named `mcp__…`, since what it answers is from
 * outside. With `type` the first step starts the session as one of that kind. Never throws.
 *
 * Who knows which of the tools are Tacit's own says so with `ownTools`: then no other is taken for one, whatever it is called.
 *
 * @example
 * await generateText({ model, prompt, onStepFinish: (step) => fromAiSdkStep(step, { sessionId }).forEach(memory.observe) });
 */
export function fromAiSdkStep(
  step: unknown,
  session: { sessionId: string; agentId?: string; type?: SessionType; ownTools?: ReadonlySet<string> },
): AgentEvent[] {
  const { sessionId, agentId, type, ownTools } = session;
  const whose: Whose = { sessionId, ...(agentId !== undefined && { agentId }) };
  try {
    const fields = recordOf(step);
    // Version 5 does not number its steps; to start again changes nothing.
    const isFirst = (fields["stepNumber"] ?? 0) === 0;
    const start: AgentEvent[] =
      type !== undefined && isFirst && agentId === undefined
        ? [{ sessionId, kind: "start", agent: "ai-sdk", type }]
        : [];
    const parts = partsOf(fields);
    // A call that no tool was given, since none has that name or takes such input: the SDK itself answers, and calls it dynamic.
    const invalid = new Set(parts.flatMap((part) => (part["invalid"] === true ? [part["toolCallId"]] : [])));
    const nameOf = (part: ContentPart) => (invalid.has(part["toolCallId"]) ? "invalid" : toolOf(part, ownTools));
    return [...start, ...parts.flatMap((part) => partEvents(part, whose, nameOf)), stepOf(fields, whose)];
  } catch {
    // The fields of a step are computed when they are asked for; what fails there is not for us to throw.
    return [{ ...whose, kind: "step" }];
  }
}

interface Whose {
  sessionId: string;
  agentId?: string;
}

type ContentPart = Record<string, unknown>;

/** The step's content, with what only its lists have: a step put together by hand, or one of version 4. */
function partsOf(step: Record<string, unknown>): ContentPart[] {
  const content = listOf(step["content"]).map(recordOf);
  const known = new Set(content.map((part) => `${String(part["type"])} ${String(part["toolCallId"])}`));
  const isKnown = ({ toolCallId }: ContentPart, ...types: string[]) =>
    types.some((type) => known.has(`${type} ${String(toolCallId)}`));
  const calls = listOf(step["toolCalls"]).map((call): ContentPart => ({ ...recordOf(call), type: "tool-call" }));
  const results = listOf(step["toolResults"]).map((result): ContentPart => ({
    ...recordOf(result),
    type: "tool-result",
  }));
  return [
    ...content,
    ...(content.length > 0 ? [] : spokenParts(step)),
    ...calls.filter((call) => !isKnown(call, "tool-call")),
    ...results.filter((result) => !isKnown(result, "tool-result", "tool-error")),
  ];
}

function spokenParts(step: Record<string, unknown>): ContentPart[] {
  const { reasoning, reasoningText, text } = step;
  const thought = textOf(reasoningText) ?? (typeof reasoning === "string" ? reasoning : answerText(listOf(reasoning)));
  return [
    { type: "reasoning", text: thought },
    { type: "text", text },
  ];
}

function partEvents(part: ContentPart, whose: Whose, nameOf: (part: ContentPart) => string): AgentEvent[] {
  switch (part["type"]) {
    case "text":
    case "reasoning": {
      const text = textOf(part["text"]);
      const isThought = part["type"] === "reasoning";
      return text === undefined ? [] : [{ ...whose, kind: "reasoning", text, ...(isThought && { thought: true }) }];
    }
    case "tool-call": {
      const callId = textOf(part["toolCallId"]);
      if (callId === undefined) return [];
      return [{ ...whose, kind: "call", callId, tool: nameOf(part), input: givenTo(part) }];
    }
    case "tool-result":
    case "tool-error":
      return resultEvents(part, whose, nameOf(part));
    default:
      return [];
  }
}

function resultEvents(part: ContentPart, whose: Whose, tool: string): AgentEvent[] {
  const callId = textOf(part["toolCallId"]);
  // A result that is still growing comes again when it is whole.
  if (callId === undefined || part["preliminary"] === true) return [];
  const answer = part["type"] === "tool-error" ? part["error"] : (part["output"] ?? part["result"]);
  const isError = part["type"] === "tool-error" || part["isError"] === true || answerFailed(answer);
  const text = answerText(answer);
  const input = givenTo(part);
  const commits = isError ? [] : seenCommits(input, text);
  return [
    {
      ...whose,
      kind: "result",
      callId,
      tool,
      ...(Object.keys(input).length > 0 && { input }),
      text,
      ...(isError && { isError }),
    },
    ...commits.map((commit): AgentEvent => ({ ...whose, kind: "commit", ...commit })),
  ];
}

function givenTo(part: ContentPart): Record<string, unknown> {
  return inputOf(part["input"] ?? part["args"]);
}

/** Its name, so changed where needed that the observer does not take what comes from elsewhere for its own. */
function toolOf(part: ContentPart, ownTools: ReadonlySet<string> | undefined): string {
  const name = textOf(part["toolName"]) ?? "unknown";
  if (ownTools?.has(name)) return name;
  const isElsewhere = part["dynamic"] === true;
  // A server chooses the names of its tools.
  const server = isElsewhere ? (textOf(recordOf(part["toolMetadata"])["clientName"]) ?? "dynamic") : undefined;
  const named = server === undefined ? name : `mcp__${server}__${name}`;
  if (ownTools && posing.test(named.replaceAll(/[^\w-]/g, ""))) return `mcp__other__${name}`;
  if (isElsewhere) return named;
  // What a provider looks through or runs is nothing of the project.
  if (part["providerExecuted"] === true) return `mcp__provider__${name}`;
  const isDoubted = ownTools !== undefined && deedOf(name, givenTo(part)) === "other" && isOwnWork(name);
  return isDoubted && !silent.has(name.replaceAll(/[^a-z]/gi, "").toLowerCase()) ? `mcp__other__${name}` : name;
}

const posing = /^mcp__(?:plugin_)?tacit/i;

// Tools of a program that hand back what the model gave them, or nothing. Any other may answer with anything.
const silent: ReadonlySet<string> = new Set(
  "think thinking sequentialthinking todo todowrite todoread todolist writetodos updateplan exitplanmode done finish complete attemptcompletion submit exit stop wait sleep toolsearch".split(
    " ",
  ),
);

function stepOf(step: Record<string, unknown>, whose: Whose): AgentEvent {
  const usage = recordOf(step["usage"]);
  const inputTokens = sumOf(usage["inputTokens"] ?? usage["promptTokens"]);
  const outputTokens = sumOf(usage["outputTokens"] ?? usage["completionTokens"]);
  return {
    ...whose,
    kind: "step",
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}
