import { inputOf, listOf, nameOf, recordOf, textOf as someText } from "../../observer/adapters/adapters.js";

/** A message as it was written, by whoever. */
export type Fields = Record<string, unknown>;

/** A tool that was called; `input` where it is known what with. */
export interface ToolCall {
  id?: string;
  tool: string;
  input?: Fields;
}

/** What a tool answered, and to which call, as far as that is told. */
export interface ToolAnswer {
  id?: string;
  tool?: string;
  text: string;
}

/** What a message is made of. */
export interface Parts {
  /** What whoever speaks has said. */
  texts: string[];
  calls: ToolCall[];
  answers: ToolAnswer[];
}

/** The parts of a content, told apart by who they come from; undefined where it is neither a text nor parts. */
export function partsOf(content: unknown): Parts | undefined {
  if (typeof content === "string") return { texts: [content], calls: [], answers: [] };
  const list = Array.isArray(content) ? content : isFields(content) ? [content] : undefined;
  if (!list) return undefined;
  const parts = list.map((part: unknown): Fields => (isFields(part) ? part : { text: part }));
  return {
    texts: parts.map(saidIn).filter((text) => text !== ""),
    calls: parts.flatMap((part) => callIn(part) ?? []),
    answers: parts.flatMap((part) => answerIn(part) ?? []),
  };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tools that a message lists beside its content, however it does so. */
export function listedCalls(message: Fields): ToolCall[] {
  const { tools, tool_calls: openAi, toolCalls: camelCased, toolsUsed, tools_used: snakeCased } = message;
  const lists = [tools, openAi, camelCased, toolsUsed, snakeCased, [message["function_call"]]];
  return lists.flatMap(listOf).flatMap((one) => {
    if (typeof one === "string") return one === "" ? [] : [{ tool: one }];
    return namedCall(recordOf(one)) ?? [];
  });
}

const callTypes = new Set<unknown>(["tool_use", "server_tool_use", "mcp_tool_use", "tool-call", "tool_call"]);

/** Those of the AI SDK are of the type `tool-NAME`; those of the Responses API end in `_call`. */
function callIn(part: Fields): ToolCall | undefined {
  const { type, functionCall, toolInvocation } = part;
  if (isFields(functionCall)) return namedCall(functionCall);
  if (isFields(toolInvocation)) return namedCall(toolInvocation);
  if (typeof type !== "string") return undefined;
  if (callTypes.has(type)) return namedCall(part);
  if (isAnswer(part)) return undefined;
  if (type.endsWith("_call")) return namedCall(part, type.slice(0, -"_call".length));
  if (type === "dynamic-tool") return namedCall(part);
  return type.startsWith("tool-") ? namedCall(part, type.slice("tool-".length)) : undefined;
}

function namedCall(call: Fields, otherwise?: string): ToolCall | undefined {
  const called = recordOf(call["function"]);
  const name = nameOf(call["name"]) ?? nameOf(call["toolName"]) ?? nameOf(called["name"]) ?? otherwise;
  if (name === undefined) return undefined;
  const server = nameOf(call["server_name"]) ?? nameOf(call["server_label"]);
  const id = idOf(call);
  const input = ["input", "args", "arguments", "action"].map((field) => call[field] ?? called[field]).find(Boolean);
  return {
    tool: server === undefined ? name : `mcp__${server}__${name}`,
    ...(id !== undefined && { id }),
    ...(input !== undefined && { input: inputOf(input) }),
  };
}

/** By which a call and its answer are joined. */
export function idOf(fields: Fields): string | undefined {
  const names = ["tool_use_id", "tool_call_id", "toolCallId", "call_id", "id"];
  return names.map((name) => nameOf(fields[name])).find((id) => id !== undefined);
}

/** What a tool answered is of nobody else, whoever's message it stands in. */
function isAnswer({ type, functionResponse }: Fields): boolean {
  if (isFields(functionResponse)) return true;
  return (
    typeof type === "string" && /(?:tool[_-]result|_call_output|^tool-error|^search_result|^tool_response)$/.test(type)
  );
}

function answerIn(part: Fields): ToolAnswer | undefined {
  const { functionResponse, toolInvocation } = part;
  // Of the AI SDK and of the Responses API: the call and its answer in one.
  const inCall = callIn(part) ? (recordOf(toolInvocation)["result"] ?? part["output"] ?? part["results"]) : undefined;
  if (!isAnswer(part)) {
    return inCall === undefined ? undefined : { ...joinedTo(part), text: answered(inCall) };
  }
  const answer = isFields(functionResponse) ? functionResponse : part;
  const { content, output, response, result, text } = answer;
  return { ...joinedTo(answer), text: answered(content ?? output ?? response ?? result ?? text) };
}

function joinedTo(answer: Fields): Pick<ToolAnswer, "id" | "tool"> {
  const own = isFields(answer["toolInvocation"]) ? answer["toolInvocation"] : answer;
  const id = idOf(own);
  const tool = nameOf(own["name"]) ?? nameOf(own["toolName"]);
  return { ...(id !== undefined && { id }), ...(tool !== undefined && { tool }) };
}

/** An answer as text: what it says, of what is no text what it is, and of anything else its JSON. */
function answered(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(answered).filter(Boolean).join("\n");
  const { type, text, content, value: wrapped } = recordOf(value);
  const inner = text ?? content ?? wrapped;
  if (inner !== undefined) return answered(inner);
  if (typeof type === "string") return shownType(type);
  return value === undefined || value === null ? "" : (JSON.stringify(value) ?? "");
}

// What an agent thought, it told nobody.
const unsaid = new Set<unknown>(["thinking", "redacted_thinking", "reasoning", "step-start"]);

/** What a part says; of what is no text, such as a picture, what it is. */
function saidIn(part: Fields): string {
  const { type, text, content, refusal, thought } = part;
  if (unsaid.has(type) || thought === true || isAnswer(part) || callIn(part)) return "";
  const said = someText(text) ?? someText(refusal) ?? someText(content);
  if (said !== undefined) return said;
  if (Array.isArray(content)) return content.map((one) => (isFields(one) ? saidIn(one) : String(one))).join("\n");
  if (typeof text === "string" || typeof content === "string") return "";
  return shownType(typeof type === "string" ? type : Object.keys(part)[0]);
}

function shownType(type = ""): string {
  return type === "" || type === "text" ? "" : `[${type.slice(0, 40)}]`;
}
